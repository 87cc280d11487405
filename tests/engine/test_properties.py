"""What holds in every game: properties over whole random games with random casts, districts and players."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citadels_lan.engine import (
    DEFAULT,
    EDITIONS,
    Deal,
    State,
    decide,
    decisions,
    encode_event,
    evolve,
    parse,
    redact,
    refusal,
    view,
)
from citadels_lan.engine.spots import SEATS, seat_name
from tests.effort import examples, quick
from tests.engine import checks
from tests.engine.candidates import candidates
from tests.engine.games import Game, RandomChance
from tests.engine.tables import Tables
from tests.engine.telling import may_differ

seeds = st.integers(min_value=0, max_value=2**32)
of_each_edition = pytest.mark.parametrize("edition", EDITIONS)
of_some_editions = pytest.mark.parametrize("edition", quick(EDITIONS, DEFAULT))
"""For what takes long: the others have games of several times as many moves, or no card of their own."""


def game_of(edition: str, seed: int) -> Game:
    """A random game of an edition, with any of its options."""
    return Game(seed, tables=Tables((edition,)))


def shared(full: int) -> settings:
    """So many examples in a full run, of all editions together; in a quick one at least one of each."""
    return examples(full // len(EDITIONS), least=1)


@of_each_edition
@shared(40)
@given(seed=seeds)
def test_every_game_ends_and_loses_nothing(edition: str, seed: int) -> None:
    checks.keeps_cards_and_gold(game_of(edition, seed))


@of_some_editions
@shared(16)
@given(seed=seeds)
def test_the_square_commutes_for_every_event_and_viewer(edition: str, seed: int) -> None:
    checks.square_commutes(game_of(edition, seed))


@of_some_editions
@shared(16)
@given(seed=seeds)
def test_what_is_listed_is_what_is_accepted(edition: str, seed: int) -> None:
    checks.listed_is_accepted(game_of(edition, seed), every=0.2)


@of_each_edition
@shared(16)
@given(seed=seeds)
def test_a_listed_move_does_the_same_unasked(edition: str, seed: int) -> None:
    checks.listed_plays_as_any_other(game_of(edition, seed))


@examples(8, least=1)
@given(seed=seeds)
def test_every_move_that_is_tried_is_written_as_its_mover_writes_it(seed: int) -> None:
    """At a table where every letter is a seat's: one's own district is never named by one's own letter."""
    game = Game(seed, Tables(("citta_comune",)).draw(random.Random(seed), len(SEATS)))
    for _ in range(game.rng.randrange(500)):
        game.step()
    for seat in range(len(SEATS)):
        for action in candidates(game.rng, game.state, seat):
            assert f"{seat_name(seat)}." not in str(action)


@of_each_edition
@shared(40)
@given(seed=seeds)
def test_every_listed_move_reads_back_as_written(edition: str, seed: int) -> None:
    game = game_of(edition, seed)
    while game.state.phase != "over":
        asked = game.asked()
        if asked is not None:
            seat, choices = asked
            offered = sorted(checks.listed(choices) or (), key=str)
            for action in game.rng.sample(offered, min(5, len(offered))):
                assert parse(str(action), seat) == action
        game.step()


def _swap_hidden(game: Game, viewer: int) -> State | None:
    """The same table with two hidden things exchanged: cards of another hand and the deck, or characters of two
    other seats."""
    state, rng = game.state, game.rng
    twin = state.copy()
    others = [seat for seat in range(len(state.players)) if seat != viewer]
    if rng.random() < 0.5:
        seat = rng.choice(others)
        hand, deck = twin.players[seat].hand, twin.deck
        if not hand or not deck or any(step.cards for step in state.steps):
            return None
        here, there = rng.randrange(len(hand)), rng.randrange(len(deck))
        if state.auction is not None and state.auction.card == hand[here]:  # it was shown to all (R486)
            return None
        hand[here], deck[there] = deck[there], hand[here]
    else:
        if len(others) < 2 or state.phase != "turns":
            return None
        first, second = rng.sample(others, 2)
        one, two = twin.players[first].concealed, twin.players[second].concealed
        if not one or not two:
            return None
        one[0], two[0] = two[0], one[0]
    return twin if twin != state else None


@of_each_edition
@shared(40)
@given(seed=seeds)
@example(seed=570808)  # a card is being auctioned
def test_a_seat_learns_nothing_of_what_is_hidden_from_it(edition: str, seed: int) -> None:
    """Two tables that differ only in what a viewer may not know: the viewer gets the same bytes from both, until
    the first event that tells this viewer something of what differs."""
    game = game_of(edition, seed)
    start = game.rng.randrange(200)
    for _ in range(start):
        if game.state.phase == "over":
            return
        game.step()
    viewer = game.rng.randrange(game.setup.players)
    twin = _swap_hidden(game, viewer)
    if twin is None:
        return
    assert view(twin, viewer) == view(game.state, viewer)
    chance_seed = seed + 1
    for number in range(60):
        asked = game.asked()
        if asked is None or game.state.phase == "over":
            return
        seat, choices = asked
        action = game.rng.choice(list(choices))
        if isinstance(action, Deal) or refusal(twin, seat, action) is not None or seat not in decisions(twin):
            return
        ours = decide(game.state, seat, action, RandomChance(chance_seed + number))
        theirs = decide(twin, seat, action, RandomChance(chance_seed + number))
        for one, other in zip(ours, theirs, strict=False):
            if encode_event(redact(one, viewer)) != encode_event(redact(other, viewer)):
                by_call = type(one).__name__ in AT_A_CALL and type(other).__name__ in AT_A_CALL
                assert by_call or may_differ(one, other, viewer), (str(action), one, other)
                return
            game.table.state, twin = evolve(game.state, one), evolve(twin, other)


AT_A_CALL = {"Called", "Revealed", "RoundEnded", "GameEnded", "GoldGained"}
"""Who answers a call, or nobody, is told by what comes next."""
