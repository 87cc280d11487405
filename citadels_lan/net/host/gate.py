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
import contextlib
import ipaddress
import random
import socket
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.tls import begins_tls, on_readable

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


BUDGET: Final = 0.002
"""Seconds of accepting at once."""
REST: Final = 0.018
"""Seconds for all else, then."""

Place: TypeAlias = Callable[[str], tuple[Gate, str]]
"""Where a connection from an address waits, and what it counts for there."""
Serve: TypeAlias = Callable[[socket.socket, str, Gate, Caller], "asyncio.Task[None]"]
"""Goes on with a connection from an address that begins TLS."""


class FirstBytes:
    """Accepts connections, and hands over those that begin TLS."""

    def __init__(self, tasks: asyncio.TaskGroup, patience: float, place: Place, serve: Serve) -> None:
        """`patience`: seconds that a connection may take for its first byte."""
        self._tasks = tasks
        self._patience = patience
        self._place = place
        self._serve = serve
        self._silent: set[SilentCaller] = set()

    async def accept(self, listening: socket.socket) -> None:
        """Until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            # No more are there, or no descriptors are left, or the caller has gone already: others may still come.
            with contextlib.suppress(OSError):
                self._stand(*await loop.sock_accept(listening))
                until = time.perf_counter() + BUDGET
                while time.perf_counter() < until:
                    self._stand(*listening.accept())
            await asyncio.sleep(REST)

    def close(self) -> None:
        """Send everybody away who stands here."""
        for caller in list(self._silent):
            caller.go()

    def _stand(self, sock: socket.socket, address: Any) -> None:
        """Somebody has a place here until the first byte, or until somebody else needs it."""
        sock.setblocking(False)
        try:
            begins_tls(sock)
        except (Malformed, OSError):  # it has gone already, or would have to
            sock.close()
            return
        caller = SilentCaller(sock, str(address[0]), *self._place(str(address[0])), self._serve)
        self._silent.add(caller)
        caller.wait(self._tasks, self._patience, self._silent.discard)


class SilentCaller:
    """A connection that has not said anything."""

    def __init__(self, sock: socket.socket, address: str, gate: Gate, source: str, serve: Serve) -> None:
        self._sock = sock
        self._address = address
        self._gate = gate
        self._caller = Caller(source, self.go)
        self._serve = serve

    def wait(self, tasks: asyncio.TaskGroup, patience: float, end: Callable[["SilentCaller"], object]) -> None:
        """For the first byte, so many seconds. `end` is called when that is over."""
        self._end = end
        self._forget = on_readable(self._sock, self._hear, tasks)
        self._timer = asyncio.get_running_loop().call_later(patience, self.go)
        self._gate.silent.enter(self._caller)

    def go(self) -> None:
        """It is sent away."""
        self._gate.leave(self._over())
        self._sock.close()

    def _hear(self) -> None:
        """Its first byte is there."""
        try:
            if not begins_tls(self._sock):
                return  # the system has called for nothing
        except (Malformed, OSError):
            self.go()
            return
        caller = self._over()
        caller.dismiss = self._serve(self._sock, self._address, self._gate, caller).cancel

    def _over(self) -> Caller:
        """It stands here no longer. The caller is let go of, which leads here: the two would keep each other, and
        after a storm thousands of them wait until Python looks for what nobody needs."""
        self._timer.cancel()
        self._forget()
        self._end(self)
        caller = self._caller
        del self._caller
        return caller
