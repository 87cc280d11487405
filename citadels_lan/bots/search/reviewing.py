"""A seat's moves of a game gone over again: which of them have cost it most, by what it could know then.

Everything is weighed twice. The first look at all decisions finds what might have been better; of those that look
worst, a second one holds the better move against the one that was made, in worlds that are drawn anew: what looked
bad by luck looks so no more, and the difference that is told is a fair one.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing
from random import Random
from time import perf_counter
from typing import Final, TypeVar

from msgspec import Struct

from citadels_lan.bots.thinking.pool import ThinkingPool
from citadels_lan.bots.worlds.characters import NoWorld
from citadels_lan.bots.worlds.memory import Memory
from citadels_lan.engine import decisions, parse
from citadels_lan.engine.action import Action
from citadels_lan.engine.state import State

from .searching import Effort
from .weighing import Weighed, weigh, weigh_these

T = TypeVar("T")

FIRST_LOOK: Final = Effort(trials=120, seconds=2.0)
"""For each decision of a game."""
SECOND_LOOK: Final = Effort(trials=240, seconds=4.0)
"""For each of those that look worst."""
LOOKED_AT_AGAIN: Final = 9
MOST: Final = 3
"""So many moves are told."""
LEAST: Final = 0.02
"""A chance to win that is smaller by less is nothing to speak of."""
PATIENCE: Final = 180.0
"""Seconds for the first look at a whole game; what has not been looked at by then is left out, and counted."""


class Decision(Struct, frozen=True):
    """A decision as the seat met it: at which `step` of a recording, its view and what it remembered, and the line
    of the move that it made."""

    step: int
    seat: int
    view: State
    memory: Memory
    line: str


class CostlyMove(Struct, frozen=True):
    """A move that was made and the better one, weighed in the same worlds."""

    decision: Decision
    made: Weighed
    better: Weighed


class Review(Struct, frozen=True):
    """What a review has found, the worst first; of so many decisions it has `looked` at these."""

    moves: tuple[CostlyMove, ...]
    looked: int
    decisions: int


def first_look(decision: Decision) -> CostlyMove | None:
    """What might have been better than the move that was made; None where nothing was, or there was no choice."""
    view, seat = decision.view, decision.seat
    made = parse(decision.line, seat)
    seed = f"first look/{decision.step}"
    try:
        found = weigh(view, seat, decisions(view).get(seat, ()), decision.memory, FIRST_LOOK, seed, made)
    except NoWorld:
        return None
    return _against(decision, made, found)


def second_look(found: CostlyMove) -> CostlyMove | None:
    """The same two moves in other worlds; None where the one that was made does better there."""
    decision = found.decision
    made, better = (parse(move.line, decision.seat) for move in (found.made, found.better))
    random = Random(f"second look/{decision.step}")
    weighed = weigh_these(decision.view, decision.seat, [made, better], decision.memory, SECOND_LOOK, random)
    return _against(decision, made, weighed)


def _against(decision: Decision, made: Action, found: Sequence[Weighed]) -> CostlyMove | None:
    own = next(move for move in found if move.line == str(made))
    return None if own is found[0] else CostlyMove(decision, own, found[0])


def suspects(found: Iterable[CostlyMove], own: Sequence[Decision]) -> list[CostlyMove]:
    """What is worth a second look, the worst first: of a turn one move alone, the last of those that look equally
    bad, for the same chance was missed with all of them; and nothing that the seat did later in the turn."""
    worst: dict[object, CostlyMove] = {}
    for move in found:
        if _put_off(move, own):
            continue
        here = _moment(move.decision)
        if here not in worst or move.made.gap >= worst[here].made.gap - LEAST / 2:
            worst[here] = move
    return sorted(worst.values(), key=lambda move: -move.made.gap)[:LOOKED_AT_AGAIN]


def _put_off(move: CostlyMove, own: Sequence[Decision]) -> bool:
    return any(
        later.step > move.decision.step
        and later.line == move.better.line
        and _moment(later) == _moment(move.decision)
        for later in own
    )


def _moment(decision: Decision) -> object:
    """What the decisions of a turn have in common, and no others; a pick is one by itself."""
    view = decision.view
    turn = view.turn
    if turn is None or turn.seat != decision.seat:
        return decision.step
    return view.round, turn.character


def costliest(found: Iterable[CostlyMove]) -> tuple[CostlyMove, ...]:
    """Those that have clearly cost something, the worst first."""
    clear = [move for move in found if move.made.worse and move.made.gap >= LEAST]
    return tuple(sorted(clear, key=lambda move: -move.made.gap)[:MOST])


async def review(pool: ThinkingPool, own: Sequence[Decision], told: Callable[[float], None]) -> Review:
    """Go over decisions in the processes of a pool, in the order of the game; `told` hears how much is done, from
    0 to 1. Whoever cancels it ends all of its work."""
    late = perf_counter() + PATIENCE
    looked, found = 0, []
    async with aclosing(_each(pool, first_look, own)) as looks:
        async for move in looks:
            looked += 1
            found += [] if move is None else [move]
            told(0.8 * looked / len(own))
            if perf_counter() > late:
                break
    again = suspects(sorted(found, key=lambda move: move.decision.step), own)
    held = []
    async with aclosing(_each(pool, second_look, again)) as looks:
        async for move in looks:
            held.append(move)
            told(0.8 + 0.2 * len(held) / len(again))
    return Review(costliest(move for move in held if move is not None), looked, len(own))


async def _each(
    pool: ThinkingPool, look: Callable[[T], CostlyMove | None], things: Sequence[T]
) -> AsyncGenerator[CostlyMove | None, None]:
    """What a look at each thing has found, as it comes; a process that the system has ended finds nothing."""
    looks = [asyncio.wrap_future(pool.submit(look, thing)) for thing in things]
    try:
        for done in asyncio.as_completed(looks):
            try:
                yield await done
            except BrokenProcessPool:
                return
    finally:
        for one in looks:
            one.cancel()
