"""Log files: their contents, their size, and who may read them.

A log never contains anything that another computer sent. The text of an error may quote it, and so may the
arguments of a library's record. So an error is written as its type and where it came from, and a library's record
without its arguments. Equal records are written once a minute.
"""

import contextlib
import io
import logging
import re
import sys
import time
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from citadels_lan.platform.files import log_folder, own_file

LARGEST: Final = 256 * 1024
"""Largest log file, in bytes. One older file is kept, too."""
LONGEST: Final = 8 * 1024
"""Longest entry, in characters."""
KINDS: Final = 100
"""At most this many kinds of records are counted separately in a minute; all further ones count as one
kind."""
MINUTE: Final = 60.0
OWN: Final = "citadels_lan"
LONG_HEX: Final = re.compile(r"[0-9A-Fa-f]{24,}|(?:\\x[0-9a-f]{2}.{0,3}){6,}")

Kind = tuple[object, ...]


def log_to_file(name: str = "warnings.log", *, verbose: bool = False) -> None:
    """Write all warnings of this process to a file in the log folder. The first warning creates the file. If
    the folder cannot be written, warnings are dropped; they never go to the screen.

    `verbose`: also write warnings, and information from libraries, to standard error, unless screens are
    shown on it.
    """
    root = logging.getLogger()
    if root.handlers:
        return
    try:
        folder = log_folder()
        folder.mkdir(parents=True, exist_ok=True)
        root.addHandler(LogFile(folder / name))
    except OSError:
        root.addHandler(logging.NullHandler())
    if verbose:
        root.setLevel(logging.INFO)
        root.addHandler(Echo())
    logging.raiseExceptions = False
    # The library logs a traceback for each packet that it cannot send. The search reports that it does not work.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)


def without_keys(text: str) -> str:
    """Return text without anything that looks like a key."""
    return LONG_HEX.sub("(bytes)", text)


def bare(fault: BaseException) -> str:
    """Return the type of an error, where it came from, and the errors that led to it. The texts of the errors
    are omitted: they might name a card of a hidden hand, or quote data of a stranger."""
    led = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    parts = [] if led is None else [bare(led)]
    parts.append("".join(traceback.format_tb(fault.__traceback__)) + type(fault).__qualname__)
    if isinstance(fault, BaseExceptionGroup):
        parts += [bare(part) for part in fault.exceptions]
    return "\n\n".join(parts)


class Echo(logging.Handler):
    """Writes records to the `sys.stderr` that is current at that moment, because the screens replace it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record to standard error, with the same text that the log file gets."""
        with contextlib.suppress(OSError, ValueError):
            print(f"{record.name} {record.levelname} {without_keys(_text(record))}", file=sys.stderr, flush=True)


class LogFile(RotatingFileHandler):
    """A log file that only its owner may read. Its size is limited. `clock` returns monotonic seconds."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)
        self._clock = clock
        self._written: dict[Kind, float] = {}
        """For each kind of record the time when it was last written, the oldest first."""
        self.setLevel(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless a record of the same kind was written within the last minute."""
        try:
            self._take(record)
        except Exception:  # as every handler does: a failing log never stops the program
            self.handleError(record)

    def _take(self, record: logging.LogRecord) -> None:
        now, kind = self._clock(), _kind(record)
        while self._written and now - next(iter(self._written.values())) >= MINUTE:
            del self._written[next(iter(self._written))]
        if kind not in self._written and len(self._written) >= KINDS:
            kind = ()
        if kind not in self._written:
            self._written[kind] = now
            text = without_keys(_text(record))[:LONGEST]
            super().emit(logging.LogRecord(record.name, record.levelno, "", 0, text, None, None))

    def _open(self) -> io.TextIOWrapper:
        file = open(self.baseFilename, "ab", opener=own_file)  # noqa: SIM115 -- the handler closes it
        return io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace")


def _kind(record: logging.LogRecord) -> Kind:
    """Return a key that is the same for equal records: the line of code and the traceback of the error. This
    program's own errors also differ by their arguments, which name what failed; its warnings do not."""
    fault = _fault(record)
    place = None if fault is None else bare(fault)
    own = (record.msg, str(record.args)) if _own(record) and record.levelno >= logging.ERROR else None
    return record.name, record.pathname, record.lineno, place, own


def _text(record: logging.LogRecord) -> str:
    """Return the text to write for a record."""
    args = record.args if isinstance(record.args, tuple) else ()
    if _own(record):
        quoted = tuple(map(_named, args))
        text = str(record.msg) % quoted if quoted else str(record.msg)
    else:
        template = f"{record.msg} " if record.args and isinstance(record.msg, str) else ""
        text = f"{template}({record.filename}:{record.lineno}, {record.funcName})"
    fault = _fault(record)
    return text if fault is None else f"{text}\n{bare(fault)}"


def _own(record: logging.LogRecord) -> bool:
    return record.name.split(".")[0] == OWN


def _fault(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if isinstance(record.exc_info, tuple) else None


def _named(arg: object) -> object:
    """Return a value for a log line: for an error its type, with the system's reason if it has one; any other
    value unchanged."""
    if not isinstance(arg, BaseException):
        return arg
    reason = arg.strerror if isinstance(arg, OSError) else None
    return f"{type(arg).__qualname__}: {reason}" if reason else type(arg).__qualname__
