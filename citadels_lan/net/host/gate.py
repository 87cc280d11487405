"""Who may stand before a table's door: connections that have not joined are few, whatever else knocks.

| stage | what it costs the host | at most, in all and of one source | for whom there is no room |
|---|---|---|---|
| silent: not a byte yet, or not its turn | a socket | SILENT | the oldest that has said nothing has to go |
| joining: TLS, hello, code, proof | TLS and a task | JOINING | one drawn by lot has to go |

Who is to go comes from the source that has the most there, so a crowd makes room for others before others do for
it. Where the drawing of a lot is random a storm cannot see to it that nobody ever gets through. Addresses at which
a player of this table was have places and a pace of their own: no stranger takes those.
"""

import asyncio
import ipaddress
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from citadels_lan.net.wire.ratelimit import Bucket

SILENT: Final = (256, 64)
JOINING: Final = (32, 12)
PACE: Final = (16, 20.0)
"""So many begin TLS at once, and then so many a second."""

Pick: TypeAlias = Callable[[Sequence["Caller"]], "Caller"]


class Caller(Struct, eq=False):
    """A connection that has not joined: where from, how it is sent away, and whether it has said anything."""

    source: str
    dismiss: Callable[[], object]
    spoke: bool = False


@lru_cache(SILENT[0])
def source_of(address: str) -> str:
    """What counts as one place that connections come from: an IPv4 address, the /64 of an IPv6 address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found), 64), strict=False))


class Crowd:
    """Callers at one stage, by source, oldest first: `most` in all, `of_one` of one source. `pick` says which of a
    source's callers has to go where there is no room for another."""

    def __init__(self, most: int, of_one: int, pick: Pick) -> None:
        self._most = most
        self._of_one = of_one
        self._pick = pick
        self._callers: dict[str, list[Caller]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def enter(self, caller: Caller) -> None:
        """Somebody more; if it gets too crowded somebody else has to go."""
        own = self._callers.get(caller.source, [])
        if len(own) >= self._of_one:
            self._dismiss(own)
        elif self._count >= self._most:
            self._dismiss(max(self._callers.values(), key=len))
        self._callers.setdefault(caller.source, []).append(caller)
        self._count += 1

    def _dismiss(self, callers: Sequence[Caller]) -> None:
        gone = self._pick(callers)
        self.leave(gone)
        gone.dismiss()

    def leave(self, caller: Caller) -> None:
        """It is further, or gone."""
        own = self._callers.get(caller.source, [])
        if caller in own:
            own.remove(caller)
            self._count -= 1
            if not own:
                del self._callers[caller.source]


def oldest(callers: Sequence[Caller]) -> Caller:
    """The one that has been silent for the longest time; of those that wait for their turn only where all do."""
    return next((caller for caller in callers if not caller.spoke), callers[0])


class Gate:
    """The two stages before the door, for one kind of callers."""

    def __init__(self) -> None:
        self.silent = Crowd(*SILENT, oldest)
        self.joining = Crowd(*JOINING, random.choice)
        self._pace = Bucket(*PACE)
        self._turn = asyncio.Lock()

    async def advance(self, caller: Caller) -> None:
        """It has said something: it is joining as soon as it is its turn."""
        caller.spoke = True
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(self._pace.wait(loop.time()))
            self._pace.take(loop.time())
        self.silent.leave(caller)
        self.joining.enter(caller)

    def leave(self, caller: Caller) -> None:
        """It has joined, or is gone."""
        self.silent.leave(caller)
        self.joining.leave(caller)
