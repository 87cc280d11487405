"""Whole games with a sealed draft in one place: they verify, the host knows nothing, and whoever crashes goes on."""

from pathlib import Path

import pytest

from citadels_lan.engine import HIDDEN, acting
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import held, sealed, sealed_room, unseen, verified

GAMES = [(4, "2016"), (2, "2016"), (3, "2016"), (7, "2016"), (8, "2016"), (4, "classic"), (4, "dark_city")]


@pytest.mark.parametrize(("players", "edition"), quick(GAMES, (4, "2016"), (2, "2016")))
def test_a_whole_game(tmp_path: Path, players: int, edition: str) -> None:
    room = sealed_room(tmp_path / "table", sealed(players, edition))
    picked = 0
    while room.move() is not None:
        assert unseen(room)
        for guest in room.players:
            assert HIDDEN not in held(guest)
            picked += len(held(guest))
    assert picked
    assert room.game.closed
    assert verified(room) == (0, [])
