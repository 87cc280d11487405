"""The sockets around a table: accepting, joining under limits, and reading what the viewers send.

Connections that have not joined are few and short-lived (`gate`), and a viewer that sends too much is banned for
a while (`bans`). What is sent to spectators goes out after what is sent to players, a few at a time: what costs
time is to encrypt and send it once for each of them, so the players have their turn after every few.
"""

import asyncio
import logging
import math
import socket
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.admission import Bench
from citadels_lan.net.join.door import Door
from citadels_lan.net.join.handshake import Applicant, Guard, HostHandshake, Versions
from citadels_lan.net.wire.errors import Refusal, failed, note
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.link import BACKLOG, Link
from citadels_lan.net.wire.messages import FROM_CLIENT, decode
from citadels_lan.net.wire.ratelimit import Bucket, Each
from citadels_lan.net.wire.timing import Timing
from citadels_lan.systems.memory import give_back

from .audience import Port, Viewer
from .gate import Caller, FirstBytes, Gate, source_of
from .table import HostTable

CROWD: Final = 8
"""So many connections are a crowd: what fewer have needed the next ones need again."""
CALM: Final = 1.0
"""Seconds after the last of them: while a crowd comes and goes, memory would go back and forth."""


class Departures:
    """How many connections have ended since memory was given back."""

    def __init__(self) -> None:
        self._count = 0
        self._last = -math.inf

    def note(self, now: float) -> None:
        """One more has ended."""
        self._count += 1
        self._last = now

    def over(self, now: float) -> bool:
        """Whether a crowd has left, and nobody else since; told once."""
        if self._count < CROWD or now - self._last < CALM:
            return False
        self._count = 0
        return True


AT_ONCE: Final = 8
"""Spectators who are served before players have their turn."""


