"""Driving a bot in a seat of a real table."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol, TypeAlias, runtime_checkable

from citadels_lan.engine import Event
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .policy import Policy, tell

Think: TypeAlias = Callable[[Policy, State, int, Sequence[Choice]], Awaitable[Action]]

PATIENCE: Final = 100
"""After this many rejected moves in a row, the error is raised."""
NORMAL: Final = "normal"
SPEEDS: Final[Mapping[str, tuple[float, float]]] = {"slow": (1.2, 0.4), NORMAL: (0.4, 0.0), "instant": (0.0, 0.0)}
"""Seconds that a bot waits before its turn, and before each other move of the turn. At normal speed a whole turn
appears at once, because the log sums it up."""


class Pauses:
    """The pauses that the bots of a table make so that people can follow. `speed` can change during the game."""

    def __init__(self, speed: str = "instant") -> None:
        """`speed` is a key of SPEEDS; any other word counts as normal."""
        self.speed = speed
        self._skipped = asyncio.Event()

    @property
    def skipped(self) -> bool:
        """Whether bots make no pauses now."""
        return self._skipped.is_set()

    def skip(self) -> None:
        """End the present pause, and make none until `resume`."""
        self._skipped.set()

    def resume(self) -> None:
        """Make pauses again."""
        self._skipped.clear()

    def seconds(self, state: State, seat: int, *, begins: bool) -> float:
        """Return the pause before a move of `seat`; `begins`: it is the first of the turn. Moves outside the own
        turn, such as picks and bids, show little and have none. Where characters are called from a deck, turns
        are short and many, and the pauses half as long."""
        if state.turn is None or state.turn.seat != seat:
            return 0.0
        seconds = SPEEDS.get(self.speed, SPEEDS[NORMAL])[0 if begins else 1]
        return seconds / 2 if state.calls else seconds

    async def wait(self, state: State, seat: int, *, begins: bool) -> None:
        """Wait for that time, or until the player skips it."""
        if (seconds := self.seconds(state, seat, begins=begins)) and not self.skipped:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), seconds)


NO_PAUSES: Final = Pauses()
"""The pauses of a table that nobody watches."""


def turn_key(state: State) -> tuple[object, ...]:
    """Return a value that is different in each turn."""
    turn = state.turn
    return () if turn is None else (state.round, state.calls, turn.seat, turn.character)


@runtime_checkable
class Happening(Protocol):
    """An update that contains events, as the seat receives them."""

    @property
    def events(self) -> Sequence[Event]:
        """The events in order."""


class SeatView(Protocol):
    """The data that a bot reads: its seat, the seat's view, the view before the first event, and the choices."""

    @property
    def seat(self) -> int | None:
        """The seat of the bot, None before the seats are known."""

    @property
    def state(self) -> State | None:
        """The view of the seat, None before the game."""

    @property
    def beginning(self) -> State | None:
        """The view before the first event."""

    @property
    def choices(self) -> Sequence[Choice]:
        """The legal moves; empty if the seat need not move."""


class DrivenSeat(Protocol):
    """The session that a bot needs."""

    @property
    def table(self) -> SeatView:
        """The present table."""

    @property
    def past(self) -> Sequence[object]:
        """The updates before the first one, for a bot with a memory."""

    def updates(self) -> AsyncIterator[object]:
        """Yield an update after each change."""

    async def act(self, action: Action) -> None:
        """Send a move to the host."""


class _Ear:
    """Passes all events to a bot with a memory, in order and once. `known` is the view after the last of them."""

    def __init__(self, session: DrivenSeat, policy: Policy) -> None:
        self.known: State | None = None
        self._session = session
        self._policy = policy

    def hear(self, update: object) -> None:
        """Pass the events of an update to the bot."""
        if self._policy.deaf or not isinstance(update, Happening):
            return
        if self.known is None:
            self.known = self._session.table.beginning
            for earlier in self._session.past:
                self.hear(earlier)
        if self.known is not None:
            self.known = tell(self._policy, self.known, update.events)

    def lags(self, view: State) -> bool:
        """Return whether this view contains events that the bot has not received."""
        return not self._policy.deaf and (self.known is None or self.known.tick < view.tick)


async def at_once(policy: Policy, view: State, seat: int, choices: Sequence[Choice]) -> Action:
    """Return the choice of a bot, while the program waits."""
    return policy.choose(view, seat, choices)


async def drive(
    session: DrivenSeat,
    policy: Policy,
    *,
    later: type[Exception],
    pauses: Pauses = NO_PAUSES,
    think: Think = at_once,
) -> None:
    """Play a seat until its session has no more updates. `think` calls the bot.

    `later` is the error that `act` raises if a move cannot be made now, such as after a lost connection. The
    bot then waits for the next update.
    """
    refusals, ear = 0, _Ear(session, policy)
    turn: tuple[object, ...] = ()
    async for update in session.updates():
        ear.hear(update)
        table = session.table
        if table.choices and table.state is not None and table.seat is not None:
            before, turn = turn, turn_key(table.state)
            await pauses.wait(table.state, table.seat, begins=turn != before)
        table = session.table
        view, seat, choices = table.state, table.seat, table.choices
        if view is None or seat is None or not choices or ear.lags(view):
            continue
        action = await think(policy, view, seat, choices)
        now = session.table.state
        if now is None or now.tick != view.tick:
            # The table has changed while the bot was thinking, and an update about that follows.
            continue
        try:
            await session.act(action)
            refusals = 0
        except later:
            refusals += 1
            if refusals > PATIENCE:
                raise
