"""Where warnings of the network and its libraries go: a file, never the screen."""

import logging
from logging.handlers import RotatingFileHandler
from typing import Final

from citadels_lan.systems.folders import log_folder

from .failures import without_keys

LARGEST: Final = 256 * 1024


class Discreet(logging.Formatter):
    """Nothing that looks like a key gets into the file."""

    def format(self, record: logging.LogRecord) -> str:
        return without_keys(super().format(record))


def log_to_file() -> None:
    """Send warnings to the log file, which is made with the first of them; nowhere if it cannot be."""
    root = logging.getLogger()
    if root.handlers:
        return
    handler: logging.Handler = logging.NullHandler()
    try:
        folder = log_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "warnings.log"
        handler = RotatingFileHandler(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)
    except OSError:
        pass
    handler.setFormatter(Discreet("%(asctime)s %(name)s %(levelname)s %(message)s"))
    handler.setLevel(logging.WARNING)
    root.addHandler(handler)
    logging.raiseExceptions = False
