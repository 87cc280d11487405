"""Limits of a table: seats, the window, silence, spectators, the end."""

import tempfile
from collections.abc import AsyncGenerator, Sequence
from functools import cache
from pathlib import Path

import pytest

from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.client.connection import QUIET, Connection
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.client.updates import Away
from citadels_lan.net.host.audience import WINDOW
from citadels_lan.net.join.handshake import Applicant, Profile
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Resync,
    Snapshot,
)
from citadels_lan.net.wire.timing import Timing
from tests.net.host.table.looking import updates
from tests.net.room import Guest, Port, Room

from .at_the_door import Sink, linked
from .stated import provokes


@provokes("a seat in the lobby")
def _(folder: Path) -> None:
    room = Room(folder, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.cut()
    room.wait(30)
    assert len(room.table.lobby.places) == 2
    room.wait(1)
    assert len(room.table.lobby.places) == 1


@cache
def journal() -> list[Written]:
    """That of a game with more entries than the window, played once for all who resume it."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder), 6).begin()
        while room.game.n <= WINDOW:
            assert room.move() is not None
        return room.journal


def deaf(folder: Path, n: int) -> tuple[Room, Guest]:
    """A table with so many entries, resumed, and a spectator who joins and hears nothing yet."""
    room = Room(folder, 6)
    room.journal[:] = journal()
    room.guests = [Guest(room, "Player 0")]
    room.restart(n)
    return room, Guest(room, "Wanda", player=False)


def sent_to(guest: Guest) -> list[int]:
    return [frame.type for frame in Decoder(KNOWN).feed(bytes(guest.port.all))]


@provokes("the window")
def _(folder: Path) -> None:
    room, wanda = deaf(folder, WINDOW + 1)
    wanda.join()
    assert WINDOW == 256
    assert sent_to(wanda).count(ENTRY) == 256
    room.guests.append(wanda)
    room.carry()
    assert wanda.records.n == room.game.n


@provokes("a snapshot")
def _(folder: Path) -> None:
    room, wanda = deaf(folder, 256)
    assert Snapshot.type not in sent_to(wanda.join())
    (folder / "later").mkdir()
    room, wanda = deaf(folder / "later", 257)
    assert Snapshot.type in sent_to(wanda.join())
    anna = room.players[0].join()
    for behind, comes in ((256, False), (257, True)):
        n = room.game.n - behind
        head = room.game.host_log._heads[n]
        anna.port.all.clear()
        assert anna.viewer is not None
        room.table.receive(anna.viewer, Resync(n, head), room.now)
        assert (Snapshot.type in sent_to(anna)) is comes


@provokes("pings")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna = room.players[0]
    room.wait(1)
    anna.port.all.clear()
    room.wait(50)
    assert 25 <= sent_to(anna).count(FROM_HOST[10].type) <= 34
    assert Timing().ping == 1.5


@provokes("silence")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna, bea = room.players
    assert bea.viewer is not None
    since = room.now - bea.viewer.heard
    room.wait(10 - since, deaf=(bea,))
    assert updates(anna, Away) == []
    room.wait(1, deaf=(bea,))
    assert updates(anna, Away) == [Away(1, True)]
    room.wait(19, deaf=(bea,))
    assert bea.port.code == ""
    room.wait(1, deaf=(bea,))
    assert bea.port.code == "dropped"


@provokes("a silent host")
async def _(folder: Path) -> None:
    anna = Room(folder, 2).begin().players[0]
    asked: list[bytes] = []

    async def locate(game: bytes) -> AsyncGenerator[Sequence[tuple[str, int]], None]:
        asked.append(game)
        yield ()

    there, timing = (("127.0.0.1", 1),), Timing(ping=0.02)
    who = (Profile("Anna"), anna.identity, folder, folder)
    request = JoinRequest(*who, addresses=there, timing=timing, locate=locate)
    connection = Connection(request, lambda: None)
    connection.client = anna.client
    connection._link = linked(Sink(), 5)
    assert not anna.client.owes_ack
    connection._joined = True
    with pytest.raises(TimeoutError):
        await connection.follow()
    assert asked == [anna.records.game.id]
    assert QUIET * Timing().ping == 4.5


@provokes("a silent host is given up")
def _() -> None:
    """That it is: see above."""
    assert 2 * QUIET * Timing().ping == 9


@provokes("spectators")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    room.seat("Anna", "Bea")
    records = Guest(room, "W199", player=False).join().records
    for number in range(199):
        key, name = bytes([number]) * 32, f"W{number}"
        who = Applicant(key, name, "spectator", SeatKind.PLAYER, 0, records.head, records.said)
        room.table.join(who, Port(), room.now, f"10.0.0.{number}")
    with pytest.raises(Refusal) as turned:
        Guest(room, "W200", player=False).join()
    assert turned.value.code == "spectators_full"
    again = Guest(room, "W199", player=False).join()
    assert again.viewer in room.table.viewers, "whoever comes back takes the own place"
    assert len(room.table.viewers) == 202


@provokes("the end")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna, _ = room.players
    room.play()
    room.restart()
    room.wait(1)
    anna.join()
    room.carry()
    room.wait(29)
    assert not room.table.over
    room.wait(3)
    assert room.table.over
