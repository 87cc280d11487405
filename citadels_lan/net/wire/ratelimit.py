"""How often somebody may ask for something."""

from collections import OrderedDict
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


SOURCES: Final = 64
"""So many addresses are told apart; the one that was new longest ago is forgotten."""


class Throttle:
    """How much may come in a second, in all and from one address: one that floods does not silence the others."""

    def __init__(self, rate: int, rate_of_one: int) -> None:
        self._all = Bucket(rate, rate)
        self._rate_of_one = rate_of_one
        self._sources: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, source: str, now: float) -> bool:
        """Whether one more may come from an address."""
        if source not in self._sources:
            self._sources[source] = Bucket(2 * self._rate_of_one, self._rate_of_one)
            if len(self._sources) > SOURCES:
                self._sources.popitem(last=False)
        return self._sources[source].take(now) and self._all.take(now)
