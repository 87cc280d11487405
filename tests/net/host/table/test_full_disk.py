"""A disk that is full pauses the table."""

from pathlib import Path

import pytest

from citadels_lan.crypto.host_log import Written
from tests.net.room import Room


class Disk:
    """A journal on a disk that may be full, and has room for at most so many entries."""

    def __init__(self, journal: list[Written], most: int = 10**9) -> None:
        self.journal = journal
        self.most = most
        self.full = False

    def keep(self, written: Written) -> None:
        if self.full or len(self.journal) >= self.most:
            raise OSError(28, "No space left on device")
        self.journal.append(written)


def test_a_full_disk_pauses_the_table_and_everybody_hears_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    disk = Disk(room.journal)
    room.game._keep = disk.keep
    disk.full = True
    before = len(room.journal)
    sent = room.move()
    assert sent is not None
    assert not sent.settled
    assert len(room.journal) == before
    assert {guest.client.records.n for guest in room.guests} == {before}
    room.wait(60)
    assert {guest.client.notices.halted for guest in room.guests} == {"disk_full"}
    assert not any(guest.port.code for guest in room.guests)
    disk.full = False
    room.wait(6)
    assert sent.taken
    assert {guest.client.notices.halted for guest in room.guests} == {""}
    assert room.play().game.closed


@pytest.mark.parametrize("most", [1, 2])
def test_a_disk_that_is_full_during_the_start_delays_it(tmp_path: Path, most: int) -> None:
    """There is no room for *commits*, or for the first deal with the parts of the seed."""
    room = Room(tmp_path, 2)
    disk = Disk(room.journal, most)
    room.table._keep = disk.keep
    room.begin()
    room.wait(60)
    assert {guest.client.notices.halted for guest in room.guests} == {"disk_full"}
    assert {guest.client.records.n for guest in room.guests} == {most}
    disk.most = 10**9
    room.wait(6)
    room.carry()
    assert {guest.client.notices.halted for guest in room.guests} == {""}
    assert room.play().game.closed


def test_whoever_comes_back_to_a_full_disk_is_told_what_is_on_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    disk = Disk(room.journal)
    room.game._keep = disk.keep
    disk.full = True
    room.move()
    anna = room.players[0]
    anna.cut()
    anna.open()
    anna.join()
    room.carry()
    assert anna.client.records.n == len(room.journal)
    assert anna.client.notices.halted == "disk_full"
