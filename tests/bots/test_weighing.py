"""Moves weighed for people: all of them in the same worlds, and why one is better."""

from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import (
    CLEAR,
    MEMBERS,
    SEEN,
    Decision,
    Reason,
    RoundEnd,
    Weighed,
    parts_of,
    reason,
    weigh,
    world_end,
)
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.search.value import NAMES
from citadels_lan.engine import Player, State, decisions, parse, view
from tests.facts import standing

from .at_table import building
from .situations import in_rounds

LITTLE = Effort(trials=24, seconds=60.0)
END = RoundEnd(0.3, 9, 12, 1, 8, 2, 3, 3, 4, 0.0, 0.5, 0.0, 0.0)


def turn() -> State:
    """A King's turn, with gold for the one district in hand."""
    return in_rounds("2016", "king", Player(gold=5, hand=["castle", "tavern"]), gathered=True)


def weighed(decision: Decision, also: str = "", effort: Effort = LITTLE) -> list[Weighed]:
    seen, seat = decision.view, decision.seat
    made = parse(also, seat) if also else None
    return weigh(seen, seat, decisions(seen)[seat], decision.memory, effort, 1, made)


def test_the_best_comes_first_and_the_others_know_what_they_lack() -> None:
    best, *others = weighed(building()[1])
    assert best.gap == 0
    assert not best.parts
    assert others
    for move in others:
        assert move.gap == pytest.approx(best.chance - move.chance)
        assert sum(move.parts.values()) == pytest.approx(move.gap, abs=1e-9)


def test_a_move_that_nobody_would_think_of_is_weighed_if_it_was_made() -> None:
    decision, few = building()[1], replace(LITTLE, moves=2)
    kept = {move.line for move in weighed(decision, effort=few)}
    assert len(kept) == 2
    left = next(str(choice) for choice in decisions(decision.view)[0] if str(choice) not in kept)
    assert {move.line for move in weighed(decision, left, few)} == kept | {left}


def test_not_to_build_is_worse_and_the_city_says_why() -> None:
    moves = weighed(building()[1], "end")
    end = next(move for move in moves if move.line == "end")
    assert end.worse
    assert moves[0].line.startswith("build")
    found = reason(end.parts, moves[0].end, end.end)
    assert found is not None
    assert found.part in ("city", "lead")
    assert found.better > found.worse


def test_the_same_seed_says_the_same() -> None:
    assert weighed(building()[1]) == weighed(building()[1])


def test_nothing_hidden_has_a_part_in_it() -> None:
    """Other full states with the same view: the same moves, chances and reasons."""
    state, decision = building()
    other = sample(decision.view, 0, decision.memory, Random(5))
    assert [player.hand for player in other.players] != [player.hand for player in state.players]
    assert weighed(replace(decision, view=view(other, 0))) == weighed(decision)


def test_every_feature_belongs_to_one_part() -> None:
    assert sorted(at for members in MEMBERS.values() for at in members) == list(range(len(NAMES)))


def test_what_a_district_more_makes_of_a_chance_is_the_citys() -> None:
    poor, rich = turn(), turn()
    poor.round = rich.round = 3
    rich.players[0].city = [standing("temple")]
    parts = parts_of([(world_end(rich, 0), world_end(poor, 0))])
    gap = world_end(rich, 0).told.chance - world_end(poor, 0).told.chance
    assert sum(parts.values()) == pytest.approx(gap)
    assert parts["gold"] == parts["crown"] == 0


def test_one_plain_turn_later_there_is_what_is_built_and_what_is_left() -> None:
    """As they are weighed: two gold more, and the castle built of it."""
    told = world_end(turn(), 0).told
    assert (told.gold, told.cards) == (5 + 2 - 4, 1)
    assert (told.points, told.later) == (0, 4)


def test_where_the_game_is_over_all_of_it_is_the_ends() -> None:
    going, over = turn(), turn()
    over.phase, over.winners = "over", (0,)
    parts = parts_of([(world_end(over, 0), world_end(going, 0))])
    assert parts["end"] == pytest.approx(sum(parts.values()))
    assert parts["end"] > 0


def test_a_reason_is_one_that_its_figure_shows() -> None:
    """The largest part counts, but not where its figure says otherwise; of others' points fewer are better."""
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


def test_what_is_clear() -> None:
    move = Weighed("end", 0.2, 0.01, 0.05, 0.05 / CLEAR - 0.001, END, {})
    assert move.worse
    assert not Weighed("end", 0.2, 0.01, 0.05, 0.05 / CLEAR + 0.001, END, {}).worse


def _fields(end: RoundEnd) -> dict[str, float]:
    return {name: getattr(end, name) for name in RoundEnd.__struct_fields__}
