"""Where connections stand that have not said anything: each costs a socket and a timer, and no task.

However many knock, accepting them has a share of the time and the game has the rest: whoever is not accepted yet
waits in the system's backlog.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.wire.tls import begins_tls, on_readable

from .gate import Caller, Gate

BUDGET: Final = 0.002
"""Seconds of accepting at once."""
REST: Final = 0.018
"""Seconds for all else, then."""

Place: TypeAlias = Callable[[str], tuple[Gate, str]]
"""Where a connection from an address waits, and what it counts for there."""
Serve: TypeAlias = Callable[[socket.socket, str, Gate, Caller], "asyncio.Task[None]"]
"""Goes on with a connection from an address that begins TLS."""


class Porch:
    """Accepts connections, and hands over those that begin TLS."""

    def __init__(self, tasks: asyncio.TaskGroup, patience: float, place: Place, serve: Serve) -> None:
        """`patience`: seconds that a connection may take for its first byte."""
        self._tasks = tasks
        self._patience = patience
        self._place = place
        self._serve = serve
        self._standing: set[Standing] = set()

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
        for standing in list(self._standing):
            standing.go()

    def _stand(self, sock: socket.socket, address: Any) -> None:
        """Somebody has a place here until the first byte, or until somebody else needs it."""
        sock.setblocking(False)
        try:
            begins_tls(sock)
        except (Malformed, OSError):  # it has gone already, or would have to
            sock.close()
            return
        standing = Standing(sock, str(address[0]), *self._place(str(address[0])), self._serve)
        self._standing.add(standing)
        standing.wait(self._tasks, self._patience, self._standing.discard)


class Standing:
    """A connection that has not said anything."""

    def __init__(self, sock: socket.socket, address: str, gate: Gate, source: str, serve: Serve) -> None:
        self._sock = sock
        self._address = address
        self._gate = gate
        self._caller = Caller(source, self.go)
        self._serve = serve

    def wait(self, tasks: asyncio.TaskGroup, patience: float, end: Callable[["Standing"], object]) -> None:
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
