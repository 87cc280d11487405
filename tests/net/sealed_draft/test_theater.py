"""Exchanges of characters with the Theater at a table with a sealed draft."""

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.engine import HIDDEN
from citadels_lan.net.client.own_view import Drafting
from citadels_lan.net.client.updates import Happened
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.net.room import Guest

from .rooms import GAMES, exchange, finish, held, theater


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """The Theater is the first card of the deck."""
    with theater_on_top():
        yield


def concealed(guest: Guest) -> list[str]:
    """The hidden characters of a seat, as its client knows them."""
    return sorted(guest.state.players[guest.seat].concealed)


@pytest.mark.parametrize("players", quick(GAMES, 2))
def test_exchange_moves_characters_and_is_the_same_after_a_restart(tmp_path: Path, players: int) -> None:
    room, owner, other = theater(tmp_path / "table", players)
    before = concealed(owner), concealed(other)
    with mock.patch.object(Drafting, "asked", return_value=None):  # so no client replies to the next call
        assert owner.act(exchange(owner, other)).refusal is None
        after = concealed(owner), concealed(other)
    assert after != before
    assert sorted(after[0] + after[1]) == sorted(before[0] + before[1])
    assert HIDDEN not in held(owner) + held(other)
    if players > 3:
        assert after == before[::-1]
    for guest in room.players:
        sent = [one.events for one in guest.client.updates if isinstance(one, Happened)]
        guest.restart()
        assert [one.events for one in guest.client.past if isinstance(one, Happened)] == sent
    room.carry()
    finish(room)
