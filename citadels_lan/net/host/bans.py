"""What one session of a host remembers of those who want to join: the code's limits and the bans.

A rematch takes this state over, so a removed player stays out and the counters of wrong codes do not restart.
"""

from typing import Final

from msgspec import Struct

from citadels_lan.net.join.door import Door

FIRST: Final = 5.0
"""Seconds of the first ban for flooding; each further one is twice as long."""
LONGEST: Final = 600.0
"""Seconds of the longest ban for flooding."""
MEMORY: Final = 3600.0
"""Seconds after which a ban for flooding is forgotten."""
MOST: Final = 256
"""Bans for flooding that are remembered, the last ones: an attacker can make keys at no cost."""


class Ban(Struct):
    """How often a key or source was banned, when last, and until when. Times are monotonic seconds."""

    times: int
    since: float
    until: float


class Bans:
    """`removed` are the keys that the owner has sent away, until there is a new code. Bans for flooding end after
    some time; they hold for a key, and for the source of a connection without a seat."""

    def __init__(self) -> None:
        self.removed: set[bytes] = set()
        self._flooding: dict[bytes | str, Ban] = {}

    def ban(self, who: bytes | str, now: float) -> None:
        """Ban for flooding, longer than the time before."""
        before = self._flooding.pop(who, None)
        times = before.times + 1 if before is not None and now - before.since < MEMORY else 1
        self._flooding[who] = Ban(times, now, now + min(FIRST * 2 ** (times - 1), LONGEST))
        if len(self._flooding) > MOST:
            del self._flooding[next(iter(self._flooding))]

    def left(self, who: bytes | str, now: float) -> float:
        """Return the seconds that a ban for flooding still lasts; 0 without one."""
        ban = self._flooding.get(who)
        return max(ban.until - now, 0.0) if ban is not None else 0.0


class Admission(Struct, frozen=True):
    """Who may join the tables of one host's session: `door` asks for the code, `bans` are those kept out."""

    door: Door
    bans: Bans
