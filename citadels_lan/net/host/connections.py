"""The sockets around a table: accepting, joining under limits, and reading what the viewers send.

| connections that have not joined | what it costs the host | slots in all and of one source | if there is no
slot | |---|---|---|---| | silent: no byte yet, or waiting for its turn | a socket | SILENT | the oldest silent
connection is closed | | joining: TLS, hello, code, proof | TLS and a task | JOINING | a random connection is
closed |

The connection that is closed is one of the source that has the most, so a flood makes room for others first. It
is a random one, so that no flood can keep a player out for good. Addresses of this table's players have
separate slots and a separate pace, which no other address can take.

A viewer that sends too much is banned for some time. Frames for spectators are sent after those for players, to
a few spectators at a time: encrypting and sending takes most of the host's time, so the players have their turn
after every few spectators.
"""

import asyncio
import contextlib
import logging
import math
import random
import socket
import ssl
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, NoReturn, TypeAlias

from citadels_lan.crypto.codec import Malformed
from citadels_lan.net.host.audience import Port, Viewer
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.join.handshake import Applicant, Guard, HostHandshake, Turns, Versions
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.limits import Bucket, Buckets, Slots, source_of
from citadels_lan.net.wire.errors import Refusal, failed, note
from citadels_lan.net.wire.link import BACKLOG, Link, begins_tls, on_readable
from citadels_lan.net.wire.messages import FROM_CLIENT, decode
from citadels_lan.net.wire.timing import Timing
from citadels_lan.platform.system import give_back

SILENT: Final = (256, 64)
JOINING: Final = (32, 12)
PACE: Final = (64, 20.0)
"""How many connections may begin TLS: so many in one burst, then so many in a second."""
BUDGET: Final = 0.002
"""Longest time in seconds for accepting connections before other work of the program continues."""
REST: Final = 0.018
"""Seconds for other work of the program, after each BUDGET is used up."""


class Caller:
    """A connection from `address` that has not joined. `pending` is the queue that it waits in, and `source`
    its source there. `task` serves it from the beginning of TLS; None before that."""

    def __init__(self, sock: socket.socket, address: str, pending: "Pending", source: str) -> None:
        self.sock = sock
        self.address = address
        self.pending = pending
        self.source = source
        self.task: asyncio.Task[None] | None = None

    def wait(self, tasks: asyncio.TaskGroup, patience: float, serve: "Serve") -> None:
        """Wait at most `patience` seconds for the first byte. Call `serve` if it begins TLS; otherwise close
        the connection."""
        self._serve = serve
        self._forget = on_readable(self.sock, self._read, tasks)
        self._timer = asyncio.get_running_loop().call_later(patience, self.dismiss)
        self.pending.enter(self)

    def dismiss(self) -> None:
        """Close the connection, because it was silent for too long, or because another connection needs its
        slot."""
        # The task closes the socket, which belongs to TLS by now.
        if self.task is not None:
            self.task.cancel()
            return
        self._stop_waiting()
        self.pending.leave(self)
        self.sock.close()

    def _read(self) -> None:
        try:
            if not begins_tls(self.sock):
                return  # the system has reported data although there is none
        except (Malformed, OSError):
            self.dismiss()
            return
        self._stop_waiting()
        self.task = self._serve(self)

    def _stop_waiting(self) -> None:
        """Stop the timer and watching the socket. Both refer to this object, which would otherwise stay in
        memory."""
        self._timer.cancel()
        self._forget()


Serve: TypeAlias = Callable[[Caller], "asyncio.Task[None]"]
"""A function that serves a connection that begins TLS, in a task."""
Place: TypeAlias = Callable[[str], "tuple[Pending, str]"]
"""A function that returns, for an address, the queue for its connections and its source in that queue."""


def oldest(callers: Sequence[Caller]) -> Caller:
    """Return the connection that has been silent for the longest time. If none is silent, return the first
    one that waits for its turn."""
    return next((caller for caller in callers if caller.task is None), callers[0])


