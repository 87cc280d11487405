"""Why a connection, a request or a move is rejected: a code and details.

A detail never has a hidden value: codes and details are sent to others and written to logs. This module also
reports faults of this program, and checks before a game that the disk has room for it."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.platform.files import free_space
from citadels_lan.platform.logs import bare


class Refusal(Exception):
    """A connection or a request is rejected. `code` is one of `texts.connection_reasons`, or a code of the
    engine. `transcript` is the client's file of this game, if the reason is about it."""

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
"""Writes an unexpected error to a file and returns the path, or None. The command line provides such a
function."""

log = logging.getLogger(__name__)


def no_report(fault: BaseException) -> None:
    """A `Report` that writes no file, for tests and other programs."""


def note(report: Report, what: str, fault: BaseException) -> Path | None:
    """Write a fault to the log and to a report file. Return the path of the report."""
    log.error("%s: %s", what, bare(fault))
    return report(fault)


def failed(path: Path | None) -> Refusal:
    """Return the reason with which a session or a table ends after a fault of this program, with its report."""
    return Refusal("failed") if path is None else Refusal("failed_report", path=str(path))


MB: Final = 1_000_000
ROOM: Final = 20 * MB
"""Free bytes that a game requires. A long game needs a few per cent of them."""


def check_room(folder: Path) -> None:
    """Check that the disk of a folder has room for a game. Raises Refusal: `no_room`."""
    if free_space(folder) < ROOM:
        raise no_room(folder)


def no_room(folder: Path) -> Refusal:
    """Return the refusal for a folder whose disk is full."""
    return Refusal("no_room", path=str(folder), megabytes=ROOM // MB)
