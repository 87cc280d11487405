"""Whole games with a sealed draft in one place: the host knows nothing, and whoever crashes goes on."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from citadels_lan.crypto.transcript import read
from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.events import Offered, Picked
from citadels_lan.net.client.updates import Happened, Update
from tests.effort import quick

from .rooms import away_at_a_call, crash, everybody_back, held, sealed, sealed_room, unseen, verified

GAMES = [(4, "2016"), (2, "2016"), (3, "2016"), (7, "2016"), (8, "2016"), (4, "classic"), (4, "dark_city")]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), quick(GAMES, (2, "2016")))
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


def test_whole_game_leaves_nothing_that_only_its_players_can_open(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(2)).play()
    assert room.game.closed
    paths = [guest.records.path for guest in room.players]
    assert [path and read(path).own for path in paths] == [(), ()]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whoever_crashed_has_its_picks_again(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        known = [guest.client.state for guest in room.players]
        for guest in room.players:
            crash(guest)
            room.carry()
        assert [guest.client.state for guest in room.players] == known
        room.play(1)
    room.play()
    assert verified(room) == (0, [])


def told(updates: Iterable[Update]) -> list[tuple[Event, ...]]:
    """What has come of each entry, as a client was told it."""
    return [one.events for one in updates if isinstance(one, Happened)]


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 3, 4, 7), 2))
def test_whoever_crashed_is_told_the_same_of_the_past(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    while room.game.state.round < 4:
        room.play(1)
    for guest in room.players:
        before = told(guest.client.updates)
        crash(guest)
        assert told(guest.client.past) == before
        events = [event for events in before for event in events]
        own = [one for one in events if isinstance(one, (Offered, Picked)) and one.seat == guest.client.seat]
        assert own
        assert not any(HIDDEN in (*one.fields().values(), *one.fields().get("packet", ())) for one in own)
    room.carry()
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 4), 2))
def test_a_host_that_was_killed_goes_on_in_the_middle_of_a_draft(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        state, head = room.game.state, room.game.head
        everybody_back(room)
        assert (room.game.state, room.game.head) == (state, head)
        assert {guest.records.head for guest in room.guests} == {head}
        room.play(1)
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_host_that_was_killed_at_a_call_goes_on_with_it(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(4)
    away_at_a_call(room)
    n, inquiry = room.game.n, room.game.state.inquiry
    assert inquiry is not None
    everybody_back(room)
    assert room.game.n > n
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_call_waits_for_a_player_who_is_away(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(4)
    away = away_at_a_call(room)
    n = room.game.n
    room.wait(20 * room.timing.drop)
    assert room.game.n == n
    away.join()
    room.carry()
    assert room.game.n > n
    room.play()
    assert verified(room) == (0, [])
