"""Who is waited for, on a clock of these tests; and who hears of it when somebody is not."""

from pathlib import Path

from citadels_lan.net.host.attendance import Attendance
from citadels_lan.net.host.viewers import Viewer
from citadels_lan.net.wire.ratelimit import Bucket
from tests.net.host.test_table import between
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


def test_whoever_watches_the_table_hears_that_somebody_is_left_out(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    between(room)
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
