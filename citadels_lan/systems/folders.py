"""Where the files of this program belong on each system."""

from pathlib import Path
from typing import Final

PROGRAM: Final = "citadels-lan"


def data_folder() -> Path:
    """Keys, transcripts, journals."""
    from platformdirs import user_data_path

    return user_data_path(PROGRAM, appauthor=False)


def settings_folder() -> Path:
    """What the user has chosen."""
    from platformdirs import user_config_path

    return user_config_path(PROGRAM, appauthor=False)


def log_folder() -> Path:
    """Warnings, and reports of faults."""
    from platformdirs import user_log_path

    return user_log_path(PROGRAM, appauthor=False)
