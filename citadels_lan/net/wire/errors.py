"""Why a connection, a request or a move is rejected: a code and details.

No hidden value is ever in a detail: codes and details travel on the wire and end in logs. Faults of this program
are reported here, too, and whether the disk has room for a game is checked before it begins.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.systems.files import free_space
from citadels_lan.systems.logs import bare

Details = Mapping[str, str | int]


class Refusal(Exception):
    """A connection or a request is rejected. `code` is one of `texts.connection_reasons`, or the engine's.
    `transcript` is the file that a client has of this game, if it has one and that matters."""

    def __init__(self, code: str, /, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details: dict[str, str | int] = details
        self.transcript: Path | None = None

    def __str__(self) -> str:
        return sentence(self.code, self.details)


class Rejected(Refusal):
    """A move was not accepted; nothing has happened. `code` is as for `Refusal`."""


def sentence(code: str, details: Details) -> str:
    """The English sentence of a code. Unknown codes and missing details do not raise."""
    from citadels_lan.texts.connection_reasons import REASONS

    text = REASONS.get(code)
    if text is None:
        return " ".join((code, *(f"{name}={value}" for name, value in details.items())))
    try:
        return text.format(**details)
    except (KeyError, IndexError):
        return text


Report: TypeAlias = Callable[[BaseException], Path | None]
"""Writes an error that nobody expected to a file and says where, or None. The command line has one."""

log = logging.getLogger(__name__)


def no_report(fault: BaseException) -> None:
    """For those who want no file: tests, and other programs."""


def note(report: Report, what: str, fault: BaseException) -> Path | None:
    """Write down a fault, in the log and in a report; where the report is."""
    log.error("%s: %s", what, bare(fault))
    return report(fault)


def failed(path: Path | None) -> Refusal:
    """The reason with which something ends that this program has broken, with its report."""
    return Refusal("failed") if path is None else Refusal("failed_report", path=str(path))


MB: Final = 1_000_000
ROOM: Final = 20 * MB
"""Bytes; a long game needs a few per cent of it."""


def check_room(folder: Path) -> None:
    """Raises Refusal: `no_room`."""
    if free_space(folder) < ROOM:
        raise no_room(folder)


def no_room(folder: Path) -> Refusal:
    """Nothing can be written there, or too little."""
    return Refusal("no_room", path=str(folder), megabytes=ROOM // MB)
