"""One answer to the question whose move it is, for the engine, the host, every client and every front end."""

from pathlib import Path

import pytest

from citadels_lan.engine import acting, decisions
from tests.effort import quick

from .room import Room


@pytest.mark.parametrize("players", quick([2, 4], 2))
def test_host_and_clients_agree_on_whose_move_it_is(tmp_path: Path, players: int) -> None:
    room = Room(tmp_path, players).begin()
    watcher = room.watch("Wanda")
    asked = 0
    while not room.game.closed:
        seats = acting(room.game.state)
        assert seats == tuple(decisions(room.game.state))
        for guest in (*room.players, watcher):
            assert guest.client.state is not None
            assert acting(guest.client.state) == seats
            assert guest.client.may_move == (guest.client.seat in seats)
        assert bool(seats) != bool(room.game.awaited)
        asked += len(seats)
        if room.move() is None:
            break
    assert asked > 100
    assert acting(room.game.state) == ()
    assert room.game.awaited == ()
