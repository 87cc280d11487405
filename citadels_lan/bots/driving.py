"""A bot in a seat of a real table."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, Protocol, TypeAlias, runtime_checkable

from citadels_lan.engine import Event
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .policy import Policy, tell

Think: TypeAlias = Callable[[Policy, State, int, Sequence[Choice]], Awaitable[Action]]

PATIENCE: Final = 100
"""So many refusals in a row are not bad luck any more."""


@runtime_checkable
class Happening(Protocol):
    """A sign of life that tells what has happened, as the seat is told it."""

    @property
    def events(self) -> Sequence[Event]: ...


class SeatView(Protocol):
    """What a bot reads: its seat, what that seat knows, what it knew before anything had happened, and what it may
    do."""

    @property
    def seat(self) -> int | None: ...

    @property
    def state(self) -> State | None: ...

    @property
    def beginning(self) -> State | None: ...

    @property
    def choices(self) -> Sequence[Choice]: ...


class DrivenSeat(Protocol):
    """What a bot needs of a session: the table as it is now, a way to move, and an update whenever something has
    changed. `past` is what had happened before the first update, for a bot that listens."""

    @property
    def table(self) -> SeatView: ...

    @property
    def past(self) -> Sequence[object]: ...

    def updates(self) -> AsyncIterator[object]: ...

    async def act(self, action: Action) -> None: ...


class _Ear:
    """What a bot that listens has been told: everything, in order, once. `known` is its view after that."""

    def __init__(self, session: DrivenSeat, policy: Policy) -> None:
        self.known: State | None = None
        self._session = session
        self._policy = policy

    def hear(self, update: object) -> None:
        """Tell the bot what an update says."""
        if self._policy.deaf or not isinstance(update, Happening):
            return
        if self.known is None:
            self.known = self._session.table.beginning
            for earlier in self._session.past:
                self.hear(earlier)
        if self.known is not None:
            self.known = tell(self._policy, self.known, update.events)

    def lags(self, view: State) -> bool:
        """Whether the bot has not been told yet all that has led to this view."""
        return not self._policy.deaf and (self.known is None or self.known.tick < view.tick)


async def at_once(policy: Policy, view: State, seat: int, choices: Sequence[Choice]) -> Action:
    """What a bot chooses, while everybody waits."""
    return policy.choose(view, seat, choices)


async def drive(
    session: DrivenSeat, policy: Policy, *, later: type[Exception], pause: float = 0.0, think: Think = at_once
) -> None:
    """Play a seat until its session has no more to tell. `think` is how its bot comes to a choice.

    `later` is what `act` raises where the move cannot be made now, say because the connection has just gone; the
    bot then waits for the next update. `pause` are seconds before each move, lest people lose track; a pick, which
    shows nothing, takes half of it.
    """
    refusals, ear = 0, _Ear(session, policy)
    async for update in session.updates():
        ear.hear(update)
        if not session.table.choices:
            continue
        if pause:
            state = session.table.state
            picking = state is not None and state.phase == "draft"
            await asyncio.sleep(pause / 2 if picking else pause)
        table = session.table
        view, seat, choices = table.state, table.seat, table.choices
        if view is None or seat is None or not choices or ear.lags(view):
            continue
        action = await think(policy, view, seat, choices)
        now = session.table.state
        if now is None or now.tick != view.tick:
            continue  # the table has gone on meanwhile, and says so
        try:
            await session.act(action)
            refusals = 0
        except later:
            refusals += 1
            if refusals > PATIENCE:
                raise
