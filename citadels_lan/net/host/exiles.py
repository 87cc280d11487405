"""Who has been sent away for sending too much, and until when. Times are seconds of any steady clock."""

from typing import Final

from msgspec import Struct

FIRST: Final = 5.0
LONGEST: Final = 600.0
"""Seconds that somebody stays away at most; each time is twice as long as the one before."""
MEMORY: Final = 3600.0
"""Seconds after which it is forgotten."""
MOST: Final = 256
"""So many are remembered at most, the last ones: a key costs its owner nothing."""


class Exile(Struct):
    """How often somebody was sent away, when last, and until when that holds."""

    times: int
    since: float
    until: float


class Exiles:
    """By key, and for those without a seat by where they come from."""

    def __init__(self) -> None:
        self._exiles: dict[bytes | str, Exile] = {}

    def send(self, who: bytes | str, now: float) -> None:
        """Somebody has to go, and stays away longer than the time before."""
        before = self._exiles.pop(who, None)
        times = before.times + 1 if before is not None and now - before.since < MEMORY else 1
        self._exiles[who] = Exile(times, now, now + min(FIRST * 2 ** (times - 1), LONGEST))
        if len(self._exiles) > MOST:
            del self._exiles[next(iter(self._exiles))]

    def left(self, who: bytes | str, now: float) -> float:
        """For how many seconds more; 0 where somebody may come."""
        exile = self._exiles.get(who)
        return max(exile.until - now, 0.0) if exile is not None else 0.0
