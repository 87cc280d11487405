"""A hint for the player's own move: the candidates as a bot weighs them, and why the best one is better.

The player's program announces the hint first, in a line of chat that the others see as a notice. A table may
forbid hints. There is none for an answer about a sealed marker, because the delay would reveal something.
"""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citadels_lan.engine import Event, State, acting, evolve
from citadels_lan.front.table_session import TableSession
from citadels_lan.texts import Message, Texts, msg

if TYPE_CHECKING:  # without a hint no bots are loaded
    from citadels_lan.bots.search.weighing import Weighed
    from citadels_lan.bots.thinking.pool import ThinkingPool
    from citadels_lan.bots.worlds.memory import Memory

TAKEN: Final = "/hint"
"""The line of chat that announces a hint."""
TOOK: Final = msg("{name} asks for a hint.")
FORBIDDEN: Final = msg("Hints are not allowed at this table.")
NOT_NOW: Final = msg("No hint now: you have nothing to decide.")
UNKNOWN: Final = msg("No hint: this program has not seen the whole game.")
STOPPED: Final = msg("The hint was interrupted. Ask again.")
THINKING: Final = msg("Thinking about it…")


class NoHint(Exception):
    """There is no hint; `why` is a sentence."""

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
    """The events that one seat has received. They are processed only when the player asks for a hint."""

    def __init__(self) -> None:
        self._untold: list[Event] = []
        self._known: State | None = None
        self._memory: Memory | None = None

    def note(self, events: Sequence[Event]) -> None:
        """Store events as the seat receives them."""
        self._untold += events

    def recall(self, beginning: State | None, view: State) -> "Memory":
        """Return the memory of the seat at this view. Raises NoHint if events are missing."""
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
    """Return view and seat if the player may ask for a hint now. Raises NoHint."""
    if not session.settings.hints:
        raise NoHint(FORBIDDEN)
    view, seat = session.state, session.seat
    asked = view is not None and seat in acting(view) and session.choices() and session.answer is None
    if view is None or seat is None or not asked:
        raise NoHint(NOT_NOW)
    return view, seat


async def advise(session: TableSession, adviser: Adviser, pool: "ThinkingPool") -> BotHint:
    """Announce a hint and compute it. Raises NoHint, and Refusal if it cannot be announced."""
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
