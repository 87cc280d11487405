"""When a host whose disk is full tries it again."""

from pathlib import Path

from citadels_lan.crypto.host_log import Written
from tests.net.room import Room


def test_a_full_disk_is_tried_again_later_and_later(tmp_path: Path) -> None:
    """After half a second, and then twice as long each time, but for five seconds at most."""
    room = Room(tmp_path, 2).begin().play(3)
    began, tried = room.now, list[float]()

    def full(written: Written) -> None:
        tried.append(room.now - began)
        raise OSError(28, "No space left on device")

    room.game._keep = full
    room.move()
    tried.clear()
    for _ in range(80):
        room.now += 0.25
        room.table.tick(room.now)
        room.carry()
    assert tried == [0.5, 1.5, 3.5, 7.5, 12.5, 17.5]
