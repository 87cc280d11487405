"""Who plays, as the options and the preferences say: name, language, folders."""

import argparse
from dataclasses import replace
from pathlib import Path

from citadels_lan.systems.folders import data_folder
from citadels_lan.ui.launcher import Preferences

from .console import Console
from .homes import transcripts_folder
from .launcher import TableLauncher
from .logs import log_to_file
from .options import folder, player_name
from .preferences import load_preferences, preferences_file


def launcher_for(console: Console, options: argparse.Namespace) -> TableLauncher:
    """What opens tables for this person."""
    log_to_file()
    language = console.texts.language
    preferences = load_preferences(preferences_file(), Preferences(language=language))
    name = player_name(console, getattr(options, "name", None), preferences.name)
    data = folder(console, "XDG_DATA_HOME", None, data_folder())
    out: Path = folder(console, "--out", getattr(options, "out", None), transcripts_folder())
    return TableLauncher(console, replace(preferences, name=name, language=language), data, out)
