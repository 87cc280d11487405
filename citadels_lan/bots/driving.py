"""A bot in a seat of a real table."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .policy import Policy

PATIENCE: Final = 100
"""So many refusals in a row are not bad luck any more."""


class DrivenSeat(Protocol):
    """What a bot needs of a session: its seat and view, what it may do now, a way to do it, and a sign of life
    whenever something has changed."""

    @property
    def seat(self) -> int | None: ...

    @property
    def state(self) -> State | None: ...

    def choices(self) -> Sequence[Choice]: ...

    def updates(self) -> AsyncIterator[object]: ...

    async def act(self, action: Action) -> None: ...


async def drive(session: DrivenSeat, policy: Policy, *, later: type[Exception], pause: float = 0.0) -> None:
    """Play a seat until its session has no more to tell.

    `later` is what `act` raises where the move cannot be made now, say because the connection has just gone; the
    bot then waits for the next update. `pause` are seconds before each move, lest people lose track; a pick, which
    shows nothing, takes half of it.
    """
    refusals = 0
    async for _ in session.updates():
        if not session.choices():
            continue
        if pause:
            picking = session.state is not None and session.state.phase == "draft"
            await asyncio.sleep(pause / 2 if picking else pause)
        view, seat, choices = session.state, session.seat, session.choices()
        if view is None or seat is None or not choices:
            continue
        try:
            await session.act(policy.choose(view, seat, choices))
            refusals = 0
        except later:
            refusals += 1
            if refusals > PATIENCE:
                raise
