"""How often somebody may ask for something."""

import math
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from msgspec import Struct

ROUNDING: Final = 1e-6
"""Seconds by which sums of such times are wrong at most: the last request of a burst is one of it."""
SOURCES: Final = 64
"""So many sources are told apart; the one that was new longest ago is forgotten."""


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

    def wait(self, now: float, cost: float = 1.0) -> float:
        """For how many seconds nothing more is allowed, or nothing that is worth `cost`."""
        return max(self._spent(now) + cost / self.rate - now, 0.0)

    def _spent(self, now: float) -> float:
        return max(self.spent, now - self.burst / self.rate)


class Each:
    """One bucket for each source."""

    def __init__(self, burst: int, rate: float) -> None:
        self._burst = burst
        self._rate = rate
        self._sources: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, source: Hashable, now: float) -> bool:
        """Whether one more from this source is allowed now."""
        if source not in self._sources:
            self._sources[source] = Bucket(self._burst, self._rate)
            if len(self._sources) > SOURCES:
                self._sources.popitem(last=False)
        return self._sources[source].take(now)


class Buckets:
    """One bucket for all, and one for each source: one that floods does not silence the others."""

    def __init__(self, everybody: Bucket, burst: int, rate: float) -> None:
        """`burst` and `rate` are those of a source."""
        self._all = everybody
        self._each = Each(burst, rate)

    def take(self, source: Hashable, now: float) -> bool:
        """Whether one more from this source is allowed now."""
        return self._each.take(source, now) and self._all.take(now)
