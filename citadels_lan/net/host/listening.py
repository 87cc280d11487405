"""The sockets on which a table listens, and the connections that have not joined.

| stage | what it costs the host | slots in all and of one source | if there is no slot |
|---|---|---|---|
| silent: no byte yet, or waiting for its turn | a socket | SILENT | the oldest silent connection is closed |
| joining: TLS, hello, code, proof | TLS and a task | JOINING | a random connection is closed |

The connection that is closed is one of the source that has the most, so a flood makes room for others first. It is
a random one, so that no flood can keep a player out for good. Addresses of this table's players have separate
slots and a separate pace, which no other address can take.
"""

import asyncio
import contextlib
import random
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from citadels_lan.crypto.codec import Malformed
from citadels_lan.net.limits import Bucket, Slots
from citadels_lan.net.wire.tls import begins_tls, on_readable

PORT: Final = 47110
BACKLOG: Final = 1024
"""Connections that the system keeps until they are accepted."""
INCOMING: Final = 65_536
"""Bytes of one connection that the system keeps until they are read: the more, the longer a flood goes on."""
MUTE: Final = 1
"""Seconds for which the system itself keeps a connection that has sent nothing, where it can (Linux). A client
sends first, so a flood of silent connections costs this program nothing."""
SILENT: Final = (256, 64)
JOINING: Final = (32, 12)
PACE: Final = (64, 20.0)
"""So many connections begin TLS at once, and then so many a second."""
BUDGET: Final = 0.002
"""Seconds in which connections are accepted without a break."""
REST: Final = 0.018
"""Seconds for everything else after that."""


def listen(host: str | None, port: int | None, before: int | None = None) -> list[socket.socket]:
    """Listening sockets, all on one port. `host` None: every IPv4 and IPv6 address. `port` None: the port of
    `before`, the usual one, or any free one, as they are free; 0: any free one. Raises OSError."""
    ports = [before, PORT, 0] if port is None else [port]
    numbers = [number for number in ports if number is not None]
    for number in numbers[:-1]:
        with contextlib.suppress(OSError):
            return _listen_on(host, number)
    return _listen_on(host, numbers[-1])


def _listen_on(host: str | None, port: int) -> list[socket.socket]:
    if host is not None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return [_listening(family, host, port)]
    first = _listening(socket.AF_INET, "0.0.0.0", port)
    sockets = [first]
    if socket.has_ipv6:
        with contextlib.suppress(OSError):
            sockets.append(_listening(socket.AF_INET6, "::", first.getsockname()[1]))
    return sockets


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """A listening socket. The connections that it accepts have its options."""
    sock = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # The system would otherwise keep megabytes of each flooding connection.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, INCOMING)
    # Only Linux can keep silent connections to itself.
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, MUTE)
    sock.setblocking(False)
    return sock


class Caller:
    """A connection that has not joined, from `address`; it counts for `source` among those that are `pending`.
    `task` serves it once it has begun TLS."""

    def __init__(self, sock: socket.socket, address: str, pending: "Pending", source: str) -> None:
        self.sock = sock
        self.address = address
        self.pending = pending
        self.source = source
        self.task: asyncio.Task[None] | None = None

    def wait(self, tasks: asyncio.TaskGroup, patience: float, serve: "Serve") -> None:
        """Wait for the first byte, at most `patience` seconds, and serve the connection if it begins TLS."""
        self._serve = serve
        self._forget = on_readable(self.sock, self._read, tasks)
        self._timer = asyncio.get_running_loop().call_later(patience, self.dismiss)
        self.pending.enter(self)

    def dismiss(self) -> None:
        """Close the connection: it has been silent for too long, or another one needs its slot."""
        if self.task is not None:
            self.task.cancel()
            return
        self._stop_waiting()
        self.pending.leave(self)
        self.sock.close()

    def _read(self) -> None:
        try:
            if not begins_tls(self.sock):
                return  # the system has called for nothing
        except (Malformed, OSError):
            self.dismiss()
            return
        self._stop_waiting()
        self.task = self._serve(self)

    def _stop_waiting(self) -> None:
        """End the timer and the watch on the socket. Both hold this object, which would stay in memory."""
        self._timer.cancel()
        self._forget()


Serve: TypeAlias = Callable[[Caller], "asyncio.Task[None]"]
"""Continues with a connection that begins TLS."""
Place: TypeAlias = Callable[[str], "tuple[Pending, str]"]
"""Returns where a connection from an address waits, and its source there."""


def oldest(callers: Sequence[Caller]) -> Caller:
    """Return the connection that has been silent for the longest time. If all wait for their turn, the first."""
    return next((caller for caller in callers if caller.task is None), callers[0])


class Pending:
    """The connections that have not joined, of strangers or of players."""

    def __init__(self) -> None:
        self.silent = Slots[Caller](*SILENT)
        self.joining = Slots[Caller](*JOINING)
        self._pace = Bucket(*PACE)
        self._turn = asyncio.Lock()

    def enter(self, caller: Caller) -> None:
        """Give a new connection a slot."""
        self._enter(self.silent, caller, oldest)

    async def advance(self, caller: Caller) -> None:
        """Wait until it is a connection's turn to begin TLS."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(self._pace.wait(loop.time()))
            self._pace.take(loop.time())
        self.silent.leave(caller.source, caller)
        self._enter(self.joining, caller, random.choice)

    @staticmethod
    def _enter(slots: Slots[Caller], caller: Caller, pick: Callable[[Sequence[Caller]], Caller]) -> None:
        if rivals := slots.rivals(caller.source):
            gone = pick(rivals)
            slots.leave(gone.source, gone)
            gone.dismiss()
        slots.enter(caller.source, caller)

    def leave(self, caller: Caller) -> None:
        """Free the slot of a connection that has joined, or is gone."""
        self.silent.leave(caller.source, caller)
        self.joining.leave(caller.source, caller)

    def close(self) -> None:
        """Close the silent connections."""
        for caller in list(self.silent):
            caller.dismiss()


async def accept(
    listening: socket.socket, tasks: asyncio.TaskGroup, patience: float, place: Place, serve: Serve
) -> None:
    """Accept connections until cancelled, and serve those that begin TLS. They have `patience` seconds for the
    first byte."""
    loop = asyncio.get_running_loop()

    def begin(sock: socket.socket, name: Any) -> None:
        sock.setblocking(False)
        try:
            begins_tls(sock)
        except (Malformed, OSError):  # it is gone already, or does not speak TLS
            sock.close()
        else:
            address = str(name[0])
            Caller(sock, address, *place(address)).wait(tasks, patience, serve)

    while True:
        # There is no connection, no descriptor is left, or the connection is gone already. Others may still come.
        with contextlib.suppress(OSError):
            begin(*await loop.sock_accept(listening))
            until = time.perf_counter() + BUDGET
            while time.perf_counter() < until:
                begin(*listening.accept())
        # The table and its viewers have their turn, however many connections arrive.
        await asyncio.sleep(REST)
