"""What cannot be at any table is known as such, and nothing that happens in a game is taken for it."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.engine import (
    EDITIONS,
    Event,
    Impossible,
    State,
    check_event,
    check_state,
    evolve,
    new_table,
    possible,
    redact,
    view,
)
from citadels_lan.engine.events import (
    Answered,
    Asked,
    AuctionBegan,
    AuctionEnded,
    BidMade,
    BidPassed,
    Built,
    CardsGained,
    CardsMoved,
    CharacterCalled,
    Crowned,
    CycleScored,
    Destroyed,
    Discarded,
    GameEnded,
    Gathered,
    GoldGained,
    Marked,
    Placed,
    QueenWaits,
    Revealed,
    TakenBack,
    TakenFromDeck,
    TurnBegan,
    Turned,
)
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Auction, Mark, Player, Site, Step
from tests.effort import examples, one_case, quick
from tests.engine.games import Game
from tests.engine.tables import Tables
from tests.facts import first_game, standing

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
"""Of a table for four whose second seat looks at it."""


def table() -> State:
    state = new_table(first_game(4))
    state.cast = CAST
    state.players[0] = Player(city=[standing("tavern")], hand=["palace"])
    state.players[1] = Player(hand=["market"], concealed=["king"])
    return view(state, 1)


def follow(state: State, event: Event) -> None:
    """As a client does."""
    check_event(state, event)
    check_state(evolve(state, event))


@one_case(
    "event",
    [
        GoldGained(4, 1, "income"),
        GoldGained(-1, 1, "income"),
        Crowned(9),
        Destroyed(0, 1, "tavern", (), "destroy"),
        Destroyed(0, -1, "tavern", (), "destroy"),
        CardsMoved(1, 0, ("palace",), "take"),
        CardsGained(2, ("?",) * 100, "income"),
        CardsGained(1, ("?",), "income"),
        CardsGained(1, ("dragon",), "income"),
        Built(2, "dragon", 1),
        Revealed(1, "warlord"),
        Revealed(2, "nobody"),
        TurnBegan(2, "nobody"),
        Gathered(1, 2),
        Answered("keep", 1),
        Asked("fly", 1),
        Asked("keep", 1, ("?",)),
        Marked("killed", 7, "king"),
        Placed("letter", 2, ("king",), "?"),
        TakenBack(),
        TakenFromDeck(1, "dragon"),
        Discarded(("?",)),
        CharacterCalled(1, "nobody"),
        QueenWaits(4),
        CycleScored((1, 2)),
        AuctionBegan(4, "tavern", 1),
        AuctionBegan(2, "dragon", 1),
        BidMade(2, 3),
        BidPassed(2),
        AuctionEnded(),
        Turned(0, 1),
        GameEnded((), (0,)),
        GameEnded(tuple(Score() for _ in table().players), (9,)),
    ],
)
def test_an_event_that_cannot_be(event: Event) -> None:
    state = table()
    check_state(state)
    with pytest.raises(Impossible) as impossible:
        follow(state, event)
    assert "palace" not in str(impossible.value)


@one_case(
    "wrong",
    [
        {"crown": 4},
        {"crown": -2},
        {"rank": 9},
        {"first": 4},
        {"winners": (-1,)},
        {"cast": ("nobody",)},
        {"districts": ("dragon",)},
        {"faceup": ["?"]},
        {"steps": [Step("pick", 4)]},
        {"steps": [Step("give", 0, others=(1, 4))]},
        {"steps": [Step("confiscate", 0, other=1, card="nothing")]},
        {"site": Site(4, "tavern", 0)},
        {"marks": [Mark("killed", 4, "king")]},
        {"marks": [Mark("killed", 1, "nobody")]},
        {"auction": Auction(1, "dragon", 1)},
        {"auction": Auction(1, "tavern", 1, 2, 4)},
        {"auction": Auction(1, "tavern", 1, passed=(0, 4))},
        {"discards": ["?"]},
        {"called": ["nobody"]},
        {"caller": 4},
        {"expectant": -1},
    ],
)
def test_a_view_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(Impossible):
        check_state(table().but(**wrong))


def test_negative_gold_cannot_be() -> None:
    state = table()
    state.players[2].gold = -1
    with pytest.raises(Impossible):
        check_state(state)


@pytest.mark.parametrize("edition", quick(EDITIONS, "classic", "dark_city"))
@examples(max(3, 12 // len(EDITIONS)), least=1)
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_whatever_happens_in_a_game_is_possible(edition: str, seed: int) -> None:
    """For the table itself, for a seat and for whoever watches."""
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


def test_every_kind_with_a_condition_is_checked() -> None:
    source = Path(possible.__file__).with_name("possible.py")  # also if that is compiled
    tree = ast.parse(source.read_text(encoding="utf-8"))
    (moments,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_check_moment")
    patterns = [node.cls for node in ast.walk(moments) if isinstance(node, ast.MatchClass)]
    assert {ast.unparse(kind) for kind in patterns} == {kind.__name__ for kind in possible.CHECKED}
