"""Bots that choose their moves in other processes."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import sleep

import pytest
from msgspec.structs import replace

from citadels_lan.bots.policy import Forgetful
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
from citadels_lan.bots.thinking import ThinkingPool, Unhurried, settled
from citadels_lan.engine import Action, State, decisions, view
from citadels_lan.engine.choices import Choice
from tests.bots.at_table import building
from tests.bots.situations import in_rounds
from tests.cli.program import environment


class Pensive(Forgetful):
    """A bot that makes the last of its choices. It raises an error if it runs in the process of the caller."""

    ignores_view = False
    ignores_events = False

    def __init__(self, asker: int, then: str = "", until: Path | None = None) -> None:
        """`asker` is the process id of the caller. `then`: "die" kills the process that chooses, "fail"
        raises an error. If `until` is given, choosing takes until that file exists."""
        self._asker = asker
        self._then = then
        self._until = until

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        if self._then == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._then == "fail":
            raise ValueError("no idea")
        if os.getpid() == self._asker:
            raise AssertionError("thought where it was asked")
        while self._until is not None and not self._until.exists():
            sleep(0.01)
        choice = choices[-1]
        assert isinstance(choice, Action)
        return choice


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the time limit of a move, because the computer may be busy."""
    monkeypatch.setattr("citadels_lan.bots.thinking.PATIENCE", None)


@pytest.fixture(scope="module")
def pool() -> Iterator[ThinkingPool]:
    with ThinkingPool(1) as made:
        yield made


@pytest.fixture
def asked() -> tuple[State, int, Sequence[Choice]]:
    """Return a decision at the beginning of a turn: the view, the seat, the choices."""
    known = view(in_rounds("2016", "king"), 0)
    return known, 0, decisions(known)[0]


async def test_event_loop_runs_while_a_bot_thinks(
    pool: ThinkingPool, asked: tuple[State, int, Sequence[Choice]], tmp_path: Path
) -> None:
    seen, seat, choices = asked
    enough = tmp_path / "enough"
    async with asyncio.TaskGroup() as tasks:
        thought = tasks.create_task(pool.choose(Pensive(os.getpid(), until=enough), seen, seat, choices))
        await asyncio.sleep(0.05)
        assert not thought.done()
        enough.touch()
    assert thought.result() == choices[-1]


@pytest.mark.slow
async def test_heuristics_choose_for_a_killed_process_and_a_new_process_chooses_next(
    asked: tuple[State, int, Sequence[Choice]],
) -> None:
    seen, seat, choices = asked
    with ThinkingPool(1) as pool:
        assert await pool.choose(Pensive(os.getpid(), "die"), seen, seat, choices) in choices
        assert await pool.choose(Pensive(os.getpid()), seen, seat, choices) == choices[-1]


async def test_error_of_a_thinking_bot_is_raised(
    pool: ThinkingPool, asked: tuple[State, int, Sequence[Choice]]
) -> None:
    seen, seat, choices = asked
    with pytest.raises(ValueError, match="no idea"):
        await pool.choose(Pensive(os.getpid(), "fail"), seen, seat, choices)


BEHIND_SCREENS = """
import sys
from citadels_lan.bots.thinking import ThinkingPool

class Screen:
    def write(self, text): return len(text)
    def flush(self): pass
    def fileno(self): return -1

if __name__ == "__main__":
    sys.stderr = Screen()
    with ThinkingPool(1) as pool:
        print(pool.submit(divmod, 47, 10).result())
"""
"""A program that uses a pool while standard error is an object without a file number, as under the screens.
Another process cannot inherit such an object."""


@pytest.mark.slow
def test_processes_start_while_screens_replace_stderr(tmp_path: Path) -> None:
    program = tmp_path / "behind_screens.py"
    program.write_text(BEHIND_SCREENS, encoding="utf-8")
    said = subprocess.run(
        (sys.executable, str(program)), capture_output=True, text=True, check=False, env=environment(tmp_path)
    )
    assert said.stdout == "(4, 7)\n"


def test_illegal_answer_of_a_thinking_process_is_replaced_by_heuristics(
    asked: tuple[State, int, Sequence[Choice]],
) -> None:
    seen, seat, choices = asked
    assert settled(str(choices[-1]), seen, seat, choices[:1]) == choices[0]
    assert settled("", seen, seat, choices[:1]) == choices[0]


@pytest.mark.slow
def test_processes_end_when_the_pool_is_closed() -> None:
    """A process that is still running when the program ends prints an error."""
    with ThinkingPool(1) as made:
        thinker = made.submit(os.getpid).result()
    with pytest.raises(ProcessLookupError):
        os.kill(thinker, 0)


def test_slow_policy_returns_its_choice_at_a_later_poll(
    pool: ThinkingPool, asked: tuple[State, int, Sequence[Choice]], tmp_path: Path
) -> None:
    seen, seat, choices = asked
    enough = tmp_path / "enough"
    bot = Unhurried(Pensive(os.getpid(), until=enough), pool)
    assert bot.choose(seen, seat, choices) is None
    enough.touch()
    while (answer := bot.choose(seen, seat, choices)) is None:
        sleep(0.01)
    assert answer == choices[-1]


END = RoundEnd(*[0.0] * len(RoundEnd.__struct_fields__))
MET = building()[1]
BEST = "build temple"


def decision(step: int, line: str = "end", round_: int = MET.view.round) -> Decision:
    """Return the decision MET with this number of its step, in this round, and with `line` as the move made."""
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
def test_first_and_second_look_both_advise_to_build_the_temple() -> None:
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
