"""The pauses that bots make so that people can follow."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import State

NORMAL: Final = "normal"
SPEEDS: Final[Mapping[str, tuple[float, float]]] = {"slow": (1.2, 0.4), NORMAL: (0.4, 0.0), "instant": (0.0, 0.0)}
"""For each speed, the seconds that a bot waits (before its turn, before each other move of the turn). At
normal speed the moves of a turn appear together, because the log summarises the turn."""


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
        """End the present pause. From now on make no pauses, until `resume` is called."""
        self._skipped.set()

    def resume(self) -> None:
        """Make pauses again after `skip`."""
        self._skipped.clear()

    def seconds(self, state: State, seat: int, *, begins: bool) -> float:
        """Return the pause before a move of `seat`, in seconds. `begins`: the move is the first of the turn.

        Moves outside that seat's own turn, such as picks and bids, have no pause. In an edition that calls
        characters from a deck the pauses are half as long, because turns are short and many.
        """
        if state.turn is None or state.turn.seat != seat:
            return 0.0
        seconds = SPEEDS.get(self.speed, SPEEDS[NORMAL])[0 if begins else 1]
        return seconds / 2 if state.calls else seconds

    async def wait(self, state: State, seat: int, *, begins: bool) -> None:
        """Wait for the pause before a move of `seat`, or until `skip` is called. `begins`: the move is the
        first of the turn."""
        if (seconds := self.seconds(state, seat, begins=begins)) and not self.skipped:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), seconds)


NO_PAUSES: Final = Pauses()
"""Pauses of no length, for tables without a person who watches."""
