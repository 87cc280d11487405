"""The sockets around a table: accepting, joining under limits, and reading what the viewers send.

Connections that have not joined are few and short-lived (`listening`). A viewer that sends too much is banned for
some time. Frames for spectators are sent after those for players, to a few spectators at a time: encrypting and
sending takes most of the host's time, so the players have their turn after every few spectators.
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

from citadels_lan.crypto.codec import Malformed
from citadels_lan.net.join.handshake import Applicant, Guard, HostHandshake, Turns, Versions
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.limits import Bucket, Buckets, source_of
from citadels_lan.net.wire.errors import Refusal, failed, note
from citadels_lan.net.wire.link import BACKLOG, Link
from citadels_lan.net.wire.messages import FROM_CLIENT, decode
from citadels_lan.net.wire.timing import Timing
from citadels_lan.platform.system import give_back

from .audience import Port, Viewer
from .listening import Caller, Pending, accept
from .table import HostTable

CROWD: Final = 8
"""After so many connections memory is returned to the system. The next connections need the memory of fewer."""
CALM: Final = 1.0
"""Seconds after the last of them."""
AT_ONCE: Final = 8
"""Spectators who are served before players have their turn."""


class SpectatorPort:
    """A spectator's connection: frames wait here until it is their turn."""

    def __init__(self, link: Link, queue: "SpectatorQueue") -> None:
        self.link = link
        self._queue = queue
        self._frames: list[bytes] = []
        self._waiting = 0

    def send(self, data: bytes) -> None:
        """Never waits: if too much waits for a spectator, the connection ends."""
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
        """Send what waits and the reason, and end the connection."""
        self.flush()
        self.link.close(code, **details)

    def flush(self) -> None:
        """Send what waits."""
        frames, self._frames, self._waiting = self._frames, [], 0
        if frames:
            self.link.send(b"".join(frames))


class SpectatorQueue:
    """The connections of spectators where frames wait, in the order in which these came."""

    def __init__(self) -> None:
        self._waiting: deque[SpectatorPort] = deque()
        self._any = asyncio.Event()

    def turn(self, port: SpectatorPort) -> None:
        """Add a connection where frames wait now."""
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
"""Messages of a player and of a spectator: so many at once, then so many a second. No program of ours sends half
of that; a viewer that sends more is banned."""
COMINGS: Final = (20, 1.0)
"""Joins with one key: so many at once, then so many a second. Each join is news for all others."""
HEAVY: Final = 4096
"""A message counts as one more for each so many bytes of its body."""

log = logging.getLogger(__name__)


class Flood(Exception):
    """A viewer sends far more than a program of ours does."""


