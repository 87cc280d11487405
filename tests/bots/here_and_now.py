"""A pool that thinks in this process, so that a test need not wait for processes."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.thinking import ThinkingPool

P = ParamSpec("P")
T = TypeVar("T")
TRIALS = 40
"""The largest number of trials."""


class HereAndNow(ThinkingPool):
    """Thinks immediately and with little effort. `asked` counts the requests."""

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
    """Return the argument, but a small effort instead of an `Effort`."""
    if isinstance(argument, Effort):
        return replace(argument, trials=min(argument.trials, TRIALS))
    return argument
