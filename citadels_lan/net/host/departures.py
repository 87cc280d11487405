"""When the memory of a crowd that has left is given back. Times are seconds of any steady clock."""

import math
from typing import Final

CROWD: Final = 8
"""So many connections are a crowd: what fewer have needed the next ones need again."""
CALM: Final = 1.0
"""Seconds after the last of them: while a crowd comes and goes, memory would go back and forth."""


class Departures:
    """How many connections have ended since memory was given back."""

    def __init__(self) -> None:
        self._count = 0
        self._last = -math.inf

    def note(self, now: float) -> None:
        """One more has ended."""
        self._count += 1
        self._last = now

    def over(self, now: float) -> bool:
        """Whether a crowd has left, and nobody else since; told once."""
        if self._count < CROWD or now - self._last < CALM:
            return False
        self._count = 0
        return True
