"""A hint for one's own move: what comes of each with one's view and memory, thought out by a bot, and why the best
is the best.

Whoever takes one says so to everybody first, in a line of chat that programs show as a notice; a table may have
agreed that nobody does. There is none for an answer about a sealed marker: that somebody has to think about it
would say too much.
"""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citadels_lan.engine import Event, State, acting, evolve
from citadels_lan.front.table_session import TableSession
from citadels_lan.texts import Message, Texts, msg

if TYPE_CHECKING:  # whoever never asks needs no bots
    from citadels_lan.bots.search.weighing import Weighed
    from citadels_lan.bots.thinking.pool import ThinkingPool
    from citadels_lan.bots.worlds.memory import Memory

TAKEN: Final = "/hint"
"""The line of chat that says it."""
TOOK: Final = msg("{name} takes a hint.")
FORBIDDEN: Final = msg("At this table nobody takes hints.")
NOT_NOW: Final = msg("There is no hint now: nothing is asked of you.")
UNKNOWN: Final = msg("There is no hint: this program has not seen all of this game.")
STOPPED: Final = msg("The system has stopped the thinking: ask again.")
THINKING: Final = msg("Thinking about it…")


class NoHint(Exception):
    """There is none; `why` is a sentence."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class BotHint:
    """The candidates of a decision, weighed, the best first."""

    view: State
    seat: int
    moves: "Sequence[Weighed]"


class Adviser:
    """What one seat has been told, kept until somebody asks for a hint: only then it is gone through."""

    def __init__(self) -> None:
        self._untold: list[Event] = []
        self._known: State | None = None
        self._memory: Memory | None = None

    def note(self, events: Sequence[Event]) -> None:
        """Something has happened, as the seat is told it."""
        self._untold += events

    def recall(self, beginning: State | None, view: State) -> "Memory":
        """What the seat remembers when it has this view. Raises NoHint where something is missing between."""
        from citadels_lan.bots.worlds.memory import Memory, remember

        memory, known = self._memory or Memory(), self._known or beginning
        if known is None:
            raise NoHint(UNKNOWN)
        for event in self._untold:
            remember(memory, known, event)
            known = evolve(known, event)
        self._untold, self._known, self._memory = [], known, memory
        if known.tick != view.tick:
            raise NoHint(UNKNOWN)
        return memory


def check(session: TableSession) -> tuple[State, int]:
    """The view and the seat of whoever may take a hint now. Raises NoHint."""
    if not session.settings.hints:
        raise NoHint(FORBIDDEN)
    view, seat = session.state, session.seat
    asked = view is not None and seat in acting(view) and session.choices() and session.answer is None
    if view is None or seat is None or not asked:
        raise NoHint(NOT_NOW)
    return view, seat


async def advise(session: TableSession, adviser: Adviser, pool: "ThinkingPool") -> BotHint:
    """Take a hint. Raises NoHint, and Refusal where nobody can be told."""
    from citadels_lan.bots.search.weighing import HINT, weigh
    from citadels_lan.bots.worlds.characters import NoWorld

    view, seat = check(session)
    memory = adviser.recall(session.beginning, view)
    await session.chat(TAKEN)
    thought = pool.submit(weigh, view, seat, session.choices(), memory, HINT, "hint")
    try:
        moves = await asyncio.wrap_future(thought)
    except BrokenProcessPool:
        raise NoHint(STOPPED) from None
    except NoWorld:
        raise NoHint(UNKNOWN) from None
    if session.state is None or session.state.tick != view.tick:
        raise NoHint(NOT_NOW)
    return BotHint(view, seat, moves)


def lines(texts: Texts, advice: BotHint, names: Sequence[str]) -> Iterator[str]:
    """The best move, why it is better than the next one, and the chances of all that were considered."""
    from .wording import Wording

    wording = Wording(texts, advice.view, advice.seat, names, own=True)
    best, *others = advice.moves
    yield texts.say(msg("Best: {move}."), move=wording.rated(best))
    if others and not others[0].worse:
        yield texts.say(msg("About as good: {move}."), move=wording.rated(others[0]))
    elif others:
        yield wording.why(best, others[0])
    yield ""
    yield from wording.chances(advice.moves)
