"""A move on its way to eight sessions, compared with a bare fan-out of the same bytes over TLS.

The host is a process of its own, and so is the bare server; both send to the same processes, in turn. What is
compared are the two times of each turn, so that a loaded machine slows both. At a real table each client has a
machine of its own, so here each has a process: the last of eight has the move when the host has sent it to eight
and its client has it checked and written. All share the cores of one machine.

The first figures include the disk: the host syncs its journal before it sends an entry. For the others the journal
is in memory, where a system has a folder for that.
Signatures are in: whoever sends or takes a move or an entry makes and checks them within what is measured.
"""

import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.net.wire.link import host_context, make_certificate

from .figure import Figure
from .processes import LOCAL, PLAYERS, hosting, in_memory, running
from .seats import LONG, SIZE

TITLE = f"A move to {PLAYERS} sessions"
TURNS = 200
PAUSE = 0.03
"""Seconds until acknowledgements are there, and what the table does by itself."""


def figures() -> Iterator[Figure]:
    for how, folder, most in (("with fsync", None, 3), ("without fsync", in_memory(), 2)):
        turns = _measured(folder)
        yield Figure(f"{how}: a move until the last has it", median(move for move, _ in turns) * 1e3, "ms")
        yield Figure(f"{how}: the same bytes over bare TLS", median(bare for _, bare in turns) * 1e3, "ms")
        yield Figure(f"{how}: times bare TLS", median(move / bare for move, bare in turns), "x", most=most)
    yield Figure("a record of the journal on the disk", _sync() * 1e3, "ms")
    made, checked = _signature()
    yield Figure("a signature made", made * 1e3, "ms")
    yield Figure("a signature checked", checked * 1e3, "ms")


def _measured(folder: Path | None) -> list[tuple[float, float]]:
    """Seconds of some turns: of the move, and of the same bytes without anything around them."""
    scenario = ("--scenario", "vicious_nobles")
    with hosting(*scenario, folder=folder) as host, running("-m", "benchmarks.fanout") as (_, said):
        return asyncio.run(_turns(host.port, int(said())))


class Table:
    """The processes with the sessions. `told` are the words of each line of any, with the process."""

    def __init__(self, children: list[asyncio.subprocess.Process]) -> None:
        self._children = children
        self._told: asyncio.Queue[tuple[int, list[str]]] = asyncio.Queue()
        self._asked = asyncio.Queue[int]()

    async def listen(self, number: int) -> None:
        """Take the lines of a process, to its end."""
        said = self._children[number].stdout
        assert said is not None
        while line := await said.readline():
            words = line.decode().split()
            if words == ["asked"]:
                self._asked.put_nowait(number)
            else:
                self._told.put_nowait((number, words))

    def _say(self, number: int, line: str) -> None:
        stdin = self._children[number].stdin
        assert stdin is not None
        stdin.write(line.encode() + b"\n")

    async def move(self) -> float | None:
        """Seconds of the next move until the last session has it; None where it is not made at once."""
        asked = await self._asked.get()
        self._forget()
        self._say(asked, "move")
        begun = 0.0
        seen: dict[str, list[float]] = {}
        while not begun or max(map(len, seen.values()), default=0) < PLAYERS:
            _, words = await self._told.get()
            if words[0] == "begun":
                begun = float(words[1])
            elif words[0] == "seen":
                seen.setdefault(words[1], []).append(float(words[2]))
                if not begun and not self._asked.empty():
                    return None
        return max(next(times for times in seen.values() if len(times) == PLAYERS)) - begun

    async def bare(self) -> float:
        """Seconds of a bare frame until the last has it."""
        self._forget()
        self._say(0, "bare")
        sent = 0.0
        came: list[float] = []
        while not sent or len(came) < PLAYERS:
            _, words = await self._told.get()
            if words[0] == "sent":
                sent = float(words[1])
            elif words[0] == "bare":
                came.append(float(words[1]))
        return max(came) - sent

    def _forget(self) -> None:
        while not self._told.empty():
            self._told.get_nowait()


async def _turns(port: int, bare_port: int) -> list[tuple[float, float]]:
    turns: list[tuple[float, float]] = []
    async with _seated(port, bare_port) as table:
        while len(turns) < TURNS:
            taken = await table.move()
            await asyncio.sleep(PAUSE)
            bare = await table.bare()
            if taken is not None:
                turns.append((taken, bare))
    return turns


@contextlib.asynccontextmanager
async def _seated(port: int, bare_port: int) -> AsyncIterator[Table]:
    """A process for each session."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        children = []
        for number in range(PLAYERS):
            numbers = map(str, (port, bare_port, 1))
            children.append(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "benchmarks.seats", *numbers, str(Path(folder) / f"Seat {number}")),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )
            )
        table = Table(children)
        async with asyncio.TaskGroup() as tasks:
            for number in range(PLAYERS):
                tasks.create_task(table.listen(number))
            try:
                yield table
            finally:
                for child in children:
                    with contextlib.suppress(ProcessLookupError):
                        child.kill()
                    await child.wait()


async def _serve_bare() -> None:
    """The other side; it says its port. Whenever a long frame comes, everybody gets a short one."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while await reader.readexactly(LONG):
                for one in writers:
                    one.write(bytes(SIZE))

    server = await asyncio.start_server(serve, LOCAL, 0, ssl=host_context(make_certificate()))
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _sync() -> float:
    """Seconds until 200 bytes more of a file are on the disk."""
    times = []
    with tempfile.NamedTemporaryFile(buffering=0) as file:  # fsync of a file without a name may do less
        for _ in range(TURNS):
            begin = perf_counter()
            file.write(bytes(200))
            os.fsync(file.fileno())
            times.append(perf_counter() - begin)
    return median(times)


def _signature() -> tuple[float, float]:
    """Seconds for making one, and for checking it."""
    identity, made, checked = Identity.create(), [], []
    for number in range(TURNS):
        begin = perf_counter()
        signature = identity.sign("move", bytes((number % 256,)))
        made.append(perf_counter() - begin)
        begin = perf_counter()
        verify(identity.public, signature, "move", bytes((number % 256,)))
        checked.append(perf_counter() - begin)
    return median(made), median(checked)


if __name__ == "__main__":
    asyncio.run(_serve_bare())
