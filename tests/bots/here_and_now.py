"""Bots that think where they are asked, so that a test waits for no processes."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.thinking import ThinkingPool

P = ParamSpec("P")
T = TypeVar("T")
TRIALS = 40
"""So many worlds are thought about at most, however long somebody would wait."""


class HereAndNow(ThinkingPool):
    """Thinks in this process, at once, and little. `asked` counts the thoughts."""

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
    """An argument as it is, but for an effort: that is a little one."""
    if isinstance(argument, Effort):
        return replace(argument, trials=min(argument.trials, TRIALS))
    return argument
