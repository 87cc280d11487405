"""Why a connection, a request or a move is rejected: a code and details.

Details never contain hidden values, because they are sent to other players and written to logs. This module
also reports faults of this program, and checks before a game that the disk has room for it."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.platform.files import free_space
from citadels_lan.platform.logs import bare


class Refusal(Exception):
    """A connection or a request is rejected. `code` is one of `texts.connection_reasons`, or a code of the
    engine. `transcript` is the path of the client's transcript if the reason is about it; otherwise None."""

    def __init__(self, code: str, /, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details: dict[str, str | int] = details
        self.transcript: Path | None = None

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.details.items())))


class Rejected(Refusal):
    """A move or a request was rejected, and has changed nothing. `code` is as for `Refusal`."""


Report: TypeAlias = Callable[[BaseException], Path | None]
"""A function that writes a file about an unexpected error. Returns the path, or None if it wrote no file. The
command line provides one."""

log = logging.getLogger(__name__)


def no_report(fault: BaseException) -> None:
    """The `Report` that writes no file and returns None, for tests and other programs."""


def note(report: Report, what: str, fault: BaseException) -> Path | None:
    """Write an error to the log and to a report file. `what` says what has failed. Return the path of the
    report, or None."""
    log.error("%s: %s", what, bare(fault))
    return report(fault)


def failed(path: Path | None) -> Refusal:
    """Return the reason with which a session or a table ends after a fault of this program. `path` is the
    report, or None."""
    return Refusal("failed") if path is None else Refusal("failed_report", path=str(path))


MB: Final = 1_000_000
ROOM: Final = 20 * MB
"""Free bytes that the disk must have before a game. A long game needs a few per cent of them."""


def check_room(folder: Path) -> None:
    """Check that the disk of a folder has room for a game. Raises Refusal: `no_room`."""
    if free_space(folder) < ROOM:
        raise no_room(folder)


def no_room(folder: Path) -> Refusal:
    """Return the refusal that says the disk of `folder` has too little free space for a game."""
    return Refusal("no_room", path=str(folder), megabytes=ROOM // MB)
