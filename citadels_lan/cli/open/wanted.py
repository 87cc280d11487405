"""What game to open: plain data, so that a program that only joins a game imports nothing of the host."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from citadels_lan.net.client.succession import MakeHeir
    from citadels_lan.net.host.lobby import Admission
    from citadels_lan.net.host.opening import OpenTable
    from citadels_lan.net.host.substitutes import Takeover
    from citadels_lan.net.wire.messages import Settings
    from citadels_lan.web.beside import WebGuests

PAUSE: Final = 0.7
"""Seconds that a bot waits before each move where people look on."""
CALM: Final = 1.2
"""And where one of them is learning the game and reads."""


@dataclass(frozen=True)
class Wanted:
    """A table to open: `levels` are its bots, `name` its person's. Where that is None nobody sits here, and the
    game begins by itself once all are there.

    `announce`: tell the network; else only who knows the game already. `title` is what it is told ("": the owner's
    name), `port` None the usual one, `before` the one of the last table of the same people, `resume` the journal
    of a game to go on with. `pause` are seconds before each move of a bot. `begin`: all seats are taken by now,
    and the game begins. `code` is what lets friends in, as `open_table` wants it; on this machine alone nobody is
    asked for one. `admission` is that of the last table, for a rematch. `people` are keys with names for whom
    seats are kept. `once_open` is done before anybody of this program sits down. `received`: the
    host of the game `resume` has just handed it over to this program; `heir` makes what takes such a game over.
    `takeover` says when bots move for players who are gone; None: never. `clock` is the soft time for a decision,
    in seconds; 0 for none. `web` lets guests come with a browser."""

    settings: "Settings"
    levels: tuple[str, ...]
    name: str | None
    data: Path
    out: Path
    network: bool = True
    announce: bool = True
    title: str = ""
    port: int | None = None
    before: int | None = None
    resume: Path | None = None
    pause: float = 0.0
    begin: bool = False
    code: str | None = field(default="", repr=False)
    admission: "Admission | None" = None
    takeover: "Takeover | None" = None
    clock: int = 0
    people: tuple[tuple[bytes, str], ...] = ()
    web: "WebGuests | None" = None
    received: bool = False
    heir: "MakeHeir | None" = None
    once_open: "Callable[[OpenTable], Awaitable[None]] | None" = None
