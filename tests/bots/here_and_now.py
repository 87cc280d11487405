"""Bots that think where they are asked, so that a test waits for no processes."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from citadels_lan.bots.thinking.pool import ThinkingPool

P = ParamSpec("P")
T = TypeVar("T")


class HereAndNow(ThinkingPool):
    """Thinks in this process, at once. `asked` counts the thoughts."""

    asked = 0

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "Future[T]":
        self.asked += 1
        thought: Future[T] = Future()
        try:
            thought.set_result(work(*arguments, **named))
        except ValueError as reason:
            thought.set_exception(reason)
        return thought
