"""A bot's hint for the player's decision: the possible moves with the bot's estimates, and why the best one
is better than the next."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from citadels_lan.engine import Event, State, acting, evolve
from citadels_lan.net.client.updates import TableView
from citadels_lan.texts import Message, msg

from .plan import NO_HINTS

if TYPE_CHECKING:
    from concurrent.futures import Future

    from citadels_lan.bots.search.memory import Memory
    from citadels_lan.bots.search.reviews import Weighed
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.net.client.session import Session


T = TypeVar("T")
TAKEN: Final = "/hint"
"""The chat message by which the program announces to all players that this player asks for a hint."""
TOOK: Final = msg("{name} asks for a hint.")
NOT_NOW: Final = msg("No hint now: you have nothing to decide.")
UNKNOWN: Final = msg("No hint: this program has not seen the whole game.")
STOPPED: Final = msg("The hint was interrupted. Ask again.")
THINKING: Final = msg("Thinking…")


class NoHint(Exception):
    """No hint can be given; `why` is the reason."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class BotHint:
    """The possible moves of a decision with their estimates, the best first."""

    view: State
    seat: int
    moves: "Sequence[Weighed]"


class Adviser:
    """Collects the events that one seat receives. They are processed only if the player asks for a hint."""

    def __init__(self) -> None:
        self._untold: list[Event] = []
        self._known: State | None = None
        self._memory: Memory | None = None

    def note(self, events: Sequence[Event]) -> None:
        """Store events that the seat has received."""
        self._untold += events

    def recall(self, beginning: State | None, view: State) -> "Memory":
        """Return the bot's memory of all events up to `view`; `beginning` is the state before the first
        event. Raises NoHint if events are missing."""
        # Loading the bots takes long, and most players never ask for a hint.
        from citadels_lan.bots.search.memory import Memory, remember

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


def check_hint(table: TableView) -> tuple[State, int]:
    """Return the view and the seat of the player if a hint is allowed now. Raises NoHint."""
    if not table.settings.hints:
        raise NoHint(NO_HINTS)
    view, seat = table.state, table.seat
    asked = view is not None and seat in acting(view) and table.choices and table.answer is None
    if view is None or seat is None or not asked:
        raise NoHint(NOT_NOW)
    return view, seat


async def thought(future: "Future[T]") -> T:
    """Wait for the result of a bot's computation, and return it. Raises NoHint if it failed."""
    from concurrent.futures.process import BrokenProcessPool

    from citadels_lan.bots.search.dealing import NoSampledState

    try:
        return await asyncio.wrap_future(future)
    except BrokenProcessPool:
        raise NoHint(STOPPED) from None
    except NoSampledState:
        raise NoHint(UNKNOWN) from None


async def advise(session: "Session", adviser: Adviser, pool: "ThinkingPool") -> BotHint:
    """Announce to all players that this player asks for a hint, and compute it. Raises NoHint; raises Refusal
    if the host rejects the announcement."""
    from citadels_lan.bots.search.reviews import HINT, weigh

    table = session.table
    view, seat = check_hint(table)
    memory = adviser.recall(table.beginning, view)
    await session.chat(TAKEN)
    moves = await thought(pool.submit(weigh, view, seat, table.choices, memory, HINT, "hint"))
    # While the bot was computing, the player may have moved.
    now = session.table.state
    if now is None or now.tick != view.tick:
        raise NoHint(NOT_NOW)
    return BotHint(view, seat, moves)
