"""Properties of whole random games with random casts, districts and players."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citadels_lan.engine import DEFAULT, EDITIONS, parse
from citadels_lan.engine.data import Data
from citadels_lan.engine.notation import SEATS, seat_name
from citadels_lan.engine.state import Player, State, Turn
from tests.effort import examples, quick
from tests.engine import checks
from tests.engine.candidates import candidates
from tests.engine.games import Game
from tests.engine.tables import Tables

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", EDITIONS)
of_some_editions = pytest.mark.parametrize("edition", quick(EDITIONS, DEFAULT))
"""Parametrizes slow tests. The quick run plays only the default edition: the others have longer games, or no
cards of their own."""


def game_of(edition: str, seed: int) -> Game:
    """Return a random game of an edition, with any of its options."""
    return Game(seed, tables=Tables((edition,)))


def shared(full: int) -> settings:
    """Return settings with the part of `full` examples that each edition gets, at least one."""
    return examples(full // len(EDITIONS), least=1)


def test_copied_state_shares_no_list() -> None:
    state = State("2016", (), (), [Player()], [], turn=Turn(0, "king"), paused=Turn(0, "witch"))
    copied = state.copy()
    assert copied == state
    for one, other in zip(records(state), records(copied), strict=True):
        lists = [name for name, value in one.fields().items() if isinstance(value, list)]
        assert lists
        assert all(getattr(one, name) is not getattr(other, name) for name in lists)


def records(state: State) -> list[Data]:
    assert state.turn is not None
    assert state.paused is not None
    return [state, *state.players, state.turn, state.paused]


@of_each_edition
@shared(40)
@given(seed=seeds)
def test_every_game_ends_and_keeps_all_cards_and_gold(edition: str, seed: int) -> None:
    checks.keeps_cards_and_gold(game_of(edition, seed))


@of_some_editions
@shared(16)
@given(seed=seeds)
def test_view_of_the_next_state_equals_the_evolved_view(edition: str, seed: int) -> None:
    checks.square_commutes(game_of(edition, seed))


@of_some_editions
@shared(16)
@given(seed=seeds)
def test_exactly_the_listed_moves_are_accepted(edition: str, seed: int) -> None:
    checks.listed_is_accepted(game_of(edition, seed), every=0.2)


@of_each_edition
@shared(16)
@given(seed=seeds)
def test_unchecked_listed_move_has_the_same_events_as_a_checked_one(edition: str, seed: int) -> None:
    checks.listed_plays_as_any_other(game_of(edition, seed))


@examples(8, least=1)
@given(seed=seeds)
def test_candidate_moves_are_parsed_as_they_are_written(seed: int) -> None:
    """With nine players, every letter of the notation is a seat. The notation of a move never names the
    mover's own city by the mover's letter."""
    game = Game(seed, Tables(("citta_comune",)).draw(random.Random(seed), len(SEATS)))
    for _ in range(game.rng.randrange(500)):
        game.step()
    for seat in range(len(SEATS)):
        for action in candidates(game.rng, game.state, seat):
            assert f"{seat_name(seat)}." not in str(action)


@of_each_edition
@shared(40)
@given(seed=seeds)
def test_listed_moves_are_parsed_as_they_are_written(edition: str, seed: int) -> None:
    game = game_of(edition, seed)
    while game.state.phase != "over":
        asked = game.asked()
        if asked is not None:
            seat, choices = asked
            offered = sorted(checks.listed(choices) or (), key=str)
            for action in game.rng.sample(offered, min(5, len(offered))):
                assert parse(str(action), seat) == action
        game.step()
