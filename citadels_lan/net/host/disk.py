"""A game that stands still, of which everybody is told; and a disk without room, which is tried again."""

from typing import Final

from citadels_lan.net.wire.messages import Standstill

RETRY: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


class Disk:
    """Whether the game stands still. `halted` is why, a code of `reasons`; empty while it goes on."""

    def __init__(self) -> None:
        self.halted = ""
        self._next, self._pause = 0.0, RETRY[0]

    def look(self, code: str, now: float) -> Standstill | None:
        """What is to be told: that the game stands still, or goes on; None where that is nothing new."""
        if code == self.halted:
            return None
        self.halted, self._next, self._pause = code, now + RETRY[0], RETRY[0]
        return Standstill(code)

    def due(self, now: float) -> bool:
        """Whether it is time to try again; the next time is later and later."""
        if now < self._next:
            return False
        self._pause = min(2 * self._pause, RETRY[1])
        self._next = now + self._pause
        return True