class Server:
    """Serves one table on listening sockets until cancelled, or until a fault ends it."""

    def __init__(self, table: HostTable, context: ssl.SSLContext, timing: Timing, join_code: JoinCode) -> None:
        self.table = table
        self._join_code = join_code
        self._turns = Turns()
        self._context = context
        self._timing = timing
        self._strangers, self._players = Pending(), Pending()
        self._homes: dict[bytes, str] = {}
        self._floods = table.lobby.bans.flooding
        self._comings = Buckets(*COMINGS)
        self._spectators = SpectatorQueue()
        self._ended: deque[float] = deque(maxlen=CROWD)
        self._accepting: dict[asyncio.Task[None], socket.socket] = {}
        self._broken = asyncio.Event()
        self._reason: Refusal | None = None

    async def run(self, sockets: Sequence[socket.socket]) -> None:
        """Accept and serve. Raises Refusal: `failed` or `failed_report` when this program has made a
        mistake, `later_entries` or `signed_elsewhere` when a client has shown that another one signs with its
        key."""
        try:
            async with asyncio.TaskGroup() as tasks:

                def serve(caller: Caller) -> asyncio.Task[None]:
                    return tasks.create_task(self.mind(partial(self._serve, caller)))

                patience = min(SILENCE, self._timing.handshake)
                for listening in sockets:
                    work = partial(accept, listening, tasks, patience, self._place, serve)
                    self._accepting[tasks.create_task(self.mind(work))] = listening
                tasks.create_task(self.mind(self._tick))
                tasks.create_task(self.mind(self._spectators.serve))
                try:
                    await self._broken.wait()
                finally:
                    self._strangers.close()
                    self._players.close()
                    self.table.audience.close()  # before each connection ends, which the others would see
                assert self._reason is not None
                raise self._reason
        except* Refusal:
            pass  # the group wraps it
        if self._reason is not None:
            raise self._reason

    async def free_port(self) -> None:
        """Stop accepting connections, so that another table may have the port. Viewers stay."""
        for accepting in self._accepting:
            accepting.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listening in self._accepting.values():
            listening.close()

    async def mind(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run a task of the table. If it fails, the table ends, and all viewers are sent the reason."""
        try:
            await work()
        except Exception as fault:
            self._break(fault)

    def _break(self, fault: Exception) -> None:
        """End the table after its first fault. Later ones follow from that."""
        if self._reason is None:
            self._end(failed(note(self.table.report, "the table is broken", fault)), "host_failed")

    def _end(self, reason: Refusal, others: str) -> None:
        """End the table. The host's own clients are sent `reason`, all others the code `others`."""
        self._reason = reason
        self.table.fail(reason, others)
        self._broken.set()

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._timing.ping / 5)
            self.table.tick(loop.time())
            if len(self._ended) == CROWD and loop.time() - self._ended[-1] >= CALM:
                self._ended.clear()
                give_back()
            if self.table.stopped is not None and self._reason is None:
                self._end(self.table.stopped, "older_host")

    # Joining

    def _place(self, address: str) -> tuple[Pending, str]:
        """Return where a connection waits, and its source there. Addresses of players have separate slots."""
        if any(home == address and self.table.lobby.knows(key) for key, home in self._homes.items()):
            return self._players, address
        return self._strangers, source_of(address)

    async def _serve(self, caller: Caller) -> None:
        """Let a connection join, and serve it to its end."""
        try:
            link, who = await self._admit(caller)
        except (Refusal, Malformed, OSError, TimeoutError, EOFError) as reason:
            log.info("%s did not join: %s", caller.address, type(reason).__name__)
            reason.__traceback__ = None  # where TLS fails it leads back to the connection, and both would stay
        else:
            caller.pending.leave(caller)
            await self._attend(link, who, caller.address)
        finally:
            caller.pending.leave(caller)
            self._ended.append(asyncio.get_running_loop().time())

    async def _admit(self, caller: Caller) -> tuple[Link, Applicant]:
        """Wait for the connection's turn, then TLS and the handshake, all within the time for a handshake."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timing.handshake
        try:
            async with asyncio.timeout_at(until):
                await caller.pending.advance(caller)
        except BaseException:
            caller.sock.close()
            raise
        async with asyncio.timeout_at(until):
            _, link = await loop.connect_accepted_socket(
                lambda: Link(self._timing.frame), caller.sock, ssl=self._context
            )
        try:
            async with asyncio.timeout_at(until):
                return link, await self._shake_hands(link, caller.address)
        except (Malformed, Refusal) as reason:
            code, details = (reason.code, reason.details) if isinstance(reason, Refusal) else ("malformed", {})
            link.close(code, **details)
            await link.closed()
            raise
        except BaseException:
            link.abort("too_slow")
            raise

    async def _shake_hands(self, link: Link, address: str) -> Applicant:
        loop = asyncio.get_running_loop()
        core = self.table.core
        guard = Guard(self._join_code, address, self.table.lobby.knows, self.table.check_room)
        handshake = HostHandshake(core.host, core.game, core.fp, Versions(), guard, self.table.past)
        try:
            while (frame := await link.frame()) is not None:
                data, who = handshake.receive(frame, loop.time())
                link.send(data if handshake.work is None else await self._turns.answer(handshake.work))
                if who is not None:
                    link.trust()
                    return who
        finally:
            handshake.leave(loop.time())
        raise EOFError

    # Joined

    async def _attend(self, link: Link, who: Applicant, address: str) -> None:
        """Serve a viewer who has proved a key, until the connection ends."""
        loop = asyncio.get_running_loop()
        port: Port = link if who.role == "player" else SpectatorPort(link, self._spectators)
        try:
            # This comes after the proof of the key, or anyone could use up the rate of another key.
            self._check_coming(who.key, source_of(address), loop.time())
            viewer = self.table.join(who, port, loop.time(), address)
        except Refusal as reason:
            link.close(reason.code, **reason.details)
            await link.closed()
            return
        if viewer.seat is not None:  # a player comes back from there
            # Players without a seat lose their separate slots.
            self._homes = {key: home for key, home in self._homes.items() if self.table.lobby.knows(key)}
            self._homes[viewer.key] = address
        try:
            await self._listen(link, viewer)
        except Malformed:
            link.close("malformed")
        except Flood:  # the seat stays
            self._ban(viewer.key, source_of(address), loop.time())
            link.close("flooding", seconds=math.ceil(self._floods.left(viewer.key, loop.time())))
        except Exception as fault:
            self._break(fault)  # before this link is closed, so that this viewer is sent why, too
        finally:
            self.table.audience.lost(viewer, loop.time())
            link.close("closing")
            await link.closed()

    def _check_coming(self, key: bytes, source: str, now: float) -> None:
        """Raises Refusal for a banned viewer, and for one that joins too often. A key without a seat costs
        nothing, so its source counts, too."""
        counts = (key,) if self.table.lobby.knows(key) else (key, source)
        seconds = max(self._floods.left(each, now) for each in counts)
        if seconds <= 0 and not self._comings.take(key, now):
            self._ban(key, source, now)
            seconds = self._floods.left(key, now)
        if seconds > 0:
            raise Refusal("flooding", seconds=math.ceil(seconds))

    def _ban(self, key: bytes, source: str, now: float) -> None:
        self._floods.note(key, now)
        self._floods.note(source, now)

    async def _listen(self, link: Link, viewer: Viewer) -> None:
        """Hand the messages of a viewer to the table. Raises Malformed, Flood."""
        loop = asyncio.get_running_loop()
        allowed = Bucket(*(PLAYER if viewer.player else SPECTATOR))
        count = 0
        while True:
            try:
                frame = await link.frame()
            except (OSError, TimeoutError):
                return
            if frame is None:
                return
            now = loop.time()
            if not allowed.take(now, 1 + len(frame.body) // HEAVY):
                raise Flood
            self.table.receive(viewer, decode(frame, FROM_CLIENT), now)
            count += 1
            # A viewer with many messages in its buffer would otherwise delay all others.
            if count % BURST == 0:
                await asyncio.sleep(0)
