"""Measure what floods cost a real host, and how they affect its players.

    python -m tools.survival.flood --frames 1000000 --connections 20000

There are three processes: the host, the honest players, and this process, which sends the floods. Each flood
has a new table in the same host. One line shows what the flood sent, how often it was disconnected, how the
host's memory grew, how much of that memory its objects still need afterwards, and how long the moves of the
honest players took. The first line, `quiet`, is without a flood. In the second one, `elsewhere`, silent
connections go to another server, which shows the effect of the load on this machine alone.
"""

import argparse
import asyncio
import contextlib
import logging
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.session import Session
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import (
    CodeShare,
    Confirm,
    Message,
    Noise,
    Play,
    Pong,
    Ready,
    Resync,
    Say,
    encode,
)
from tools.survival.hosting import CODE, Host
from tools.survival.playing import Moved, Players, play_slowly
from tools.survival.watching import greeted, joined

PACE: Final = 8.0
"""Moves of all honest players together, in a second."""
BLOB: Final = 200
"""Number of frames that a viewer sends at once."""
MANY: Final = 2000
"""Number of frames that a stranger (a connection that has not joined) sends at once."""
AT_ONCE: Final = 4
"""Number of addresses from which strangers flood at the same time."""
BEGUN: Final = 12
"""After this many entries a game is under way, and the flood begins."""
FLOODS: Final = 4
"""A seated player floods this many times. After each flood the host bans it for a longer time."""
SHARES: Final = {"before TLS": 0.4, "hello, code": 0.4, "lobby": 0.05, "playing": 0.05, "watching": 0.1}
"""For each flood: its share of all frames. The floods of viewers have small shares, because the host bans the
sender for longer each time."""
WRONG: Final = bytes(64)
IP_BIND_ADDRESS_NO_PORT: Final = 24
"""The number of this socket option in Linux; Python has a name for it since 3.12."""

HOSTILE: Final[Sequence[Message]] = (
    Noise(), Pong(1), Ready(True), Resync(0, bytes(32)), Say(1, "spam", WRONG), Play(1, "end", WRONG, ()),
)  # fmt: skip
"""Well-formed messages that a hostile client repeats."""


class Sent(Struct):
    """The counts of what a flood has sent."""

    frames: int = 0
    connections: int = 0
    away: int = 0
    addresses: int = 0


Flood: TypeAlias = Callable[[int, str, int, Sent], Coroutine[Any, Any, None]]
"""A function that attacks `port` from the address `local` with `count` frames or connections, and counts them
in `sent`."""


async def silent(port: int, local: str, count: int, sent: Sent) -> None:
    """Open a thousand connections a second that send nothing."""
    loop = asyncio.get_running_loop()
    begin, open_ = loop.time(), []
    for number in range(count):
        with contextlib.suppress(OSError):
            open_.append(await _called(port, local))
            sent.connections += 1
        if len(open_) > 400:
            open_.pop(0).close()
        await asyncio.sleep(max(begin + number / 1000 - loop.time(), 0))
    for sock in open_:
        sock.close()


async def _called(port: int, local: str) -> socket.socket:
    """Open a connection from the address `local`. Raises OSError."""
    sock = socket.socket()
    sock.setblocking(False)
    # Otherwise the system blocks each used port for a minute, and finding a free one takes long.
    sock.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
    sock.bind((local, 0))
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    return sock


async def before_tls(port: int, local: str, count: int, sent: Sent) -> None:
    """Send frames without TLS, and invalid bytes that begin like TLS."""
    blob = b"".join(encode(message) for message in HOSTILE) * (MANY // len(HOSTILE))
    while sent.frames < count:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0))
            writer.write((b"\x16\x03\x01\x02\x00" if sent.connections % 2 else b"") + blob)
            _sent(sent)
            async with asyncio.timeout(0.2):
                await reader.read(1)
        writer.transport.abort()


