"""Compare a move that was made with the other moves of that decision, as a bot weighs them."""

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
from .wording import Wording

NO_CHOICE: Final = msg("There was no decision in this move, or the file does not contain it.")


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
    wording = Wording(texts, decision.view, decision.seat, names)
    best, made = moves[0], next(move for move in moves if move.line == decision.line)
    yield f"{names[decision.seat]}: {wording.rated(made)}"
    yield ""
    if made is not best and made.worse:
        yield texts.say(msg("Better: {move}"), move=wording.rated(best))
        yield wording.why(best, made)
    elif made is not best:
        yield texts.say(msg("About as good: {move}."), move=wording.rated(best))
    elif len(moves) > 1 and moves[1].worse:
        yield texts.say(msg("This is the best move."))
        yield wording.why(best, moves[1])
    elif len(moves) > 1:
        yield texts.say(msg("About as good: {move}."), move=wording.rated(moves[1]))
    yield ""
    yield from wording.chances(moves)
    yield ""
    yield texts.say(BY_WHAT)
