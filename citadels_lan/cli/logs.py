"""Where warnings of the network and its libraries go: a file, never the screen; and what is said again and again
is counted there, not repeated."""

import logging
from logging.handlers import RotatingFileHandler
from typing import Final

from citadels_lan.systems.folders import log_folder

from .failures import without_keys

LARGEST: Final = 256 * 1024
"""Bytes of the file at most; there is one of before beside it."""
KINDS: Final = 256
"""Different warnings that are told apart; all others count as one."""


class Discreet(logging.Formatter):
    """Nothing that looks like a key gets into the file."""

    def format(self, record: logging.LogRecord) -> str:
        text = without_keys(super().format(record))
        times = getattr(record, "times", 1)
        return text if times == 1 else f"{text} ({times} times)"


class Counted(logging.Filter):
    """Lets a warning through when it comes for the first time, the second, the fourth, the eighth, …, with the
    count: so whoever provokes one cannot fill the file. Warnings are the same that differ in details alone; faults
    of ours are told apart by their whole text."""

    def __init__(self) -> None:
        super().__init__()
        self._times: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.name, record.getMessage() if record.levelno >= logging.ERROR else str(record.msg))
        if kind not in self._times and len(self._times) >= KINDS:
            kind = ("", "")
        times = self._times[kind] = self._times.get(kind, 0) + 1
        record.times = times
        return times & (times - 1) == 0


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
    handler.addFilter(Counted())
    root.addHandler(handler)
    logging.raiseExceptions = False
