"""How often somebody may ask for something."""

import math
from typing import Final

from msgspec import Struct

ROUNDING: Final = 1e-6
"""Seconds by which sums of such times are wrong at most: the last request of a burst is one of it."""


class Bucket(Struct):
    """So many requests at once, and then only so many a second. `spent` is the time until which they are spent."""

    burst: int
    rate: float
    spent: float = -math.inf

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Whether one more is allowed now, or one that is worth `cost`."""
        spent = self._spent(now) + cost / self.rate
        if spent > now + ROUNDING:
            return False
        self.spent = spent
        return True

    def wait(self, now: float) -> float:
        """For how many seconds nothing more is allowed."""
        return max(self._spent(now) + 1 / self.rate - now, 0.0)

    def _spent(self, now: float) -> float:
        return max(self.spent, now - self.burst / self.rate)
