"""Limits of a table: seats, names, requests, the window, silence, spectators, the end."""

import tempfile
from collections.abc import AsyncGenerator, Sequence
from functools import cache
from pathlib import Path

import pytest

from citadels_lan.crypto.codec import Malformed, pack, pad, typed, unpack
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import TableConfig, Unplayable
from citadels_lan.net.client.connection import Connection, JoinRequest
from citadels_lan.net.client.updates import Away, Chatted
from citadels_lan.net.host.audience import WINDOW
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.join.handshake import Applicant, Profile
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_CLIENT,
    FROM_HOST,
    ChatSaid,
    Frame,
    Hello,
    Message,
    Ping,
    Ready,
    Resync,
    Say,
    Settings,
    Snapshot,
    Welcome,
    decode,
)
from citadels_lan.net.wire.timing import Timing
from tests.net.room import Guest, Port, Room, refusals, rejects, talk, updates

from .of_joining import Sink, linked
from .stated import limit, malformed

# Names and requests


@limit("players 2 to 9")
def _() -> None:
    for players in (2, 9):
        cast = ("king",) if players < 8 else ()
        assert typed(unpack(pack(TableConfig(players, cast))), TableConfig).players == players
    for players in (1, 10):
        with pytest.raises((Refusal, Malformed, Unplayable)):
            Lobby(typed(unpack(pack(Settings(TableConfig(players)))), Settings))


def read(kind: type[Message], known: dict[int, type[Message]], *fields: object) -> Message:
    """Decode a message of a kind with these fields. Raises Malformed."""
    return decode(Frame(kind.type, pad(pack(list(fields)))), known)


@limit("name 1 to 24 characters")
def _() -> None:
    def hello(name: str) -> Message:
        versions = ("citadels-lan", 1, 1, bytes(32), "citadels-lan 1", (), bytes(32))
        return read(Hello, FROM_CLIENT, *versions, "player", name, bytes(32), SeatKind.PLAYER)

    assert hello("x" * 24)
    malformed(hello, "x" * 25)
    malformed(hello, "")
    assert read(Welcome, FROM_HOST, 0, False, 0, "x" * 24)
    malformed(read, Welcome, FROM_HOST, 0, False, 0, "x" * 25)


@limit("a line has 1 to 240 characters")
def _() -> None:
    assert read(Say, FROM_CLIENT, 1, "x" * 240, bytes(64))
    malformed(read, Say, FROM_CLIENT, 1, "x" * 241, bytes(64))
    malformed(read, Say, FROM_CLIENT, 1, "", bytes(64))
    assert read(ChatSaid, FROM_HOST, None, "Wanda", bytes(32), 1, "x" * 240, bytes(64))
    malformed(read, ChatSaid, FROM_HOST, None, "Wanda", bytes(32), 1, "x" * 241, bytes(64))


@limit("five lines at once, then one a second")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    anna, bea = room.seat("Anna", "Bea")

    def heard(lines: int) -> int:
        for _ in range(lines):
            talk(anna, "ciao")
        return len(updates(bea, Chatted))

    assert heard(6) == 5
    assert refusals(anna) == ["too_fast"]
    room.now += 1
    assert heard(3) == 1
    room.now += 100
    assert heard(9) == 5


@limit("20 at once, then five a second")
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
    begun = Room(folder, 2).begin()
    bea = begun.players[1]
    begun.now += 100
    for _ in range(25):
        bea.tell(Resync(begun.game.n, begun.game.head))
    begun.carry()
    assert refusals(bea) == ["too_fast"] * 5


# Entries and snapshots


