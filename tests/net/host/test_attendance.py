"""Who is waited for, on a clock of these tests; and who hears of it when somebody is not."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import Agreement, CoSignature
from citadels_lan.net.host.audience import Attendance, Viewer
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import (
    FROM_HOST,
    CheckWord,
    Cosign,
    Message,
    Play,
    Refused,
    SeedCommit,
    SeedPart,
    Start,
    decode,
)
from citadels_lan.net.wire.ratelimit import Bucket
from tests.net.host.table.looking import cosigning
from tests.net.room import Port, Room

ANNA, BEA, CARLA = b"anna", b"bea", b"carla"


def test_whoever_has_gone_is_waited_for_so_long_and_no_longer() -> None:
    table = Attendance(30.0)
    table.left(ANNA, 100.0)
    table.left(BEA, 110.0)
    assert table.overdue(130.0) == []
    assert table.overdue(130.1) == [ANNA]
    assert table.overdue(140.1) == [ANNA, BEA]


def test_whoever_comes_back_is_not_overdue() -> None:
    table = Attendance(30.0)
    table.left(ANNA, 100.0)
    table.back(ANNA)
    table.back(BEA)
    assert table.overdue(1000.0) == []
    table.left(ANNA, 1000.0)
    assert table.overdue(1030.0) == []


def test_of_whoever_was_never_here_the_time_begins_when_one_looks() -> None:
    table = Attendance(30.0)
    table.left(ANNA, 100.0)
    assert table.missing([ANNA, BEA], 120.0) == []
    assert table.missing([ANNA, BEA], 131.0) == [ANNA]
    assert table.missing([BEA], 150.0) == []
    assert table.missing([BEA], 151.0) == [BEA]
    assert table.missing([CARLA], 151.0) == []


def seen(**known: float) -> Viewer:
    bucket = Bucket(1, 1)
    fields = {"heard": 100.0, "progress": 100.0} | known
    sent, acked = int(fields.pop("sent", 0)), int(fields.pop("acked", 0))
    return Viewer(
        ANNA, "Anna", True, Port(), fields["heard"], fields["progress"], bucket, bucket, bucket, 0, sent, acked
    )


def test_silence_is_counted_from_what_was_owed() -> None:
    """Whoever answers but acknowledges nothing new is silent, if there is something new."""
    assert seen().silent(110.0) == 10.0
    assert seen(heard=108.0).silent(110.0) == 2.0
    assert seen(heard=108.0, sent=5, acked=5).silent(110.0) == 2.0
    assert seen(heard=108.0, sent=5, acked=4).silent(110.0) == 10.0
    assert seen(heard=101.0, progress=109.0, sent=5, acked=4).silent(110.0) == 9.0


def test_the_table_reports_a_change_that_time_brings(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    cosigning(room)
    for guest in room.players[1:]:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()
    room.players[0].cut()
    looked: list[int] = []
    room.table.changed = lambda: looked.append(room.game.n)
    n = room.game.n
    while room.game.n == n:
        room.now += 1
        room.table.tick(room.now)
    assert looked[-1] == room.game.n > n


OF_A_SEAT: tuple[Message, ...] = (
    SeedCommit(Agreement(bytes(32), (), bytes(64))),
    SeedPart(bytes(32)),
    Cosign(3, CoSignature(0, bytes(32), 0, bytes(64)), ()),
    CheckWord(4, bytes(16)),
    Play(4, "gather gold", bytes(64), ()),
)
"""What only a seat may send in a game."""


@pytest.mark.parametrize("message", OF_A_SEAT, ids=lambda message: type(message).__name__)
def test_what_only_a_seat_may_send_is_not_taken_from_a_spectator(tmp_path: Path, message: Message) -> None:
    """Also where the table waits for just that."""
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    watcher = room.watch("Wanda")
    for guest in room.players:
        room.table.lobby.ready(guest.identity.public, True)
        guest.hear = lambda: False  # type: ignore[method-assign]  # so nobody gives a commitment
    room.players[0].say(Start())
    n = room.game.n
    assert watcher.viewer is not None
    watcher.port.all.clear()
    room.table.receive(watcher.viewer, message, room.now)
    (refused,) = [frame for frame in Decoder(KNOWN).feed(bytes(watcher.port.all)) if frame.type == Refused.type]
    said = decode(refused, FROM_HOST)
    assert isinstance(said, Refused)
    assert (said.about, said.code) == (message.type, "spectator")
    assert room.game.n == n
    assert room.game.awaited == (0, 1)
