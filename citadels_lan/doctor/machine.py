"""Checks of this computer: program, terminal, language, clock and folder."""

import shutil
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from citadels_lan import __version__
from citadels_lan.net.wire.messages import VERSIONS
from citadels_lan.systems.files import data_folder, writable
from citadels_lan.systems.language import system_language
from citadels_lan.systems.system import NAMES, Kind, Terminal, system_kind, terminal
from citadels_lan.texts import Message, msg

State: TypeAlias = Literal["fine", "note", "trouble"]
"""`note`: a table can be hosted and joined, but it is worth knowing. `trouble`: something has to be done."""


class Check(Struct, frozen=True):
    """What was found of one thing. `key` names it for programs, `what` for people; `said` is a sentence with
    `values`; `advice` is a key of ADVICE, "" where nothing is to be done."""

    key: str
    what: Message
    state: State
    said: Message
    values: Mapping[str, object] = MappingProxyType({})
    advice: str = ""


LIBRARIES: Final = ("textual", "zeroconf", "msgpack", "cryptography")
RELEASED: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""No clock that is right says an earlier time than this program was made at."""
ROOM: Final = 20 * 2**20
"""Bytes that a game may want: the journal and the transcripts of nine seats."""
PROGRAM: Final = msg("Program")
SCREEN: Final = msg("Terminal")
FOLDER: Final = msg("Folder")


class Machine(Struct, frozen=True):
    """What is asked of a machine; `free` are the bytes that are free where the program keeps its files, None where
    the folder cannot be written."""

    kind: Kind
    python: str
    libraries: Mapping[str, str]
    terminal: Terminal
    language: str
    now: datetime
    folder: Path
    free: int | None


def machine() -> Machine:
    """This one, now."""
    folder = data_folder()
    return Machine(
        kind=system_kind(),
        python=".".join(map(str, sys.version_info[:3])),
        libraries={name: _version(name) for name in LIBRARIES},
        terminal=terminal(),
        language=system_language(),
        now=datetime.now(UTC),
        folder=folder,
        free=_free(folder),
    )


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "?"


def _free(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free if writable(folder) else None
    except OSError:
        return None


def of_machine(machine: Machine) -> Iterator[Check]:
    """What there is to say of it."""
    yield _program(machine)
    yield _terminal(machine.terminal)
    if machine.terminal.there and not machine.terminal.unicode:
        letters = msg("The terminal takes {encoding}; signs that it does not know are shown as others.")
        yield Check("letters", SCREEN, "note", letters, {"encoding": machine.terminal.encoding}, "letters")
    yield _language(machine.language)
    yield _clock(machine.now)
    yield _folder(machine)
    if machine.kind == "wsl":
        yield Check("wsl", msg("System"), "note", msg("This Linux runs inside Windows."), advice="wsl")


def _program(machine: Machine) -> Check:
    said = msg("citadels-lan {version}, protocol {protocol}, Python {python} on {system}; {libraries}.")
    libraries = ", ".join(f"{name} {version}" for name, version in machine.libraries.items())
    values = {
        "version": __version__,
        "protocol": VERSIONS[1],
        "python": machine.python,
        "system": NAMES[machine.kind],
        "libraries": libraries,
    }
    return Check("program", PROGRAM, "fine", said, values)


def _terminal(there: Terminal) -> Check:
    if not there.there:
        return Check(
            "terminal", SCREEN, "note", msg("Not a terminal: the game is played in lines."), {}, "terminal"
        )
    if there.dumb:
        return Check("terminal", SCREEN, "note", msg("This terminal cannot place signs."), {}, "terminal")
    size = {"columns": there.columns, "rows": there.rows}
    if there.columns < 80 or there.rows < 24:
        small = msg("{columns} columns and {rows} rows; the screens are made for 80 and 24.")
        return Check("terminal", SCREEN, "note", small, size, "small")
    colours = msg("{columns} columns, {rows} rows, with colours.")
    plain = msg("{columns} columns, {rows} rows, without colours (NO_COLOR).")
    return Check("terminal", SCREEN, "fine", colours if there.colours else plain, size)


def _language(code: str) -> Check:
    said = (
        msg("The system speaks {language}.") if code not in ("", "c", "posix") else msg("The system names none.")
    )
    return Check("language", msg("Language"), "fine", said, {"language": code})


def _clock(now: datetime) -> Check:
    values = {"now": now.astimezone().isoformat(sep=" ", timespec="minutes")}
    if now < RELEASED:
        early = msg("The clock says {now}, which is before this program was made.")
        return Check("clock", msg("Clock"), "note", early, values, "clock")
    return Check("clock", msg("Clock"), "fine", msg("The clock says {now}."), values)


def _folder(machine: Machine) -> Check:
    if machine.free is None:
        closed = msg("{folder} cannot be written.")
        return Check("folder", FOLDER, "trouble", closed, {"folder": machine.folder}, "folder")
    values = {"folder": machine.folder, "free": machine.free // 2**20}
    said = msg("{folder}, with {free} MiB free.")
    if machine.free < ROOM:
        return Check("folder", FOLDER, "trouble", said, values, "room")
    return Check("folder", FOLDER, "fine", said, values)
