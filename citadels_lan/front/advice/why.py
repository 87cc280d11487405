"""Why a move, or why not: the move that was made beside the others, as a bot weighs them."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from citadels_lan.bots.search.reviewing import Decision
from citadels_lan.bots.search.weighing import HINT, Weighed, weigh
from citadels_lan.bots.thinking.pool import ThinkingPool
from citadels_lan.bots.worlds.characters import NoWorld
from citadels_lan.engine import decisions, parse
from citadels_lan.front.recording import Recording
from citadels_lan.texts import Texts, msg

from .decided import decision_at
from .hint import STOPPED, UNKNOWN, NoHint
from .reviewed import BY_WHAT
from .wording import because, chances, percent, spoken

NO_CHOICE: Final = msg("Nothing was to be decided in this move, or the file does not say what.")


async def explain(pool: ThinkingPool, recording: Recording, step: int) -> tuple[Decision, list[Weighed]]:
    """The decision of a step and its moves, the best first. Raises NoHint."""
    decision = await asyncio.to_thread(decision_at, recording, step)
    if decision is None:
        raise NoHint(NO_CHOICE)
    view, seat = decision.view, decision.seat
    made = parse(decision.line, seat)
    thought = pool.submit(weigh, view, seat, decisions(view)[seat], decision.memory, HINT, "why", made)
    try:
        return decision, await asyncio.wrap_future(thought)
    except BrokenProcessPool:
        raise NoHint(STOPPED) from None
    except NoWorld:
        raise NoHint(UNKNOWN) from None


def lines(texts: Texts, decision: Decision, moves: Sequence[Weighed], names: Sequence[str]) -> Iterator[str]:
    """Who did what, what was better and why, and all candidates with their chances."""
    view, seat = decision.view, decision.seat
    best, made = moves[0], next(move for move in moves if move.line == decision.line)
    done = spoken(texts, made, view, seat, names)
    yield f"{names[seat]}: {done} ({percent(made.chance)})"
    yield ""
    better = spoken(texts, best, view, seat, names)
    if made is best and len(moves) > 1:
        next_best = texts.say(msg("The next best: {move}."), move=spoken(texts, moves[1], view, seat, names))
        yield texts.say(msg("No other move looks better."))
        yield f"{next_best} {because(texts, best, moves[1], names[seat])}" if moves[1].worse else next_best
    elif made is best or not made.worse:
        yield texts.say(msg("About as good: {move}."), move=better)
    else:
        yield texts.say(msg("Better: {move} ({chance} to win)"), move=better, chance=percent(best.chance))
        yield because(texts, best, made, names[seat])
    yield ""
    yield from chances(texts, moves, view, seat, names)
    yield ""
    yield texts.say(BY_WHAT)
