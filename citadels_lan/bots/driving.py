"""A bot in a seat of a real table."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from citadels_lan.engine.actions import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .policy import Policy


class Seat(Protocol):
    """What a bot needs of a session: its seat and view, what it may do now, a way to do it, and a sign of life
    whenever something has changed."""

    @property
    def seat(self) -> int | None: ...

    @property
    def state(self) -> State | None: ...

    def choices(self) -> Sequence[Choice]: ...

    def updates(self) -> AsyncIterator[object]: ...

    async def act(self, action: Action) -> None: ...


async def drive(session: Seat, policy: Policy) -> None:
    """Play a seat until its session has no more to tell. A refused move is raised: it is a fault of ours."""
    await _move(session, policy)
    async for _ in session.updates():
        await _move(session, policy)


async def _move(session: Seat, policy: Policy) -> None:
    view, seat = session.state, session.seat
    if view is None or seat is None:
        return
    choices = session.choices()
    if choices:
        await session.act(policy.choose(view, seat, choices))
