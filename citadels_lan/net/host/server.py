"""The sockets around a table: accepting, joining under limits, and reading what the viewers send.

Connections that have not proved a key yet are few (PENDING) and short-lived: when there are too many, the one that
waits longest at the address with the most of them has to go. So a legal join works whatever else knocks.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.admission import Bench
from citadels_lan.net.join.door import Door
from citadels_lan.net.join.handshake import Applicant, Guard, HostHandshake, Versions
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import FROM_CLIENT, decode
from citadels_lan.net.wire.reporting import failed, note
from citadels_lan.net.wire.timing import Timing

from .table import HostTable
from .viewers import Viewer

PORT: Final = 47110
PENDING: Final = 64
"""Connections at most that have not joined yet."""
BURST: Final = 32
"""After so many messages of one viewer the others get their turn."""

log = logging.getLogger(__name__)


class Pending(Struct, eq=False):
    """A connection that has not joined: where from, and what serves it."""

    address: str
    task: asyncio.Task[None]


class Doors:
    """The connections that have not joined yet, oldest first."""

    def __init__(self) -> None:
        self._pending: list[Pending] = []

    def enter(self, address: str, task: asyncio.Task[None]) -> Pending:
        """Somebody knocks; if it gets too crowded somebody else has to go."""
        if len(self._pending) >= PENDING:
            crowd = Counter(pending.address for pending in self._pending).most_common(1)[0][0]
            oldest = next(pending for pending in self._pending if pending.address == crowd)
            self._pending.remove(oldest)
            oldest.task.cancel()
        pending = Pending(address, task)
        self._pending.append(pending)
        return pending

    def leave(self, pending: Pending) -> None:
        """It has joined, or is gone."""
        if pending in self._pending:
            self._pending.remove(pending)


class Server:
    """Serves one table on listening sockets until cancelled, or until something breaks it."""

    def __init__(
        self, table: HostTable, context: ssl.SSLContext, versions: Versions, timing: Timing, door: Door
    ) -> None:
        self.table = table
        self._door = door
        self._bench = Bench()
        self._context = context
        self._versions = versions
        self._timing = timing
        self._doors = Doors()
        self._broken = asyncio.Event()
        self._reason: Refusal | None = None

    async def run(self, sockets: Sequence[socket.socket]) -> None:
        """Accept and serve. Raises Refusal: `failed` or `failed_report` when this program has made a
        mistake."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for listening in sockets:
                    tasks.create_task(self.mind(partial(self._accept, listening, tasks)))
                tasks.create_task(self.mind(self._tick))
                await self._broken.wait()
                assert self._reason is not None
                raise self._reason
        except* Refusal:
            pass  # the group wraps it
        finally:
            self.table.close()
        if self._reason is not None:
            raise self._reason

    async def mind(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something for the table. Where it breaks the table ends, and everybody hears why."""
        try:
            await work()
        except Exception as fault:
            self._break(fault)

    def _break(self, fault: Exception) -> None:
        """The first fault ends the table; others come of that."""
        if self._reason is not None:
            return
        self._reason = failed(note(self.table.report, "the table is broken", fault))
        self.table.fail(self._reason)
        self._broken.set()

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._timing.ping / 5)
            self.table.tick(loop.time())

    async def _accept(self, listening: socket.socket, tasks: asyncio.TaskGroup) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, address = await loop.sock_accept(listening)
            except OSError:
                # Out of descriptors, or the caller has gone already: others may still come.
                await asyncio.sleep(0.05)
                continue
            tasks.create_task(self.mind(partial(self._serve, sock, str(address[0]))))

    async def _serve(self, sock: socket.socket, address: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        pending = self._doors.enter(address, task)
        try:
            link, who = await self._admit(sock, address)
        except (Refusal, Malformed, OSError, TimeoutError, EOFError) as reason:
            log.info("%s did not join: %s", address, type(reason).__name__)
            return
        finally:
            self._doors.leave(pending)
        if who is not None:
            await self._attend(link, who)

    async def _admit(self, sock: socket.socket, address: str) -> tuple[Link, Applicant | None]:
        """TLS and the handshake, all within the time for it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timing.handshake
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        async with asyncio.timeout_at(until):
            transport, _ = await loop.connect_accepted_socket(lambda: protocol, sock, ssl=self._context)
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        link = Link(reader, writer, self._timing.frame)
        try:
            async with asyncio.timeout_at(until):
                return link, await self._shake_hands(link, address)
        except (Malformed, Refusal) as reason:
            code, details = (reason.code, reason.details) if isinstance(reason, Refusal) else ("malformed", {})
            link.close(code, **details)
            await link.closed()
            raise
        except BaseException:
            link.abort("too_slow")
            raise

    async def _shake_hands(self, link: Link, address: str) -> Applicant | None:
        loop = asyncio.get_running_loop()
        core = self.table.core
        guard = Guard(self._door, address, self.table.lobby.knows)
        handshake = HostHandshake(core.host, core.game, core.fp, self._versions, guard)
        try:
            while (frame := await link.frame()) is not None:
                data, who = handshake.receive(frame, loop.time())
                link.send(data if handshake.work is None else await self._bench.do(handshake.work))
                if who is not None:
                    link.trust()
                    return who
        finally:
            handshake.leave(loop.time())
        raise EOFError

    async def _attend(self, link: Link, who: Applicant) -> None:
        """Serve somebody who has proved a key, until the connection ends."""
        loop = asyncio.get_running_loop()
        try:
            viewer = self.table.join(who, link, loop.time())
        except Refusal as reason:
            link.close(reason.code, **reason.details)
            await link.closed()
            return
        try:
            await self._listen(link, viewer)
        except Malformed:
            link.close("malformed")
        except Exception as fault:
            self._break(fault)  # before this link is closed, so that this viewer hears why, too
        finally:
            self.table.lost(viewer, loop.time())
            link.close("closing")
            await link.closed()

    async def _listen(self, link: Link, viewer: Viewer) -> None:
        loop = asyncio.get_running_loop()
        count = 0
        while (frame := await self._frame(link)) is not None:
            message = decode(frame, FROM_CLIENT)
            self.table.receive(viewer, message, loop.time())
            count += 1
            if count % BURST == 0:
                await asyncio.sleep(0)

    @staticmethod
    async def _frame(link: Link) -> Frame | None:
        try:
            return await link.frame()
        except (OSError, TimeoutError):
            return None


def listen(host: str | None, port: int | None) -> list[socket.socket]:
    """Listening sockets, all on one port. `host` None: every IPv4 and IPv6 address. `port` None: the usual one, or
    any free one if that is taken; 0: any free one. Raises OSError."""
    wanted = [PORT, 0] if port is None else [port]
    for number in wanted:
        try:
            return _listen_on(host, number)
        except OSError:
            if number == wanted[-1]:
                raise
    raise AssertionError


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
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if socket.has_ipv6 and family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if hasattr(socket, "SO_REUSEADDR") and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(256)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