class Pending:
    """A queue of connections that have not joined. There is one for strangers, and one for the addresses of
    players."""

    def __init__(self) -> None:
        self.silent = Slots[Caller](*SILENT)
        self.joining = Slots[Caller](*JOINING)
        self._pace = Bucket(*PACE)
        self._turn = asyncio.Lock()

    def enter(self, caller: Caller) -> None:
        """Give a new connection a slot; if none is free, close another connection."""
        self._enter(self.silent, caller, oldest)

    async def advance(self, caller: Caller) -> None:
        """Wait until the pace allows this connection to begin TLS. It then changes from a silent slot to a
        joining slot."""
        loop = asyncio.get_running_loop()
        # The lock keeps the order of arrival.
        async with self._turn:
            await asyncio.sleep(self._pace.wait(loop.time()))
            self._pace.take(loop.time())
        self.silent.leave(caller.source, caller)
        self._enter(self.joining, caller, random.choice)

    @staticmethod
    def _enter(slots: Slots[Caller], caller: Caller, pick: Callable[[Sequence[Caller]], Caller]) -> None:
        if rivals := slots.rivals(caller.source):
            gone = pick(rivals)
            # The slot is freed first: dismissing takes a moment, and the newcomer must not wait.
            slots.leave(gone.source, gone)
            gone.dismiss()
        slots.enter(caller.source, caller)

    def leave(self, caller: Caller) -> None:
        """Free the slot of a connection that has joined or was closed."""
        self.silent.leave(caller.source, caller)
        self.joining.leave(caller.source, caller)

    def close(self) -> None:
        """Close all silent connections."""
        for caller in list(self.silent):
            caller.dismiss()


async def accept(
    listening: socket.socket, tasks: asyncio.TaskGroup, patience: float, place: Place, serve: Serve
) -> None:
    """Accept connections on a socket until cancelled. Each must begin TLS within `patience` seconds; `serve`
    is called then. `place` says in which queue a connection waits."""
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
            # Accept what has arrived together, but only for a short time.
            until = time.perf_counter() + BUDGET
            while time.perf_counter() < until:
                begin(*listening.accept())
        # The table and its viewers have their turn, however many connections arrive.
        await asyncio.sleep(REST)


CROWD: Final = 8
"""After this many connections have ended, memory that is free is returned to the system."""
CALM: Final = 1.0
"""Memory is returned only when no connection has ended for this many seconds."""
AT_ONCE: Final = 8
"""Number of spectators that are sent frames before players get their turn."""


