"""Reviews find the most costly moves of a game."""

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
)
from citadels_lan.bots.thinking import ThinkingPool

from .at_table import building

END = RoundEnd(*[0.0] * len(RoundEnd.__struct_fields__))
MET = building()[1]
BEST = "build temple"


def decision(step: int, line: str = "end", round_: int = MET.view.round) -> Decision:
    """Return the same decision at a step, in its round or another."""
    known = MET.view.copy()
    known.round = round_
    return replace(MET, step=step, view=known, line=line)


def costly(step: int, gap: float, *, error: float = 0.0, round_: int = 2, better: str = BEST) -> CostlyMove:
    made = Weighed("end", 0.3 - gap, 0.01, gap, error, END, {})
    return CostlyMove(decision(step, round_=round_), made, Weighed(better, 0.3, 0.01, 0.0, 0.0, END, {}))


def steps(moves: tuple[CostlyMove, ...] | list[CostlyMove]) -> list[int]:
    return [move.decision.step for move in moves]


def test_review_reports_the_three_worst_moves_in_order() -> None:
    found = [costly(step, gap, round_=step) for step, gap in enumerate((0.05, 0.2, 0.03, 0.1))]
    assert steps(costliest(found)) == [1, 3, 0]


@pytest.mark.slow
def test_unbuilt_temple_is_found_in_both_looks() -> None:
    found = first_look(decision(7))
    assert found is not None
    assert found.better.line == BEST
    again = second_look(found)
    assert again is not None
    assert again.made.worse
    assert again.made.line == "end"


@pytest.mark.slow
async def test_cancelled_review_cancels_its_work() -> None:
    with ThinkingPool(1) as pool:
        own = [decision(step, round_=step) for step in range(40)]
        begun = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            going = tasks.create_task(review(pool, own, lambda _: begun.set()))
            await begun.wait()
            going.cancel()
        pending = pool.submit(int, "7")
        assert await asyncio.wrap_future(pending) == 7
