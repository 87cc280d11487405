"""The host's disk is full: the game stops, and continues once there is room."""

from pathlib import Path

import pytest

from citadels_lan.crypto.host_log import Written
from tests.net.room import Room


class Disk:
    """A journal on a disk with room for `most` entries. `tried` are the times at which the host tried to write."""

    def __init__(self, room: Room, most: int) -> None:
        self.room = room
        self.most = most
        self.tried: list[float] = []

    def keep(self, written: Written) -> None:
        self.tried.append(self.room.now)
        if len(self.room.journal) >= self.most:
            raise OSError(28, "No space left on device")
        self.room.journal.append(written)


def full_after(folder: Path, moves: int) -> tuple[Room, Disk]:
    """A game after so many moves, whose journal has no more room."""
    room = Room(folder, 2).begin().play(moves)
    disk = Disk(room, len(room.journal))
    room.game._keep = disk.keep
    return room, disk


def halted(room: Room) -> set[str]:
    """Why the clients say that the game is stopped."""
    return {guest.client.notices.halted for guest in room.guests}


def test_full_disk_stops_the_game_until_there_is_room(tmp_path: Path) -> None:
    room, disk = full_after(tmp_path, 3)
    sent = room.move()
    assert sent is not None
    assert not sent.settled
    assert {guest.records.n for guest in room.guests} == {len(room.journal)} == {disk.most}
    room.wait(60)
    anna = room.players[0]
    anna.cut()
    anna.join()
    room.carry()
    assert anna.records.n == len(room.journal)
    assert halted(room) == {"disk_full"}
    assert not any(guest.port.code for guest in room.guests)
    disk.most = 10**9
    room.wait(6)
    assert sent.taken
    assert halted(room) == {""}
    assert room.play().game.closed


@pytest.mark.parametrize("most", [1, 2])
def test_disk_that_is_full_during_the_start_delays_it(tmp_path: Path, most: int) -> None:
    """There is no room for *commits*, or for the first deal with the parts of the seed."""
    room = Room(tmp_path, 2)
    disk = Disk(room, most)
    room.table._keep = disk.keep
    room.begin()
    room.wait(60)
    assert halted(room) == {"disk_full"}
    assert {guest.records.n for guest in room.guests} == {most}
    disk.most = 10**9
    room.wait(6)
    room.carry()
    assert halted(room) == {""}
    assert room.play().game.closed


def test_full_disk_is_tried_again_after_growing_pauses(tmp_path: Path) -> None:
    """After half a second, and then twice as long each time, but after five seconds at most."""
    room, disk = full_after(tmp_path, 3)
    began = room.now
    room.move()
    disk.tried.clear()
    for _ in range(80):
        room.now += 0.25
        room.table.tick(room.now)
        room.carry()
    assert [at - began for at in disk.tried] == [0.5, 1.5, 3.5, 7.5, 12.5, 17.5]
