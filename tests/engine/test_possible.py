"""Impossible events and states are rejected, and those of real games pass."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError
from msgspec.msgpack import encode

from citadels_lan.engine import (
    EDITIONS,
    Event,
    Impossible,
    State,
    check_event,
    check_state,
    decode_event,
    decode_state,
    encode_event,
    encode_state,
    evolve,
    new_table,
    redact,
    view,
)
from citadels_lan.engine import events as ev
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Auction, Mark, Player, Site, Step
from tests.effort import examples, one_case, quick
from tests.engine.games import Game
from tests.engine.tables import Tables
from tests.facts import first_game, standing

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
"""The characters of a table of four players, of which seat 1 has a view."""


def table() -> State:
    state = new_table(first_game(4))
    state.cast = CAST
    state.players[0] = Player(city=[standing("tavern")], hand=["palace"])
    state.players[1] = Player(hand=["market"], concealed=["king"])
    return view(state, 1)


def follow(state: State, event: Event) -> None:
    """Check an event, and then the state after it, as a client does."""
    check_event(state, event)
    check_state(evolve(state, event))


@one_case(
    "event",
    [
        ev.GoldGained(4, 1, "income"), ev.GoldGained(-1, 1, "income"), ev.Crowned(9),
        ev.Destroyed(0, 1, "tavern", (), "destroy"), ev.Destroyed(0, -1, "tavern", (), "destroy"),
        ev.CardsMoved(1, 0, ("palace",), "take"), ev.CardsGained(2, ("?",) * 100, "income"),
        ev.CardsGained(1, ("?",), "income"), ev.CardsGained(1, ("dragon",), "income"), ev.Built(2, "dragon", 1),
        ev.Revealed(1, "warlord"), ev.Revealed(2, "nobody"), ev.TurnBegan(2, "nobody"), ev.Gathered(1, 2),
        ev.Answered("keep", 1), ev.Asked("fly", 1), ev.Asked("keep", 1, ("?",)), ev.Marked("killed", 7, "king"),
        ev.Placed("letter", 2, ("king",), "?"), ev.TakenBack(), ev.TakenFromDeck(1, "dragon"),
        ev.Discarded(("?",)), ev.CharacterCalled(1, "nobody"), ev.QueenWaits(4), ev.CycleScored((1, 2)),
        ev.AuctionBegan(4, "tavern", 1), ev.AuctionBegan(2, "dragon", 1), ev.BidMade(2, 3), ev.BidPassed(2),
        ev.AuctionEnded(), ev.Turned(0, 1), ev.GameEnded((), (0,)),
        ev.GameEnded(tuple(Score() for _ in table().players), (9,)),
    ],
)  # fmt: skip
def test_impossible_event_is_rejected(event: Event) -> None:
    state = table()
    check_state(state)
    with pytest.raises(Impossible) as impossible:
        follow(state, event)
    assert "palace" not in str(impossible.value)


@one_case(
    "wrong",
    [
        {"crown": 4}, {"crown": -2}, {"rank": 9}, {"first": 4}, {"winners": (-1,)}, {"cast": ("nobody",)},
        {"districts": ("dragon",)}, {"faceup": ["?"]}, {"steps": [Step("pick", 4)]},
        {"steps": [Step("give", 0, others=(1, 4))]}, {"steps": [Step("confiscate", 0, other=1, card="nothing")]},
        {"site": Site(4, "tavern", 0)}, {"marks": [Mark("killed", 4, "king")]},
        {"marks": [Mark("killed", 1, "nobody")]}, {"auction": Auction(1, "dragon", 1)},
        {"auction": Auction(1, "tavern", 1, 2, 4)}, {"auction": Auction(1, "tavern", 1, passed=(0, 4))},
        {"discards": ["?"]}, {"called": ["nobody"]}, {"caller": 4}, {"expectant": -1},
    ],
)  # fmt: skip
def test_impossible_view_is_rejected(wrong: dict[str, object]) -> None:
    with pytest.raises(Impossible):
        check_state(table().but(**wrong))


def test_negative_gold_is_rejected() -> None:
    state = table()
    state.players[2].gold = -1
    with pytest.raises(Impossible):
        check_state(state)


@pytest.mark.parametrize("edition", quick(EDITIONS, "classic", "dark_city"))
@examples(max(3, 12 // len(EDITIONS)), least=1)
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_all_events_and_states_of_a_game_pass_the_checks(edition: str, seed: int) -> None:
    """The full state, a seat's view and a spectator's view are checked."""
    game = Game(seed, tables=Tables((edition,)))
    seat = seed % game.setup.players
    own, watching, whole = view(game.state, seat), view(game.state, None), game.state.copy()
    for _, events in game.steps():
        for event in events:
            told, seen = redact(event, seat), redact(event, None)
            for state, one in ((own, told), (watching, seen), (whole, event)):
                check_event(state, one)
            own, watching, whole = evolve(own, told), evolve(watching, seen), evolve(whole, event)
        for state in (own, watching, whole):
            check_state(state)


# Encoded events and states


@one_case("edition", EDITIONS)
def test_events_and_states_survive_encoding(edition: str) -> None:
    game = Game(5, Tables((edition,)).draw(random.Random(5), 4))
    for _, events in game.steps():
        for event in events:
            assert decode_event(encode_event(event)) == event
        for seen in (game.state, view(game.state, 1), view(game.state, None)):
            plain = encode_state(seen)
            assert decode_state(plain) == seen
            assert encode(encode_state(decode_state(plain))) == encode(plain)


@one_case("plain", [[], ["?"], [21, 0], [21, "a", [], "gather"], [21, 0, [], "gather", 1], [999]])
def test_invalid_event_is_rejected(plain: list[object]) -> None:
    with pytest.raises(ValidationError):
        decode_event(plain)


@one_case("wrong", [{"crown": "a"}, {"players": [{"gold": None}]}, {"steps": [{"verb": "pick"}]}])
def test_invalid_state_is_rejected(wrong: dict[str, object]) -> None:
    plain = encode_state(Game(1).state)
    with pytest.raises(ValidationError):
        decode_state(plain | wrong)