class SpectatorPort:
    """The connection of a spectator. Frames for it are kept here until its turn in the queue of
    spectators."""

    def __init__(self, link: Link, queue: "asyncio.Queue[SpectatorPort]") -> None:
        self.link = link
        self._queue = queue
        self._frames: list[bytes] = []
        self._waiting = 0

    def send(self, data: bytes) -> None:
        """Keep frames to be sent later; does not wait. If too many bytes are kept, the connection ends."""
        if self.link.closed_as is not None:
            return
        # The port is in the queue already if frames wait.
        if not self._frames:
            self._queue.put_nowait(self)
        self._frames.append(data)
        self._waiting += len(data)
        if self._waiting > BACKLOG:
            self._frames.clear()
            self.link.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Send the kept frames and the reason `code`, and end the connection."""
        self.flush()
        self.link.close(code, **details)

    def flush(self) -> None:
        """Send the kept frames."""
        frames, self._frames, self._waiting = self._frames, [], 0
        if frames:
            self.link.send(b"".join(frames))


async def serve_spectators(queue: "asyncio.Queue[SpectatorPort]") -> NoReturn:
    """Send the kept frames of the spectators in `queue`, in order, until cancelled."""
    while True:
        (await queue.get()).flush()
        for _ in range(min(AT_ONCE - 1, queue.qsize())):
            queue.get_nowait().flush()
        # Players have their turn here.
        await asyncio.sleep(0)


SILENCE: Final = 3.0
"""Seconds within which the first byte of a connection must come."""
BURST: Final = 8
"""After this many messages of one viewer, the other viewers get their turn."""
PLAYER: Final = (400, 200.0)
SPECTATOR: Final = (100, 20.0)
"""Most messages of a player (PLAYER) and of a spectator (SPECTATOR): in one burst, then in a second. Clients
of this project send less than half of that; a viewer that sends more is banned."""
COMINGS: Final = (20, 1.0)
"""Most joins with one key: in one burst, then in a second. There is a limit because the host reports each
join to all viewers."""
HEAVY: Final = 4096
"""A message counts as one more message for each time that its body has this many bytes."""

log = logging.getLogger(__name__)


class Flood(Exception):
    """A viewer has sent far more messages than any client of this project sends."""


class Server:
    """The sockets of one table, which accept and serve connections until cancelled, or until a fault ends the
    table."""

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
        self._spectators: asyncio.Queue[SpectatorPort] = asyncio.Queue()
        self._ended: deque[float] = deque(maxlen=CROWD)
        self._accepting: dict[asyncio.Task[None], socket.socket] = {}
        self._broken = asyncio.Event()
        self._reason: Refusal | None = None

    async def run(self, sockets: Sequence[socket.socket]) -> None:
        """Accept connections on `sockets`, and serve them. Raises Refusal: `failed` or `failed_report` after
        a fault of this program; `later_entries` or `signed_elsewhere` if a client has shown that another
        program signs with this host's key."""
        try:
            async with asyncio.TaskGroup() as tasks:

                def serve(caller: Caller) -> asyncio.Task[None]:
                    return tasks.create_task(self.mind(partial(self._serve, caller)))

                # A silent connection gets less time than one that has begun its handshake.
                patience = min(SILENCE, self._timing.handshake)
                for listening in sockets:
                    work = partial(accept, listening, tasks, patience, self._place, serve)
                    self._accepting[tasks.create_task(self.mind(work))] = listening
                tasks.create_task(self.mind(self._tick))
                tasks.create_task(self.mind(partial(serve_spectators, self._spectators)))
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
        """Stop accepting connections, so that another table can use the port. Connected viewers stay."""
        for accepting in self._accepting:
            accepting.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listening in self._accepting.values():
            listening.close()

    async def mind(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work`, a task of the table. If it fails, the table ends, and all viewers receive the
        reason."""
        try:
            await work()
        except Exception as fault:
            self._break(fault)

    def _break(self, fault: Exception) -> None:
        """End the table because of `fault`, a fault of this program. Later faults are ignored, because they
        may follow from the first."""
        if self._reason is None:
            self._end(failed(note(self.table.report, "the table is broken", fault)), "host_failed")

    def _end(self, reason: Refusal, others: str) -> None:
        """End the table. The host's own clients receive `reason`; all others receive the code `others`."""
        self._reason = reason
        self.table.fail(reason, others)
        self._broken.set()

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._timing.ping / 5)
            self.table.tick(loop.time())
            # Returning memory takes time, so it waits until the crowd has gone.
            if len(self._ended) == CROWD and loop.time() - self._ended[-1] >= CALM:
                self._ended.clear()
                give_back()
            if self.table.stopped is not None and self._reason is None:
                self._end(self.table.stopped, "older_host")

    # Joining

    def _place(self, address: str) -> tuple[Pending, str]:
        """Return the queue for a connection from `address`, and its source there. Addresses from which
        players have joined have their own queue."""
        # The address alone is no proof, but strangers cannot take these slots from elsewhere.
        if any(home == address and self.table.lobby.knows(key) for key, home in self._homes.items()):
            return self._players, address
        return self._strangers, source_of(address)

    async def _serve(self, caller: Caller) -> None:
        """Let a connection join, and serve it to its end, in a task."""
        try:
            link, who = await self._admit(caller)
        except (Refusal, Malformed, OSError, TimeoutError, EOFError) as reason:
            log.info("%s did not join: %s", caller.address, type(reason).__name__)
            reason.__traceback__ = None  # a TLS error would keep the connection in memory
        else:
            caller.pending.leave(caller)
            await self._attend(link, who, caller.address)
        finally:
            caller.pending.leave(caller)
            self._ended.append(asyncio.get_running_loop().time())

    async def _admit(self, caller: Caller) -> tuple[Link, Applicant]:
        """Wait for the turn of a connection, then do TLS and the handshake. Return the link and the client
        that has proved its key. All of this must end within the time for a handshake."""
        loop = asyncio.get_running_loop()
        # One deadline for all steps, so that slow steps cannot add up.
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
        # The guard is made for each connection, because it counts for one address.
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
        """Serve a client that has proved its key, until its connection ends."""
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
            self._break(fault)  # before this link is closed, so that this viewer is also sent the reason
        finally:
            self.table.audience.lost(viewer, loop.time())
            link.close("closing")
            await link.closed()

    def _check_coming(self, key: bytes, source: str, now: float) -> None:
        """Check that a client is not banned and does not join too often. For a key without a seat, `source`
        counts, too, because anyone can make many keys. Raises Refusal."""
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
        """Pass the messages of a viewer to the table until its connection ends. Raises Malformed, Flood."""
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
            # Large messages cost more, because decoding them does.
            if not allowed.take(now, 1 + len(frame.body) // HEAVY):
                raise Flood
            self.table.receive(viewer, decode(frame, FROM_CLIENT), now)
            count += 1
            # A viewer with many messages in its buffer would otherwise delay all others.
            if count % BURST == 0:
                await asyncio.sleep(0)
