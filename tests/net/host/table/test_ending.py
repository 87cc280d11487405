"""How a table ends, and what it waits for between rounds."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import Beacons, Present, decode_entry
from tests.net.room import Room

from .looking import between


def test_the_end_waits_for_who_has_lost_the_connection(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(20)
    anna, bruno = room.players
    room.play()
    assert room.table.over
    # The host is killed at the very end, and does not know who has all of it.
    room.restart()
    assert not room.table.over
    anna.join()
    room.carry()
    assert not room.table.over
    room.wait(5)
    bruno.join()
    room.carry()
    assert room.table.over


@pytest.mark.slow
def test_the_end_does_not_wait_for_ever(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play()
    room.restart()
    looks: list[bool] = []
    room.table.changed = lambda: looks.append(room.table.over)
    room.wait(room.timing.drop + 2)
    assert looks[0] is False
    assert looks[-1] is True


def test_a_round_does_not_begin_while_nobody_is_there(tmp_path: Path) -> None:
    """Its chance would be the host's alone. Whoever comes back first is waited for no longer than usual."""
    room = Room(tmp_path, 3).begin()
    between(room)
    n = room.game.n
    for guest in room.players:
        guest.cut()
        guest.records.close()
    room.wait(3 * room.timing.drop)
    assert room.game.n == n
    anna = room.players[0]
    anna.open()
    anna.join()
    room.wait(2)
    present, beacons = (decode_entry(written.public) for written in room.journal[n : n + 2])
    assert isinstance(present, Present)
    assert present.present == 1
    assert isinstance(beacons, Beacons)


def test_the_table_says_for_whose_share_it_waits(tmp_path: Path) -> None:
    """One who stays and gives none holds everybody up, and everybody sees who it is; who leaves is left out."""
    room = Room(tmp_path, 3).begin()
    between(room)
    n = room.game.n
    for guest in room.players[1:]:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.wait(10 * room.timing.drop)
    assert room.game.n == n
    assert [guest.client.company.awaited for guest in room.players[1:]] == [(0,), (0,)]
    room.players[0].cut()
    room.wait(room.timing.drop + 2)
    cosigned = room.players[1].client.chronicle.cosigned
    assert cosigned is not None
    assert (cosigned.round, cosigned.left_out) == (2, (0,))
