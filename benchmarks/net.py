"""The network under load: a move on its way to eight sessions, a silent crowd at the door, hostile frames.

The host is a process of its own. The way of a move is compared, in turn, with a bare fan-out of the same bytes
over TLS by another such process. All eight clients share one process and so one core, which at a real table they
do not. What the disk and the signatures take of the time is measured besides.
"""

import asyncio
import contextlib
import os
import random
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from citadels_lan.bots import make_policy
from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.crypto.log import RULES
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import Welcome
from citadels_lan.net.wire.tls import client_context, host_context, make_certificate

from .figure import Figure

TITLE = "Network (loopback)"
PLAYERS = 8
MOVES = 200
CROWD = 600
JOINS = 15
HOSTILE = 1000
LOCAL = "127.0.0.1"


def figures() -> Iterator[Figure]:
    with _host("--scenario", "vicious_nobles") as host, _running("-m", "benchmarks.net") as (_, said):
        pairs = asyncio.run(_fan_out(host.port, int(said())))
    moves = [move for move, _ in pairs]
    yield Figure(f"a move until the last of {PLAYERS} sessions has it", median(moves) * 1e3, "ms")
    yield Figure("the same bytes over bare TLS", median(bare for _, bare in pairs) * 1e3, "ms")
    yield Figure("the one, times the other", median(move / bare for move, bare in pairs), "x", most=3)
    yield Figure("a record of the journal on the disk", _sync() * 1e3, "ms")
    yield Figure("a signature made and checked", _signature() * 1e3, "ms")
    with _host() as host:
        quiet = asyncio.run(_join_often(host.port, 0))
        yield Figure("joining", median(quiet) * 1e3, "ms")
        crowded = asyncio.run(_join_often(host.port, CROWD))
        yield Figure(f"joining among {CROWD} silent or slow connections", median(crowded) * 1e3, "ms")
        yield Figure("the slowest of these", max(crowded), "s", most=2)
        if (Path("/proc") / str(host.pid)).exists():
            asyncio.run(_be_hostile(host.port, HOSTILE // 4))  # what is loaded once and kept is no growth
            before = host.memory()
            asyncio.run(_be_hostile(host.port, HOSTILE))
            yield Figure(f"memory grown by {HOSTILE} hostile frames", host.memory() - before, "MiB", most=20)


# A move


def _sync() -> float:
    """Seconds until 200 bytes more of a file are on the disk."""
    times = []
    with tempfile.TemporaryFile(buffering=0) as file:
        for _ in range(MOVES):
            begin = perf_counter()
            file.write(bytes(200))
            os.fsync(file.fileno())
            times.append(perf_counter() - begin)
    return median(times)


def _signature() -> float:
    """Seconds for one, at both ends."""
    identity, times = Identity.create(), []
    for number in range(MOVES):
        begin = perf_counter()
        signature = identity.sign("move", bytes((number % 256,)))
        verify(identity.public, signature, "move", bytes((number % 256,)))
        times.append(perf_counter() - begin)
    return median(times)


class Watch:
    """Eight sessions that are waited for: `seen[seat]` is the last entry that happened at each."""

    def __init__(self) -> None:
        self.seen = [0] * PLAYERS
        self._n = 0
        self._all = asyncio.Event()

    async def follow(self, seat: int, session: Session) -> None:
        async for update in session.updates():
            if isinstance(update, Happened):
                self.seen[seat] = update.n
                if min(self.seen) >= self._n:
                    self._all.set()

    async def until(self, n: int) -> None:
        self._n = n
        self._all.clear()
        if min(self.seen) < n:
            await self._all.wait()


async def _fan_out(port: int, bare_port: int) -> list[tuple[float, float]]:
    """Seconds for each of some moves, and for the same bytes without anything around them."""
    with tempfile.TemporaryDirectory() as folder:
        bare = await BareClients.join(bare_port)
        address = (LOCAL, port)
        sessions = [
            await Session.join(address, data_dir=Path(folder) / str(seat), name=f"Seat {seat}")
            for seat in range(PLAYERS)
        ]
        for session in sessions:
            await session.ready()
        watch = Watch()
        pairs: list[tuple[float, float]] = []
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(watch.follow(seat, session))
            while len(pairs) < MOVES and sessions[0].status != "over":
                pairs.append(await _one_move(sessions, watch, bare))
            for session in sessions:
                await session.leave()
        bare.close()
    return pairs


async def _one_move(sessions: list[Session], watch: Watch, bare: "BareClients") -> tuple[float, float]:
    seat = await _asked(sessions)
    session = sessions[seat]
    state = session.state
    assert state is not None
    action = make_policy("random", len(watch.seen)).choose(state, seat, session.choices())
    n = session.head.n + 1
    async with asyncio.TaskGroup() as tasks:
        begin = perf_counter()
        tasks.create_task(session.act(action))
        await watch.until(n)
        taken = perf_counter() - begin
    await asyncio.sleep(0.005)  # acknowledgements, and what the table does by itself
    begin = perf_counter()
    await bare.send()
    return taken, perf_counter() - begin


async def _asked(sessions: list[Session]) -> int:
    while True:
        for seat, session in enumerate(sessions):
            if session.choices():
                return seat
        await asyncio.sleep(0.001)


SIZE = 261
"""Bytes of a frame in the smallest bucket, in which nearly all moves and entries are."""


class BareClients:
    """Eight connections to a server that sends each of them a frame for each that it gets from one."""

    def __init__(self, streams: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
        self._streams = streams

    @classmethod
    async def join(cls, port: int) -> "BareClients":
        context = client_context()
        return cls([await asyncio.open_connection(LOCAL, port, ssl=context) for _ in range(PLAYERS)])

    async def send(self) -> None:
        """One frame there, and one to each client."""
        self._streams[0][1].write(bytes(SIZE))
        await asyncio.gather(*(reader.readexactly(SIZE) for reader, _ in self._streams))

    def close(self) -> None:
        for _, writer in self._streams:
            writer.transport.abort()


async def _serve_bare() -> None:
    """The other side; it says its port."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while True:
                frame = await reader.readexactly(SIZE)
                for one in writers:
                    one.write(frame)

    server = await asyncio.start_server(serve, LOCAL, 0, ssl=host_context(make_certificate()))
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# The door


class Host:
    """A host in a process of its own."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def memory(self) -> float:
        """What it holds of the machine's memory, MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextlib.contextmanager
def _host(*options: str) -> Iterator[Host]:
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--open", "--players", str(PLAYERS))
    with _running("-m", "citadels_lan", *arguments, *options) as (pid, said):
        port = int(said().split()[1].rpartition(":")[2])
        yield Host(pid, port)


@contextlib.contextmanager
def _running(*arguments: str) -> Iterator[tuple[int, Callable[[], str]]]:
    """A Python that runs with a home of its own: its number, and what gives its next line."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        environment = kept | {"HOME": home, "LANG": "C.UTF-8"}
        command = (sys.executable, *arguments)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        with process.stdout as said:
            try:
                yield process.pid, said.readline
                if process.poll() is not None:
                    raise RuntimeError(f"{' '.join(arguments)} has ended")
            finally:
                process.terminate()
                process.wait()


async def _join_often(port: int, crowd: int) -> list[float]:
    """Seconds of some joinings, while so many others connect and say nothing, or one byte a second."""
    async with asyncio.TaskGroup() as tasks:
        slow = [tasks.create_task(_dawdle(port, number)) for number in range(crowd)]
        await asyncio.sleep(2 if crowd else 0)
        times = []
        for number in range(JOINS):
            begin = perf_counter()
            link = await _join(port, f"Guest {number}", "spectator")
            times.append(perf_counter() - begin)
            link.close()
            await link.closed()
        for task in slow:
            task.cancel()
    return times


async def _join(port: int, name: str, role: str) -> Link:
    identity = Identity.create()
    link = await connect(LOCAL, port, client_context(), 10)
    profile = Profile(name, "player" if role == "player" else "spectator")
    handshake = ClientHandshake(identity, profile, link.fp, Versions(RULES))
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        answer = handshake.receive(frame)
        if isinstance(answer, Challenge):
            link.send(handshake.join(0, bytes(32)))
        elif isinstance(answer, Welcome):
            link.trust()
            return link
    raise RuntimeError("not let in")


async def _dawdle(port: int, number: int) -> None:
    """A connection that is silent before TLS, or after it, or sends a byte a second; again once it is dropped."""
    tls = client_context() if number % 3 else None
    while True:
        with contextlib.suppress(OSError, ssl.SSLError):
            reader, writer = await asyncio.open_connection(LOCAL, port, ssl=tls)
            with contextlib.closing(writer.transport):
                while not reader.at_eof():
                    if number % 3 == 2:
                        writer.write(b"\0")
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            await reader.read(1)
        await asyncio.sleep(1)


async def _be_hostile(port: int, frames: int) -> None:
    """So many frames that no program of ours sends: each costs its sender the connection."""
    dice = random.Random(frames)
    for number in range(frames):
        data = _hostile_frame(dice)
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
            async with asyncio.timeout(5):
                if number % 2:
                    link = await _join(port, "Mallory", "spectator")
                    link.send(data)
                    while await link.frame() is not None:
                        pass
                    link.abort("left")
                else:
                    reader, writer = await asyncio.open_connection(LOCAL, port, ssl=client_context())
                    writer.write(data)
                    await reader.read()
                    writer.transport.abort()


def _hostile_frame(dice: random.Random) -> bytes:
    """Garbage, a length that lies, nested or huge headers of msgpack, or one byte changed in something proper."""
    size = dice.choice((256, 1024, 4096))
    header = size.to_bytes(4, "big") + bytes((dice.randrange(32),))
    match dice.randrange(5):
        case 0:
            return header + dice.randbytes(size)
        case 1:
            return dice.randbytes(4) + header
        case 2:
            return header + b"\x91" * size
        case 3:
            return header + (b"\xdc\x01\x00" * size)[:size]
        case _:
            return header + b"\xdf" + b"\xff" * 4 + bytes(size - 5)


if __name__ == "__main__":
    asyncio.run(_serve_bare())
