"""Limits of what is said: names, chat, noise, requests."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import Malformed, pack, pad, typed, unpack
from citadels_lan.engine import TableConfig, Unplayable
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.wire import link as links
from citadels_lan.net.wire.clean import sign_line
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    FROM_CLIENT,
    FROM_HOST,
    ChatSaid,
    Message,
    Ready,
    Resync,
    Say,
    Settings,
    decode,
)
from citadels_lan.net.wire.timing import Timing
from tests.net.host.table.looking import refusals, updates
from tests.net.room import Guest, Room

from .at_the_door import Sink, linked
from .stated import malformed, provokes


@provokes("players")
def _() -> None:
    for players in (2, 9):
        cast = ("king",) if players < 8 else ()
        assert typed(unpack(pack(TableConfig(players, cast))), TableConfig).players == players
    for players in (1, 10):
        with pytest.raises((Refusal, Malformed, Unplayable)):
            Lobby(typed(unpack(pack(Settings(TableConfig(players)))), Settings))


def said(kind: type[Message], known: dict[int, type[Message]], *fields: object) -> Message:
    return decode(Frame(kind.type, pad(pack(list(fields)))), known)


@provokes("a name")
def _() -> None:
    def hello(name: str) -> Message:
        fields = (
            "citadels-lan",
            1,
            1,
            bytes(32),
            "citadels-lan 1",
            (),
            bytes(32),
            "player",
            name,
            bytes(32),
            SeatKind.PLAYER,
        )
        return said(FROM_CLIENT[1], FROM_CLIENT, *fields)

    assert hello("x" * 24)
    malformed(hello, "x" * 25)
    malformed(hello, "")
    welcome = FROM_HOST[8]
    assert said(welcome, FROM_HOST, 0, False, 0, "x" * 24)
    malformed(said, welcome, FROM_HOST, 0, False, 0, "x" * 25)


@provokes("a line of chat")
def _() -> None:
    assert said(Say, FROM_CLIENT, 1, "x" * 240, bytes(64))
    malformed(said, Say, FROM_CLIENT, 1, "x" * 241, bytes(64))
    malformed(said, Say, FROM_CLIENT, 1, "", bytes(64))
    told: tuple[object, ...] = (None, "Wanda", bytes(32), 1)
    assert said(ChatSaid, FROM_HOST, *told, "x" * 240, bytes(64))
    malformed(said, ChatSaid, FROM_HOST, *told, "x" * 241, bytes(64))


@provokes("noise")
def _() -> None:
    """That it is random: `tests/net/test_times_and_sizes.py`."""
    assert Timing().noise == 2


@provokes("what waits to be sent")
async def _() -> None:
    assert links.BACKLOG == 1024 * 1024
    sink = Sink()
    link = linked(sink, 5)
    link.send(bytes(1024 * 1024))
    assert (sink.aborted, link.closed_as) == (False, None)
    link.send(b"x")
    assert (sink.aborted, link.closed_as) == (True, "behind")


@provokes("chat")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    anna, bea = room.seat("Anna", "Bea")
    number = 0

    def said_by_anna(lines: int) -> int:
        nonlocal number
        for _ in range(lines):
            number += 1
            anna.say(spoken(anna, number, "ciao"))
        return len(updates(bea, Chatted))

    assert said_by_anna(6) == 5
    assert refusals(anna) == ["too_fast"]
    room.now += 1
    assert said_by_anna(3) == 1
    room.now += 100
    assert said_by_anna(9) == 5, "what was not said is not saved up"


def spoken(guest: Guest, number: int, text: str) -> Say:
    """A line of chat of a guest, its `number`th."""
    game = guest.game
    return Say(number, text, sign_line(guest.identity, game.id, game.fp, number, text))


@provokes("requests")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    anna, _ = room.seat("Anna", "Bea")

    def done(count: int) -> int:
        for number in range(count):
            anna.say(Ready(number % 2 == 0))
        return count - len(refusals(anna))

    assert done(25) == 20
    room.now += 1
    assert done(9) == 5
    room.now += 100
    begun = Room(folder, 2).begin()
    bea, n, head = begun.players[1], begun.game.n, begun.game.head
    assert bea.viewer is not None
    begun.now += 100
    for _ in range(25):
        begun.table.receive(bea.viewer, Resync(n, head), begun.now)
    begun.carry()
    assert refusals(bea) == ["too_fast"] * 5
