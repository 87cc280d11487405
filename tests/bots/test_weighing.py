"""Weighing moves for people: equal sampled states for all moves, and reasons for the differences."""

from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import SEEN, Decision, Reason, RoundEnd, Weighed, reason, weigh
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort
from citadels_lan.engine import Player, State, decisions, parse, view

from .at_table import building
from .situations import in_rounds

LITTLE = Effort(trials=24, seconds=60.0)
END = RoundEnd(0.3, 9, 12, 1, 8, 2, 3, 3, 4, 0.0, 0.5, 0.0, 0.0)


def turn() -> State:
    """Return a King's turn with enough gold for the one district in the hand."""
    return in_rounds("2016", "king", Player(gold=5, hand=["castle", "tavern"]), gathered=True)


def weighed(decision: Decision, also: str = "", effort: Effort = LITTLE) -> list[Weighed]:
    seen, seat = decision.view, decision.seat
    made = parse(also, seat) if also else None
    return weigh(seen, seat, decisions(seen)[seat], decision.memory, effort, 1, made)


def test_best_move_is_first_and_gaps_are_relative_to_it() -> None:
    best, *others = weighed(building()[1])
    assert best.gap == 0
    assert not best.parts
    assert others
    for move in others:
        assert move.gap == pytest.approx(best.chance - move.chance)
        assert sum(move.parts.values()) == pytest.approx(move.gap, abs=1e-9)


def test_weighing_does_not_depend_on_hidden_cards() -> None:
    """Other full states with the same view give the same moves, chances and reasons."""
    state, decision = building()
    other = sample(decision.view, 0, decision.memory, Random(5))
    assert [player.hand for player in other.players] != [player.hand for player in state.players]
    assert weighed(replace(decision, view=view(other, 0))) == weighed(decision)


def test_reason_is_the_largest_part_with_a_supporting_figure() -> None:
    """For points of others, less is better."""
    parts = dict.fromkeys(SEEN, 0.0) | {"gold": 0.05, "city": 0.03, "others": 0.02}
    better = RoundEnd(**{**_fields(END), "points": 11})
    assert reason(parts, better, END) == Reason("city", "points", 11, 9)
    soon = RoundEnd(**{**_fields(END), "points": 8, "later": 14})
    assert reason(parts, soon, END) == Reason("city", "later", 14, 12)
    richer = RoundEnd(**{**_fields(better), "gold": 4})
    assert reason(parts, richer, END) == Reason("gold", "gold", 4, 2)
    hindered = RoundEnd(**{**_fields(END), "rival": 6})
    assert reason(parts, hindered, END) == Reason("others", "rival", 6, 8)
    assert reason(parts, END, END) is None
    assert reason({part: -share for part, share in parts.items()}, richer, END) is None


def _fields(end: RoundEnd) -> dict[str, float]:
    return {name: getattr(end, name) for name in RoundEnd.__struct_fields__}
