"""Which moves of a game have cost most."""

import asyncio

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import (
    CostlyMove,
    Decision,
    RoundEnd,
    Weighed,
    costliest,
    first_look,
    review,
    second_look,
    suspects,
)
from citadels_lan.bots.thinking import ThinkingPool

from .at_table import building, without_a_card
from .here_and_now import HereAndNow

END = RoundEnd(*[0.0] * len(RoundEnd.__struct_fields__))
MET = building()[1]
BEST = "build temple"


def decision(step: int, line: str = "end", round_: int = MET.view.round) -> Decision:
    """The same decision at a step, in its round or another."""
    known = MET.view.copy()
    known.round = round_
    return replace(MET, step=step, view=known, line=line)


def costly(step: int, gap: float, *, error: float = 0.0, round_: int = 2, better: str = BEST) -> CostlyMove:
    made = Weighed("end", 0.3 - gap, 0.01, gap, error, END, {})
    return CostlyMove(decision(step, round_=round_), made, Weighed(better, 0.3, 0.01, 0.0, 0.0, END, {}))


def steps(moves: tuple[CostlyMove, ...] | list[CostlyMove]) -> list[int]:
    return [move.decision.step for move in moves]


def test_the_three_worst_are_told_the_worst_first() -> None:
    found = [costly(step, gap, round_=step) for step, gap in enumerate((0.05, 0.2, 0.03, 0.1))]
    assert steps(costliest(found)) == [1, 3, 0]


def test_what_may_be_luck_or_is_next_to_nothing_is_not_told() -> None:
    assert costliest([costly(1, 0.1, error=0.06), costly(2, 0.01)]) == ()


def test_of_a_turn_one_move_is_looked_at_again_the_last_of_equals() -> None:
    found = [costly(1, 0.10), costly(2, 0.104), costly(3, 0.101), costly(9, 0.05, round_=3)]
    assert steps(suspects(found, [one.decision for one in found])) == [3, 9]
    worse = [costly(1, 0.2), costly(2, 0.1)]
    assert steps(suspects(worse, [one.decision for one in worse])) == [1]


def test_what_was_only_put_off_cost_nothing() -> None:
    missed = costly(1, 0.2)
    later = decision(4, BEST)
    assert suspects([missed], [missed.decision, later]) == []
    assert steps(suspects([missed], [missed.decision, replace(later, view=decision(4, round_=3).view)])) == [1]


@pytest.mark.slow
def test_to_leave_the_temple_unbuilt_is_found_and_found_again() -> None:
    found = first_look(decision(7))
    assert found is not None
    assert found.better.line == BEST
    again = second_look(found)
    assert again is not None
    assert again.made.worse
    assert again.made.line == "end"


def test_to_gather_more_gold_without_a_card_is_found() -> None:
    found = first_look(without_a_card(8))
    assert found is not None
    assert (found.made.line, found.better.line) == ("gather gold", "gather cards")
    assert costliest([found]) == (found,)


def test_the_best_move_has_nothing_to_be_told() -> None:
    assert first_look(decision(7, BEST)) is None


async def test_a_review_tells_how_far_it_is_and_what_it_found() -> None:
    told: list[float] = []
    own = [decision(2), decision(8, BEST, round_=3)]
    found = await review(HereAndNow(), own, told.append)
    assert steps(found.moves) == [2]
    assert (found.looked, found.decisions) == (2, 2)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.slow
async def test_a_review_that_is_left_leaves_no_work_behind() -> None:
    with ThinkingPool(1) as pool:
        own = [decision(step, round_=step) for step in range(40)]
        begun = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            going = tasks.create_task(review(pool, own, lambda _: begun.set()))
            await begun.wait()
            going.cancel()
        pending = pool.submit(int, "7")
        assert await asyncio.wrap_future(pending) == 7