class SpectatorPort:
    """A spectator's port: frames wait here until it is their turn."""

    def __init__(self, link: Link, queue: "SpectatorQueue") -> None:
        self.link = link
        self._queue = queue
        self._frames: list[bytes] = []
        self._waiting = 0

    def send(self, data: bytes) -> None:
        """Never waits: whoever has too much waiting loses the connection."""
        if self.link.closed_as is not None:
            return
        if not self._frames:
            self._queue.turn(self)
        self._frames.append(data)
        self._waiting += len(data)
        if self._waiting > BACKLOG:
            self._frames.clear()
            self.link.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Send what waits, say why, and end the connection."""
        self.flush()
        self.link.close(code, **details)

    def flush(self) -> None:
        """Send what waits."""
        frames, self._frames, self._waiting = self._frames, [], 0
        if frames:
            self.link.send(b"".join(frames))


class SpectatorQueue:
    """The ports of spectators where something waits, in the order in which it came."""

    def __init__(self) -> None:
        self._waiting: deque[SpectatorPort] = deque()
        self._any = asyncio.Event()

    def turn(self, port: SpectatorPort) -> None:
        """Something waits there now."""
        self._waiting.append(port)
        self._any.set()

    async def serve(self) -> None:
        """Send what waits, until cancelled."""
        while True:
            await self._any.wait()
            for _ in range(min(AT_ONCE, len(self._waiting))):
                self._waiting.popleft().flush()
            if not self._waiting:
                self._any.clear()
            await asyncio.sleep(0)


SILENCE: Final = 3.0
"""Seconds that a connection may take for its first byte."""
BURST: Final = 8
"""After so many messages of one viewer the others get their turn."""
PLAYER: Final = (400, 200.0)
SPECTATOR: Final = (100, 20.0)
"""So many messages somebody may send at once, and then so many a second. More is a flood: no program of ours sends
half of that, and whoever does is sent away."""
COMINGS: Final = (20, 1.0)
"""So many times somebody may come in at once, and then so many times a second. Who comes and goes oftener floods
the others with news of that, and is sent away, too."""
HEAVY: Final = 4096
"""A message counts as one more for each so many bytes of its body."""

log = logging.getLogger(__name__)


class Flood(Exception):
    """A viewer sends far more than a program of ours does."""


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
        self._strangers, self._players = Gate(), Gate()
        self._homes: dict[bytes, str] = {}
        self._bans = table.lobby.bans
        self._comings = Each(*COMINGS)
        self._spectators = SpectatorQueue()
        self._departures = Departures()
        self._accepting: dict[asyncio.Task[None], socket.socket] = {}
        self._broken = asyncio.Event()
        self._reason: Refusal | None = None

    async def run(self, sockets: Sequence[socket.socket]) -> None:
        """Accept and serve. Raises Refusal: `failed` or `failed_report` when this program has made a
        mistake, `later_entries` or `signed_elsewhere` when a client has shown that another one signs with its
        key."""
        try:
            async with asyncio.TaskGroup() as tasks:
                first_bytes = self._first_bytes(tasks)
                for listening in sockets:
                    accepting = tasks.create_task(self.mind(partial(first_bytes.accept, listening)))
                    self._accepting[accepting] = listening
                tasks.create_task(self.mind(self._tick))
                tasks.create_task(self.mind(self._spectators.serve))
                try:
                    await self._broken.wait()
                finally:
                    first_bytes.close()
                    self.table.close()  # before each connection ends, which the others would hear of
                assert self._reason is not None
                raise self._reason
        except* Refusal:
            pass  # the group wraps it
        if self._reason is not None:
            raise self._reason

    async def free_port(self) -> None:
        """Nobody comes in any more, and another table may have the port; whoever is here stays."""
        for accepting in self._accepting:
            accepting.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listening in self._accepting.values():
            listening.close()

    async def mind(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something for the table. Where it breaks the table ends, and everybody hears why."""
        try:
            await work()
        except Exception as fault:
            self._break(fault)

    def _break(self, fault: Exception) -> None:
        """The first fault ends the table; others come of that."""
        if self._reason is None:
            self._end(failed(note(self.table.report, "the table is broken", fault)), "host_failed")

    def _end(self, reason: Refusal, others: str) -> None:
        """The table ends for this reason, and for a reason that all others hear."""
        self._reason = reason
        self.table.fail(reason, others)
        self._broken.set()

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._timing.ping / 5)
            self.table.tick(loop.time())
            if self._departures.over(loop.time()):
                give_back()
            if self.table.stopped is not None and self._reason is None:
                self._end(self.table.stopped, "older_host")

    def _first_bytes(self, tasks: asyncio.TaskGroup) -> FirstBytes:
        def serve(sock: socket.socket, address: str, gate: Gate, caller: Caller) -> asyncio.Task[None]:
            return tasks.create_task(self.mind(partial(self._serve, sock, address, gate, caller)))

        return FirstBytes(tasks, min(SILENCE, self._timing.handshake), self._gate, serve)

    async def _serve(self, sock: socket.socket, address: str, gate: Gate, caller: Caller) -> None:
        try:
            await self._let_in(sock, address, gate, caller)
        finally:
            self._departures.note(asyncio.get_running_loop().time())

    async def _let_in(self, sock: socket.socket, address: str, gate: Gate, caller: Caller) -> None:
        try:
            link, who = await self._admit(sock, address, gate, caller)
        except (Refusal, Malformed, OSError, TimeoutError, EOFError) as reason:
            log.info("%s did not join: %s", address, type(reason).__name__)
            reason.__traceback__ = None  # where TLS fails it leads back to the connection, and both would stay
            return
        finally:
            gate.leave(caller)
        if who is not None:
            await self._attend(link, who, address)

    def _gate(self, address: str) -> tuple[Gate, str]:
        """Where a connection waits, and what it counts for there. A player's address has a gate that strangers of
        other addresses never come to."""
        if any(home == address and self.table.lobby.knows(key) for key, home in self._homes.items()):
            return self._players, address
        return self._strangers, source_of(address)

    async def _admit(
        self, sock: socket.socket, address: str, gate: Gate, caller: Caller
    ) -> tuple[Link, Applicant | None]:
        """Its turn, TLS and the handshake, all within the time for it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timing.handshake
        await self._await_turn(sock, gate, caller, until)
        async with asyncio.timeout_at(until):
            _, link = await loop.connect_accepted_socket(lambda: Link(self._timing.frame), sock, ssl=self._context)
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

    @staticmethod
    async def _await_turn(sock: socket.socket, gate: Gate, caller: Caller, until: float) -> None:
        """Until then nothing is made for a connection."""
        try:
            async with asyncio.timeout_at(until):
                await gate.advance(caller)
        except BaseException:
            sock.close()
            raise

    async def _shake_hands(self, link: Link, address: str) -> Applicant | None:
        loop = asyncio.get_running_loop()
        core = self.table.core
        guard = Guard(self._door, address, self.table.lobby.knows)
        handshake = HostHandshake(core.host, core.game, core.fp, self._versions, guard, self.table.past)
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

    async def _attend(self, link: Link, who: Applicant, address: str) -> None:
        """Serve somebody who has proved a key, until the connection ends."""
        loop = asyncio.get_running_loop()
        try:
            self._check_coming(who.key, source_of(address), loop.time())
            viewer = self.table.join(who, self._port(link, who), loop.time(), address)
        except Refusal as reason:
            link.close(reason.code, **reason.details)
            await link.closed()
            return
        self._note_home(viewer, address)
        try:
            await self._listen(link, viewer)
        except Malformed:
            link.close("malformed")
        except Flood:
            self._send_away(link, viewer, source_of(address), loop.time())
        except Exception as fault:
            self._break(fault)  # before this link is closed, so that this viewer hears why, too
        finally:
            self.table.lost(viewer, loop.time())
            link.close("closing")
            await link.closed()

    def _port(self, link: Link, who: Applicant) -> Port:
        return link if who.role == "player" else SpectatorPort(link, self._spectators)

    def _note_home(self, viewer: Viewer, address: str) -> None:
        """Where a player comes back from."""
        if viewer.seat is not None:
            self._homes = {key: home for key, home in self._homes.items() if self.table.lobby.knows(key)}
            self._homes[viewer.key] = address

    def _check_coming(self, key: bytes, source: str, now: float) -> None:
        """Raises Refusal for a banned viewer, and for one that comes and goes too often."""
        self._check_ban(key, source, now)
        if not self._comings.take(key, now):
            self._ban(key, source, now)
            self._check_ban(key, source, now)

    def _check_ban(self, key: bytes, source: str, now: float) -> None:
        """Raises Refusal during a ban. A key without a seat costs nothing, so its source counts, too."""
        left = self._bans.left(key, now)
        if not self.table.lobby.knows(key):
            left = max(left, self._bans.left(source, now))
        if left > 0:
            raise Refusal("flooding", seconds=math.ceil(left))

    def _send_away(self, link: Link, viewer: Viewer, source: str, now: float) -> None:
        """A viewer who sends far too much: the connection ends, the seat stays."""
        self._ban(viewer.key, source, now)
        link.close("flooding", seconds=math.ceil(self._bans.left(viewer.key, now)))

    def _ban(self, key: bytes, source: str, now: float) -> None:
        for who in (key, source):
            self._bans.ban(who, now)

    async def _listen(self, link: Link, viewer: Viewer) -> None:
        loop = asyncio.get_running_loop()
        allowed = Bucket(*(PLAYER if viewer.player else SPECTATOR))
        count = 0
        while (frame := await self._frame(link)) is not None:
            if not allowed.take(loop.time(), 1 + len(frame.body) // HEAVY):
                raise Flood
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
