"""Limits for each source of traffic. No sockets and no clock: times `now` are monotonic seconds.

| class | limits | for |
|---|---|---|
| `Slots` | how many exist at once, in all and of one source | connections, tries of a code, web guests |
| `Bucket`, `Buckets` | how many come in a time, of one source and of all | frames, joins, datagrams, wrong codes |
| `Delays` | how long a source waits after it did something wrong | wrong codes, floods |

A source is an address (`source_of`), a key, or whatever else tells senders apart.
"""

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")

ROUNDING: Final = 1e-6
"""Largest rounding error in sums of such times, in seconds: the last request of a burst must still pass."""
SOURCES: Final = 64
"""Most sources that `Buckets` tell apart. The one that was first seen longest ago is forgotten."""


@lru_cache(256)
def source_of(address: str) -> str:
    """Return the source of connections from an address: the IPv4 address, or the /64 network of an IPv6
    address."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        # A test or a socket of the system may have no numeric address.
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    # One home has a whole /64, so its single addresses must not count apart.
    return str(number.ipv4_mapped or ipaddress.IPv6Network((int(number), 64), strict=False))


def is_loopback(address: str) -> bool:
    """Return whether an address is one of this computer's own, on which no other computer can be reached."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class Slots(Generic[T]):
    """A semaphore for each source: at most `most` holders at the same time, and `of_one` of one source."""

    def __init__(self, most: float, of_one: int) -> None:
        self._most = most
        self._of_one = of_one
        self._holders: dict[str, list[T]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._holders.values())

    def rivals(self, source: str) -> Sequence[T]:
        """Return the holders of which one has to leave before another of this source can enter; none while
        there is room. A source that has used all its slots must give up one of its own; otherwise the source
        with the most holders must."""
        own = self._holders.get(source, [])
        # A source at its limit competes only with itself.
        if len(own) >= self._of_one:
            return own
        return max(self._holders.values(), key=len) if self._count >= self._most else ()

    def enter(self, source: str, holder: T) -> None:
        """Take a slot for a holder."""
        self._holders.setdefault(source, []).append(holder)
        self._count += 1

    def leave(self, source: str, holder: T) -> None:
        """Free the slot of a holder. Does nothing for one that has none."""
        own = self._holders.get(source, [])
        if holder in own:
            own.remove(holder)
            self._count -= 1
            if not own:
                del self._holders[source]


class Bucket(Struct):
    """A token bucket: `burst` requests at once, then `rate` a second. `spent` is when the bucket is full again."""

    burst: int
    rate: float
    spent: float = -math.inf

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take a token, or as many as a request costs. Return False if there are not enough."""
        spent = self._spent(now) + cost / self.rate
        if spent > now + ROUNDING:
            return False
        self.spent = spent
        return True

    def wait(self, now: float, cost: float = 1.0) -> float:
        """Return the seconds until the bucket has this many tokens."""
        return max(self._spent(now) + cost / self.rate - now, 0.0)

    def _spent(self, now: float) -> float:
        # Unused tokens do not add up beyond one burst.
        return max(self.spent, now - self.burst / self.rate)


class Buckets:
    """A token bucket for each source, and one for all together. So a source that floods does not block the
    others."""

    def __init__(self, burst: int, rate: float, everyone: Bucket | None = None) -> None:
        """`burst` and `rate` are those of a source."""
        self._limit = burst, rate
        self._everyone = everyone
        self._sources: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, source: Hashable, now: float) -> bool:
        """Take a token of this source. Return False if there is none."""
        if source not in self._sources:
            self._sources[source] = Bucket(*self._limit)
            if len(self._sources) > SOURCES:
                self._sources.popitem(last=False)
        # The common bucket is asked last, so a flooding source takes nothing from the others.
        return self._sources[source].take(now) and (self._everyone is None or self._everyone.take(now))


class Offence(Struct):
    """The number of offences of a source, and the time of the last one."""

    times: int
    last: float


class Delays:
    """Waiting times for sources that commit offences, such as wrong codes: `first` seconds after the first
    `free` times, and twice as long after each further time, `longest` at most. A source is forgotten after
    `memory` seconds; the last `most` sources are kept."""

    def __init__(self, free: int, first: float, longest: float, memory: float, most: int) -> None:
        self._free = free
        self._first = first
        self._longest = longest
        self._memory = memory
        self._most = most
        self._sources: dict[Hashable, Offence] = {}

    def __contains__(self, source: Hashable) -> bool:
        """Whether a source has committed so many offences that it had to wait."""
        return source in self._sources and self._sources[source].times >= self._free

    def times(self, source: Hashable) -> int:
        """Return the number of offences of a source."""
        return self._sources[source].times if source in self._sources else 0

    def note(self, source: Hashable, now: float) -> None:
        """Count one more offence of a source, and forget sources whose last offence is long ago."""
        before = self._sources.pop(source, None)
        times = before.times + 1 if before is not None and now - before.last < self._memory else 1
        # Removed and added again: the dictionary stays in order of the last offence.
        self._sources[source] = Offence(times, now)
        while (oldest := next(iter(self._sources))) != source and (
            len(self._sources) > self._most or now - self._sources[oldest].last >= self._memory
        ):
            del self._sources[oldest]

    def left(self, source: Hashable, now: float) -> float:
        """Return the seconds that a source still has to wait."""
        offence = self._sources.get(source)
        if offence is None or offence.times < self._free:
            return 0.0
        wait: float = min(self._first * 2 ** (offence.times - self._free), self._longest)
        return max(offence.last + wait - now, 0.0)
