"""A `ThinkingPool` that works in this process, so that a test need not wait for other processes."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.thinking import ThinkingPool

P = ParamSpec("P")
T = TypeVar("T")
TRIALS = 40
"""The largest number of trials of a search."""


class HereAndNow(ThinkingPool):
    """Does all work immediately and searches with few trials. `asked` counts the calls of `submit`."""

    asked = 0

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "Future[T]":
        self.asked += 1
        thought: Future[T] = Future()
        try:
            thought.set_result(work(*map(little, arguments), **named))
        except ValueError as reason:
            thought.set_exception(reason)
        return thought


def little(argument: Any) -> Any:
    """Return `argument`. If it is an `Effort`, return one with at most TRIALS trials instead."""
    if isinstance(argument, Effort):
        return replace(argument, trials=min(argument.trials, TRIALS))
    return argument
