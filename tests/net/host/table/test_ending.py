"""How a table ends, and what it waits for after a round."""

from pathlib import Path

import pytest

from tests.net.room import Room

from .looking import cosigning


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


def test_the_table_says_for_whose_co_signature_it_waits(tmp_path: Path) -> None:
    """A player who stays and gives none delays the others for a short time, and everybody sees who it is."""
    room = Room(tmp_path, 3).begin()
    cosigning(room)
    n = room.game.n
    for guest in room.players[1:]:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.wait(room.timing.cosign - 3)
    assert room.game.n == n
    assert [guest.client.roster.awaited for guest in room.players[1:]] == [(0,), (0,)]
    room.wait(4)
    cosigned = room.players[1].client.cosigned
    assert cosigned is not None
    assert (cosigned.round, cosigned.missing) == (1, (0,))


def test_with_no_player_connected_a_round_ends_without_signatures(tmp_path: Path) -> None:
    """The host waits for those who have just lost the connection, and signs nothing for them."""
    room = Room(tmp_path, 2).begin()
    cosigning(room)
    n = room.game.n
    for guest in room.players:
        guest.cut()
    room.wait(room.timing.cosign - 2)
    assert room.game.n == n
    room.wait(4)
    assert room.game.host_log.audit.cosigned[0].seats == ()
