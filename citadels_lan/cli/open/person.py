"""Who plays, as the options and the preferences say: name, language, folders."""

import argparse
from dataclasses import replace
from pathlib import Path

from citadels_lan.cli.console import Console
from citadels_lan.cli.preferences import load_preferences, preferences_file
from citadels_lan.cli.profiles import transcripts_folder
from citadels_lan.front.launcher import Preferences
from citadels_lan.systems.folders import data_folder
from citadels_lan.systems.logs import log_to_file

from .launcher import TableLauncher
from .options import folder, player_name


def launcher_for(console: Console, options: argparse.Namespace) -> TableLauncher:
    """What opens tables for this person."""
    log_to_file()
    language = console.texts.language
    preferences = load_preferences(preferences_file(), Preferences(language=language))
    name = player_name(console, getattr(options, "name", None), preferences.name)
    data = folder(console, "XDG_DATA_HOME", None, data_folder())
    out: Path = folder(console, "--out", getattr(options, "out", None), transcripts_folder())
    return TableLauncher(console, replace(preferences, name=name, language=language), data, out)