async def greeting(port: int, local: str, count: int, sent: Sent) -> None:
    """Send invalid frames at each step of joining: in place of the hello, of the code, and of the
    confirmation of the code."""
    blob = b"".join(encode(message) for message in HOSTILE) * (MANY // len(HOSTILE))
    share = encode(CodeShare("code", b"A" + bytes(32)))
    firsts = (b"", share, encode(Confirm(bytes(32))), share + encode(Confirm(bytes(32))))
    while sent.frames < count:
        with contextlib.suppress(Refusal, OSError, TimeoutError):
            async with asyncio.timeout(5):
                link, _ = await greeted(port, "Mallory", "player", local, Identity.create())
                link.send(firsts[sent.connections % 4] + blob)
                _sent(sent)
                while await link.frame() is not None:
                    pass
                link.abort("left")


async def watching(port: int, local: str, count: int, sent: Sent) -> None:
    """Join as a spectator with a new key each time, and from a new address, because the host bans the old
    address."""
    while sent.frames < count:
        sent.addresses += 1
        address = f"{local.rpartition('.')[0]}.{10 + sent.addresses % 240}"
        try:
            async with asyncio.timeout(5):
                link = await joined(port, CODE, "Mallory", local=address)
        except (Refusal, OSError, TimeoutError):
            continue
        async with asyncio.TaskGroup() as tasks:
            reading = tasks.create_task(_read(link))
            await _pour(link, sent)
            reading.cancel()
        sent.away += link.closed_as is not None
        link.abort("left")


async def _read(link: Link) -> None:
    """Read and discard everything until the end of the connection."""
    with contextlib.suppress(OSError):
        while await link.frame() is not None:
            pass
    link.closed_as = link.closed_as or "lost"


async def _pour(link: Link, sent: Sent) -> None:
    """Send messages of HOSTILE as fast as the host accepts them, for ten seconds or until the connection
    ends."""
    dice = random.Random(sent.frames)
    until = asyncio.get_running_loop().time() + 10
    sent.connections += 1
    while link.closed_as is None and not link._ended and asyncio.get_running_loop().time() < until:
        if link._transport.get_write_buffer_size() < BLOB * 1024:
            link.send(b"".join(encode(dice.choice(HOSTILE)) for _ in range(BLOB // 10)) * 10)
            sent.frames += BLOB
        await asyncio.sleep(0.002)


def _sent(sent: Sent) -> None:
    sent.frames += MANY
    sent.connections += 1


async def seated(folder: Path, port: int, count: int, sent: Sent, *, ready: bool) -> None:
    """Flood the host as a seated player who also plays honest moves."""
    session = await Session.join(("127.0.0.1", port), data_dir=folder, name="Mallory", code=CODE)
    async with asyncio.TaskGroup() as tasks:
        if ready:
            await session.ready()
        playing = tasks.create_task(play_slowly(session, asyncio.Lock(), 1 / PACE, random.Random(9), tell=False))
        while ready and session.table.head.n < BEGUN:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.05)
        while (
            sent.frames < count
            and sent.away < FLOODS
            and session.table.status in ("lobby", "playing", "connecting")
        ):
            link = session.connection._link
            if link is None:
                await asyncio.sleep(0.02)
                continue
            await _pour(link, sent)
            sent.away += 1
            while session.connection._link is link:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.01)
        playing.cancel()
    await session.leave()


SINK: Final = """
import collections, socket
with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
    print(listening.getsockname()[1], flush=True)
    last = collections.deque(maxlen=64)
    while True:
        last.append(listening.accept()[0])
"""
"""The program of a server that only accepts connections, as many from one source as a host accepts."""


async def elsewhere(port: int, local: str, count: int, sent: Sent) -> None:
    """Run `silent` against SINK instead of the host: the difference to `quiet` is the effect of the load on
    this machine."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SINK, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        await silent(int(await process.stdout.readline()), local, count, sent)
    finally:
        process.kill()
        await process.wait()


SILENT: Final = ("elsewhere", "silent")
STRANGERS: Final[dict[str, Flood]] = {
    "elsewhere": elsewhere,
    "silent": silent,
    "before TLS": before_tls,
    "hello, code": greeting,
    "watching": watching,
}


async def measured(host: Host, folder: Path, name: str, count: int) -> list[Moved]:
    """Run the flood `name` with `count` frames or connections at a new table, and print its line. Return the
    moves of the honest players."""
    port, own = await host.open(), name in ("lobby", "playing")
    sent = Sent()
    async with Players.seated(folder, port, 2 if own else 3, PACE) as players:
        at_first = await host.kept()
        begin, before = time.monotonic(), await host.cost()
        if own:
            await seated(folder / "mallory", port, count, sent, ready=name == "playing")
        elif name in STRANGERS:
            async with asyncio.TaskGroup() as tasks:
                for number in range(1 if name in SILENT else AT_ONCE):
                    tasks.create_task(STRANGERS[name](port, f"127.0.{9 + number}.9", count, sent))
        else:
            await asyncio.sleep(20)
        end, after = time.monotonic(), await host.cost()
        await asyncio.sleep(3)
        later, kept = await host.cost(), await host.kept()
        moves = players.between(begin, end)
    times = sorted(move.took for move in moves) or [float("nan")]
    growth, needed = later.memory - before.memory, kept.memory - at_first.memory
    print(
        f"{name:12} {sent.frames:8} frames, {sent.connections:6} connections, sent away {sent.away:3}; "
        f"{after.since(before)}, 3 s later {growth / 1e6:+.1f} MB, "
        f"of which its objects need {needed / 1e6:+.1f} MB ({kept.blocks - at_first.blocks:+} blocks); "
        f"{len(moves)} moves: median {statistics.median(times):.1f} ms, p95 {times[int(len(times) * 0.95)]:.1f}, "
        f"most {times[-1]:.1f}, in {end - begin:.0f} s",
        flush=True,
    )
    return moves


async def flood(frames: int, connections: int, only: Collection[str]) -> None:
    """Run all floods, or some of them, and print the results."""
    counts = dict.fromkeys(SILENT, connections) | {name: int(frames * share) for name, share in SHARES.items()}
    with tempfile.TemporaryDirectory() as folder:
        async with Host.started(Path(folder) / "host", 3) as host:
            await measured(host, Path(folder) / "warm", "quiet", 0)
            first = await host.cost()
            for name in only or counts:
                await measured(host, Path(folder) / name, name, counts[name])
            print(f"in all: {(await host.cost()).since(first)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=20_000)
    parser.add_argument("--only", nargs="*", default=(), choices=(*SILENT, *SHARES))
    given = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(flood(given.frames, given.connections, given.only))
