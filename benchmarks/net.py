"""The network under load: silent connections and hostile frames. The host is a separate process."""

import asyncio
import contextlib
import random
import ssl
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, client_context, connect
from citadels_lan.net.wire.messages import Welcome

from .figure import Figure
from .processes import LOCAL, hosting

TITLE = "Network (loopback)"
CROWD = 600
JOINS = 15
HOSTILE = 1000


def figures() -> Iterator[Figure]:
    with hosting() as host:
        quiet = asyncio.run(_join_often(host.port, 0))
        yield Figure("joining", median(quiet) * 1e3, "ms")
        crowded = asyncio.run(_join_often(host.port, CROWD))
        yield Figure(f"joining among {CROWD} silent or slow connections", median(crowded) * 1e3, "ms")
        yield Figure("the slowest of these", max(crowded), "s", most=2)
        if (Path("/proc") / str(host.pid)).exists():
            asyncio.run(_be_hostile(host.port, HOSTILE // 4))  # modules that are loaded once are no growth
            before = host.memory()
            asyncio.run(_be_hostile(host.port, HOSTILE))
            yield Figure(f"memory grown by {HOSTILE} hostile frames", host.memory() - before, "MiB", most=20)


async def _join_often(port: int, crowd: int) -> list[float]:
    """Return the seconds that some joins take while `crowd` other connections are silent or send one byte a
    second."""
    async with asyncio.TaskGroup() as tasks:
        slow = [tasks.create_task(_dawdle(port, number)) for number in range(crowd)]
        await asyncio.sleep(2 if crowd else 0)
        times = []
        for number in range(JOINS):
            begin = perf_counter()
            link = await _join_at_last(port, f"Guest {number}")
            times.append(perf_counter() - begin)
            link.close()
            await link.closed()
        for task in slow:
            task.cancel()
    return times


async def _join_at_last(port: int, name: str) -> Link:
    """Join as a spectator. If that fails because of the other connections, try again until it succeeds."""
    while True:
        with contextlib.suppress(OSError, Refusal, RuntimeError):
            return await _join(port, name, "spectator")


async def _join(port: int, name: str, role: str) -> Link:
    identity = Identity.create()
    link = await connect(LOCAL, port, 10)
    profile = Profile(name, "player" if role == "player" else "spectator")
    handshake = ClientHandshake(identity, profile, link.fp, Versions())
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
    """Keep one bad connection open: depending on `number`, it is silent before TLS, silent after TLS, or
    sends one byte a second. If the host closes it, open it again."""
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
    """Send this many invalid frames, each on a new connection, because an invalid frame ends its
    connection."""
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
    """Return an invalid frame: random bytes, a wrong length, nested or huge msgpack headers, or a valid frame
    with one changed byte."""
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
