"""How often somebody may ask for something."""

from typing import Final

from msgspec import Struct

ROUNDING: Final = 1e-6
"""Seconds by which sums of such times are wrong at most: the last request of a burst is one of it."""


class Bucket(Struct):
    """So many requests at once, and then only so many a second. `spent` is the time until which they are spent."""

    burst: int
    rate: float
    spent: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        spent = max(self.spent, now - self.burst / self.rate) + 1 / self.rate
        if spent > now + ROUNDING:
            return False
        self.spent = spent
        return True
