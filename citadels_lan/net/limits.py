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
"""Largest rounding error in sums of times, in seconds. It is tolerated, so that the last request of a burst
passes."""
SOURCES: Final = 64
"""Most sources with their own bucket in `Buckets`. The source that was added first is dropped."""


@lru_cache(256)
def source_of(address: str) -> str:
    """Return the source to which connections from an address belong: for IPv4 the address itself, for IPv6
    its /64 network."""
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
    """Return whether `address` is a loopback address, which always belongs to this computer."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


class Slots(Generic[T]):
    """A limited number of slots, shared by sources: at most `most` holders at the same time, and at most
    `of_one` of each source."""

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
        """Return the holders one of which has to leave before a new holder of `source` can enter; () if there
        is room. If the source has used all slots of one source: its own holders. If all slots are used: the
        holders of the source that has the most."""
        own = self._holders.get(source, [])
        # A source at its limit competes only with itself.
        if len(own) >= self._of_one:
            return own
        return max(self._holders.values(), key=len) if self._count >= self._most else ()

    def enter(self, source: str, holder: T) -> None:
        """Add a holder of `source`. The caller has made room if necessary (see `rivals`)."""
        self._holders.setdefault(source, []).append(holder)
        self._count += 1

    def leave(self, source: str, holder: T) -> None:
        """Remove a holder of `source`. Does nothing if it has no slot."""
        own = self._holders.get(source, [])
        if holder in own:
            own.remove(holder)
            self._count -= 1
            if not own:
                del self._holders[source]


class Bucket(Struct):
    """A token bucket: `burst` requests at once, then `rate` in a second. `spent` is the time at which the
    bucket will be full again."""

    burst: int
    rate: float
    spent: float = -math.inf

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take as many tokens as a request costs. Return False, and take none, if there are not enough."""
        spent = self._spent(now) + cost / self.rate
        if spent > now + ROUNDING:
            return False
        self.spent = spent
        return True

    def wait(self, now: float, cost: float = 1.0) -> float:
        """Return the seconds until the bucket has `cost` tokens."""
        return max(self._spent(now) + cost / self.rate - now, 0.0)

    def _spent(self, now: float) -> float:
        # Unused tokens do not add up beyond one burst.
        return max(self.spent, now - self.burst / self.rate)


class Buckets:
    """A token bucket for each source, and one for all of them together. A source that floods is stopped by
    its own bucket first, so it does not block the others."""

    def __init__(self, burst: int, rate: float, everyone: Bucket | None = None) -> None:
        """`burst` and `rate` are the limits of each source; `everyone` is the common bucket, or None."""
        self._limit = burst, rate
        self._everyone = everyone
        self._sources: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, source: Hashable, now: float) -> bool:
        """Take a token from the bucket of this source and from the common one. Return False if one of them is
        empty."""
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
    """How long sources have to wait after offences, such as wrong codes. With the `free`-th offence a source
    has to wait `first` seconds; each further offence doubles them, up to `longest`. Offences are forgotten
    `memory` seconds after the last one. The last `most` sources are kept."""

    def __init__(self, free: int, first: float, longest: float, memory: float, most: int) -> None:
        self._free = free
        self._first = first
        self._longest = longest
        self._memory = memory
        self._most = most
        self._sources: dict[Hashable, Offence] = {}

    def __contains__(self, source: Hashable) -> bool:
        """Return whether a source has committed so many offences that it had to wait."""
        return source in self._sources and self._sources[source].times >= self._free

    def times(self, source: Hashable) -> int:
        """Return the number of offences of a source."""
        return self._sources[source].times if source in self._sources else 0

    def note(self, source: Hashable, now: float) -> None:
        """Count one more offence of a source. Drop sources whose last offence is too long ago."""
        before = self._sources.pop(source, None)
        times = before.times + 1 if before is not None and now - before.last < self._memory else 1
        # Removed and added again: the dictionary stays in order of the last offence.
        self._sources[source] = Offence(times, now)
        while (oldest := next(iter(self._sources))) != source and (
            len(self._sources) > self._most or now - self._sources[oldest].last >= self._memory
        ):
            del self._sources[oldest]

    def left(self, source: Hashable, now: float) -> float:
        """Return how many seconds a source still has to wait; 0.0 if it need not wait."""
        offence = self._sources.get(source)
        if offence is None or offence.times < self._free:
            return 0.0
        wait: float = min(self._first * 2 ** (offence.times - self._free), self._longest)
        return max(offence.last + wait - now, 0.0)
