"""The time of a move to eight sessions, compared with the same number of bytes sent to eight bare TLS
connections.

The host and the bare server are separate processes. Both send to the same processes, in turn. The two times
of each turn are compared, so that a loaded machine slows both. At a real table each client has a separate
machine, so here each has a separate process: the measured time ends when the last of eight clients has
checked and written the move. All processes share the cores of one machine.

The first figures include the disk: the host syncs its journal before it sends an entry. For the others the journal
is in memory, where a system has a folder for that.
The times include making and checking signatures, which each process does when it sends or receives a move
or an entry.

Two more figures show the parts of the limit. The first session that receives a move did not wait for a core
while other sessions worked, so its time is nearly that of a client on its own machine. The floor is bare TLS
with only the sync and the signatures that the guarantees need: the mover signs; the host checks that, syncs,
and signs; each session checks both signatures, as many sessions at a time as there are cores.
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
from typing import NamedTuple

from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.net.wire.link import host_context, make_certificate

from .figure import Figure
from .processes import LOCAL, PLAYERS, hosting, in_memory, running, syncs
from .seats import LONG, SIZE

TITLE = f"A move to {PLAYERS} sessions"
TURNS = 200
PAUSE = 0.03
"""Seconds in which sessions send their acknowledgements, and the table does what needs no player."""


def figures() -> Iterator[Figure]:
    made, checked = _signature()
    signing = 2 * made + checked + 2 * checked * PLAYERS / (os.cpu_count() or 1)
    for how, folder, most in (("with fsync", None, 3), ("without fsync", in_memory(), 2)):
        turns, sync = _measured(folder), median(syncs(folder, TURNS))
        bare = median(bare.last for _, bare in turns)
        yield Figure(f"{how}: a move until the last has it", median(move.last for move, _ in turns) * 1e3, "ms")
        yield Figure(f"{how}: the same bytes over bare TLS", bare * 1e3, "ms")
        yield Figure(
            f"{how}: times bare TLS", median(move.last / bare.last for move, bare in turns), "x", most=most
        )
        first = median(move.first / bare.first for move, bare in turns)
        yield Figure(f"{how}: until the first has it, times bare TLS", first, "x")
        yield Figure(f"{how}: the floor, times bare TLS", (bare + sync + signing) / bare, "x")
        yield Figure(f"{how}: a record of the journal", sync * 1e3, "ms")
    yield Figure("a signature made", made * 1e3, "ms")
    yield Figure("a signature checked", checked * 1e3, "ms")


class Took(NamedTuple):
    """Two durations in seconds: until the first session has received an entry or a frame, and until the last
    session has."""

    first: float
    last: float


def _measured(folder: Path | None) -> list[tuple[Took, Took]]:
    """Return pairs of durations: of a move at the table, and of the same number of bytes over bare
    connections. `folder` has the host's journal; None: a default folder on the disk."""
    scenario = ("--scenario", "vicious_nobles")
    with hosting(*scenario, folder=folder) as host, running("-m", "benchmarks.fanout") as (_, said):
        return asyncio.run(_turns(host.port, int(said())))


class Table:
    """The processes with the sessions. `told` has each line that a process printed: the number of the process
    and the words."""

    def __init__(self, children: list[asyncio.subprocess.Process]) -> None:
        self._children = children
        self._told: asyncio.Queue[tuple[int, list[str]]] = asyncio.Queue()
        self._asked = asyncio.Queue[int]()

    async def listen(self, number: int) -> None:
        """Read the lines of a process to its end."""
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

    async def move(self) -> Took | None:
        """Make and measure the next move. Return None if the measurement failed, because the player moved too
        late."""
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
        times = next(times for times in seen.values() if len(times) == PLAYERS)
        return Took(min(times) - begun, max(times) - begun)

    async def bare(self) -> Took:
        """Send one frame over the bare connections, and measure it."""
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
        return Took(min(came) - sent, max(came) - sent)

    def _forget(self) -> None:
        while not self._told.empty():
            self._told.get_nowait()


async def _turns(port: int, bare_port: int) -> list[tuple[Took, Took]]:
    turns: list[tuple[Took, Took]] = []
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
    """Start one process for each seat, with a session at the host (`port`) and a connection to the bare
    server (`bare_port`). Yield the table of these processes; kill them afterwards."""
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
    """Serve the bare connections, and print the port. Whenever a long frame arrives, send a short frame to
    all of them."""
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


def _signature() -> tuple[float, float]:
    """Return the seconds for making a signature, and for checking it."""
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
