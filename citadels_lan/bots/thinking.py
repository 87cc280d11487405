"""Processes in which search players think, so that no table and no screen waits for them.

    pool = ThinkingPool()
    action = await pool.choose(policy, view, seat, choices)
    pool.close()

A process receives the policy with its memory, and the view of the seat. It knows nothing else of the table.
Changes that the policy makes to itself while it chooses are lost.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, ParamSpec, TypeVar

from citadels_lan.bots.heuristics.policies import SensiblePolicy
from citadels_lan.bots.policy import Policy
from citadels_lan.engine import decisions
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.notation import parse
from citadels_lan.engine.state import State
from citadels_lan.systems.process import end_with_parent, give_way, ignore_ctrl_c, inheritable_streams

P = ParamSpec("P")
T = TypeVar("T")

WORKERS: Final = 2
"""So many think at once: more seldom have to, as one moves after the other."""
PATIENCE: Final = 20.0
"""Seconds after which a thought is not waited for any more, as on a computer that was asleep."""


class ThinkingPool:
    """They start with the first thought, and live until `close`."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> "ThinkingPool":
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self.close(wait=failure is None)

    def close(self, *, wait: bool = False) -> None:
        """End them, whatever they think of. Whoever ends with all thoughts thought can `wait` until they are gone:
        a program that ends while they go would complain of it."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=wait, cancel_futures=True)

    def begin(self, policy: Policy, view: State, seat: int) -> "Future[str]":
        """Have a move thought out: its line."""
        return self.submit(_chosen, policy, view, seat)

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "Future[T]":
        """Have something worked out there: a function of a module, with plain data. Its failure is
        BrokenProcessPool where the system has ended a process; the next thought finds new ones."""
        with inheritable_streams():
            try:
                return self._running().submit(work, *arguments, **named)
            except BrokenProcessPool:
                self.close()
                return self._running().submit(work, *arguments, **named)

    async def choose(self, policy: Policy, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """What a policy chooses: one that listens thinks elsewhere, and all others here and now. Where nothing
        comes of thinking, rules of thumb do."""
        if policy.deaf:
            return policy.choose(view, seat, choices)
        thought = asyncio.wrap_future(self.begin(policy, view, seat))
        await asyncio.wait((thought,), timeout=PATIENCE)
        return settled(line_of(thought), view, seat, choices)

    def _running(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # Started anew and not forked off: a host has connections, threads and keys that are nobody else's.
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
            )
        return self._executor


class Unhurried:
    """A policy for whoever cannot wait, and asks again: it has no answer as long as it is thinking."""

    def __init__(self, policy: Policy, pool: ThinkingPool) -> None:
        self._policy = policy
        self._pool = pool
        self._thought: Future[str] | None = None
        self._of = -1
        self.deaf = policy.deaf
        self.told = policy.told

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """One of the choices, or nothing yet."""
        if self.deaf:
            return self._policy.choose(view, seat, choices)
        if self._thought is None or self._of != view.tick:
            self._thought, self._of = self._pool.begin(self._policy, view, seat), view.tick
        if not self._thought.done():
            return None
        thought, self._thought = self._thought, None
        return settled(line_of(thought), view, seat, choices)


def line_of(thought: "Future[str] | asyncio.Future[str]") -> str:
    """What has come of a thought; "" where nothing has, because there was no time, or its process was ended.
    Raises whatever went wrong in the policy."""
    if not thought.done() or thought.cancelled() or isinstance(thought.exception(), BrokenProcessPool):
        return ""
    return thought.result()


def settled(line: str, view: State, seat: int, choices: Sequence[Choice]) -> Action:
    """The choice that a thought has come to; by rules of thumb where it has come to none."""
    thought = parse(line, seat) if line else None
    for choice in choices:
        if thought is not None and thought.verb == choice.verb and (isinstance(choice, Deal) or choice == thought):
            return thought
    return SensiblePolicy(view.tick).choose(view, seat, choices)


def _begin() -> None:
    end_with_parent()
    ignore_ctrl_c()
    give_way()


def _chosen(policy: Policy, view: State, seat: int) -> str:
    return str(policy.choose(view, seat, decisions(view)[seat]))
