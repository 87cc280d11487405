"""Processes in which searching bots choose their moves, so that neither the table nor a screen waits for
them.

    pool = ThinkingPool()
    action = await pool.choose(policy, view, seat, choices)
    pool.close()

A process receives the policy with its memory, and the view of the seat. It gets nothing else of the table.
Changes that the policy makes to itself while it chooses are lost.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Final, ParamSpec, TypeVar

from citadels_lan.bots.heuristics.policies import SensiblePolicy
from citadels_lan.bots.policy import Policy
from citadels_lan.engine import Action, Choice, Deal, State, decisions, parse
from citadels_lan.platform.process import end_with_parent, give_way, ignore_ctrl_c, inheritable_streams

P = ParamSpec("P")
T = TypeVar("T")

WORKERS: Final = 2
"""The number of processes. Two suffice, because players usually move one after another."""
PATIENCE: Final = 20.0
"""The time limit for choosing a move, in seconds. It is long enough for a slow computer; after it the
computer was probably asleep."""


class ThinkingPool:
    """A pool of processes. They start at the first request and end with `close`."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._executor: Executor | None = None

    def __enter__(self) -> "ThinkingPool":
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self.close(wait=failure is None)

    def close(self, *, wait: bool = False) -> None:
        """End the processes and discard their work. With `wait`, return only when they have ended; use it if
        all work is done, because a program that ends at the same time would print an error."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=wait, cancel_futures=True)

    def begin(self, policy: Policy, view: State, seat: int) -> "Future[str]":
        """Let a process choose a move of `seat`. The result of the future is its line of notation."""
        return self.submit(_chosen, policy, view, seat)

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "Future[T]":
        """Let a process call `work`, a module-level function, with these arguments, which are plain data. The
        future raises BrokenExecutor if the operating system ended the process. The next request starts new
        processes."""
        with inheritable_streams():
            try:
                return self._running().submit(work, *arguments, **named)
            except BrokenExecutor:
                self.close()
                return self._running().submit(work, *arguments, **named)

    async def choose(self, policy: Policy, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the choice of `policy`. A policy without a memory chooses in this process, others in one of
        the pool. If the latter fails or takes too long, heuristics choose."""
        if policy.ignores_events:
            return policy.choose(view, seat, choices)
        thought = asyncio.wrap_future(self.begin(policy, view, seat))
        await asyncio.wait((thought,), timeout=PATIENCE)
        return settled(line_of(thought), view, seat, choices)

    def _running(self) -> Executor:
        if self._executor is None:
            import multiprocessing  # most tables need no process
            from concurrent.futures import ProcessPoolExecutor

            # Spawned, not forked: connections, threads and keys of a host must not be copied.
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
            )
        return self._executor


class Unhurried:
    """A policy for a caller that asks again and again: `choose` returns None until a process of the pool has
    chosen."""

    def __init__(self, policy: Policy, pool: ThinkingPool) -> None:
        self._policy = policy
        self._pool = pool
        self._thought: Future[str] | None = None
        self._of = -1
        self.ignores_events = policy.ignores_events
        self.told = policy.told

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """Return one of `choices`, or None while a process is still choosing."""
        if self.ignores_events:
            return self._policy.choose(view, seat, choices)
        if self._thought is None or self._of != view.tick:
            self._thought, self._of = self._pool.begin(self._policy, view, seat), view.tick
        if not self._thought.done():
            return None
        thought, self._thought = self._thought, None
        return settled(line_of(thought), view, seat, choices)


def line_of(thought: "Future[str] | asyncio.Future[str]") -> str:
    """Return the line of notation that a process has chosen. "" if it took too long or was ended. Raises the
    errors of the policy."""
    if not thought.done() or thought.cancelled() or isinstance(thought.exception(), BrokenExecutor):
        return ""
    return thought.result()


def settled(line: str, view: State, seat: int, choices: Sequence[Choice]) -> Action:
    """Return the action of a line of notation that a process has chosen. If `line` is "" or not one of
    `choices`, let heuristics choose."""
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
