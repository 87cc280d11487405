"""Where the files of this program belong on each system, or all in one folder where the environment names one."""

import os
from pathlib import Path
from typing import Final

PROGRAM: Final = "citadels-lan"
VARIABLE: Final = "CITADELS_HOME"
"""The environment variable with a folder for everything: several people on one machine, each with their own."""


def data_folder() -> Path:
    """Keys, transcripts, journals."""
    if home := _home():
        return home / "data"
    from platformdirs import user_data_path

    return user_data_path(PROGRAM, appauthor=False)


def settings_folder() -> Path:
    """What the user has chosen."""
    if home := _home():
        return home / "settings"
    from platformdirs import user_config_path

    return user_config_path(PROGRAM, appauthor=False)


def log_folder() -> Path:
    """Warnings, and reports of faults."""
    if home := _home():
        return home / "log"
    from platformdirs import user_log_path

    return user_log_path(PROGRAM, appauthor=False)


def _home() -> Path | None:
    home = os.environ.get(VARIABLE)
    return Path(home) if home else None