@cache
def journal() -> list[Written]:
    """Return the entries of a game that has more of them than the window for a viewer. All tests resume this
    one."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder), 6).begin()
        while room.game.n <= WINDOW:
            assert room.move() is not None
        return room.journal


def resumed(folder: Path, n: int) -> tuple[Room, Guest]:
    """Return a table that is resumed with `n` entries, and a spectator who has not joined."""
    room = Room(folder, 6)
    room.journal[:] = journal()
    room.guests = [Guest(room, "Player 0")]
    room.restart(n)
    return room, Guest(room, "Wanda", player=False)


@limit("256 entries ahead of the last ack")
def _(folder: Path) -> None:
    room, wanda = resumed(folder, WINDOW + 1)
    assert WINDOW == 256
    assert wanda.join().received.count(ENTRY) == 256
    room.guests.append(wanda)
    room.carry()
    assert wanda.records.n == room.game.n


@limit("If a viewer lacks more than 256 entries, a *snapshot* for the screen comes first")
def _(folder: Path) -> None:
    room, wanda = resumed(folder, 256)
    assert Snapshot.type not in wanda.join().received
    (folder / "later").mkdir()
    room, wanda = resumed(folder / "later", 257)
    assert Snapshot.type in wanda.join().received
    anna = room.players[0].join()
    for behind in (256, 257):
        n = room.game.n - behind
        anna.port.all.clear()
        anna.tell(Resync(n, room.game.host_log.heads[n]))
        assert (Snapshot.type in anna.received) == (behind > 256)


# Time


@limit("a player who is away for 30 seconds loses the seat")
def _(folder: Path) -> None:
    room = Room(folder, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.cut()
    room.wait(30)
    assert len(room.table.lobby.places) == 2
    room.wait(1)
    assert len(room.table.lobby.places) == 1


@limit("ping every 1.5 seconds")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    room.wait(1)
    room.players[0].port.all.clear()
    room.wait(50)
    assert 25 <= room.players[0].received.count(Ping.type) <= 34


@limit("away after 10 seconds of silence, dropped after 30")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna, bea = room.players
    room.wait(10 - (room.now - bea.connected.heard), deaf=(bea,))
    assert updates(anna, Away) == []
    room.wait(1, deaf=(bea,))
    assert updates(anna, Away) == [Away(1, True)]
    room.wait(19, deaf=(bea,))
    assert bea.port.code == ""
    room.wait(1, deaf=(bea,))
    assert bea.port.code == "dropped"
    bea.join()
    room.carry()
    assert updates(anna, Away) == [Away(1, False)]


@limit("after 4.5 seconds the client looks for the host")
async def _(folder: Path) -> None:
    anna = Room(folder, 2).begin().players[0]
    asked: list[bytes] = []

    async def locate(game: bytes) -> AsyncGenerator[Sequence[tuple[str, int]], None]:
        asked.append(game)
        yield ()

    who = (Profile("Anna"), anna.identity, folder, folder)
    request = JoinRequest(*who, addresses=(("127.0.0.1", 1),), timing=Timing(ping=0.02), locate=locate)
    connection = Connection(request, lambda: None)
    connection.client, connection._link, connection._joined = anna.client, linked(Sink(), 5), True
    assert not anna.client.owes_ack
    with pytest.raises(TimeoutError):
        await connection.follow()
    assert asked == [anna.records.game.id]


@limit("spectators 200")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    room.seat("Anna", "Bea")
    records = Guest(room, "W199", player=False).join().records
    for number in range(199):
        key, name = bytes([number]) * 32, f"W{number}"
        who = Applicant(key, name, "spectator", SeatKind.PLAYER, 0, records.head, records.said)
        room.table.join(who, Port(), room.now, f"10.0.0.{number}")
    with rejects("spectators_full"):
        Guest(room, "W200", player=False).join()
    again = Guest(room, "W199", player=False).join()
    assert again.viewer in room.table.audience.viewers, "a spectator who returns replaces the old connection"
    assert len(room.table.audience.viewers) == 202


@limit("or is away for 30 seconds")
def _(folder: Path) -> None:
    """At the end the host waits this long for a player who has not received all entries."""
    room = Room(folder, 2).begin().play()
    assert room.table.over
    room.restart()
    room.wait(1)
    room.players[0].join()
    room.carry()
    room.wait(29)
    assert not room.table.over
    room.wait(3)
    assert room.table.over
