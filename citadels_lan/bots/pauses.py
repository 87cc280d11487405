"""The pauses that bots make so that people can follow."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import State

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
        """Undo `skip`: make pauses again from now on."""
        self._skipped.clear()

    def seconds(self, state: State, seat: int, *, begins: bool) -> float:
        """Return the pause before a move of `seat`; `begins`: it is the first of the turn. Moves outside that
        seat's turn, such as picks and bids, show little and have none. Where characters are called from a
        deck, turns are short and many, and the pauses half as long."""
        if state.turn is None or state.turn.seat != seat:
            return 0.0
        seconds = SPEEDS.get(self.speed, SPEEDS[NORMAL])[0 if begins else 1]
        return seconds / 2 if state.calls else seconds

    async def wait(self, state: State, seat: int, *, begins: bool) -> None:
        """Wait for the pause before a move, or until the player skips it."""
        if (seconds := self.seconds(state, seat, begins=begins)) and not self.skipped:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), seconds)


NO_PAUSES: Final = Pauses()
"""The pauses of a table that no one watches: none."""
