"""A move on its way to eight sessions, compared with a bare fan-out of the same bytes over TLS.

The host is a process of its own, and so is the bare server; both send to the same processes, in turn. What is
compared are the two times of each turn, so that a loaded machine slows both. At a real table each client has a
machine of its own, so here each has a process: the last of eight has the move when the host has sent it to eight
and its client has it checked, written and shown. All share the cores of one machine; with all eight clients in one
process that happens eight times one after the other before the last has it, which is measured as well. What the
rules judge of it a moment later, with the acknowledgement, is not in.

The disk's own time is left out: the host's journal is in memory where there is a folder for it (the title of the
figures says otherwise if there is none). What a record of the journal takes on the disk is measured besides.
Signatures are in: whoever sends or takes a move or an entry makes and checks them within what is measured.

Where the time goes, on two cores shared by all: 1.4 ms until the move is in the journal, one thing after another
(the player's signature and its own file, the way to the host, checking, deciding, writing); then 0.9 ms of a core
for each of the eight, which had been idle and have nothing in its caches: 0.16 until the frame is read, 0.14 for
the host's signature, 0.08 for the view after it, 0.09 until the reader of updates runs, and the rest for reading,
writing and the order of entries. The same code takes a third of that when it runs all the time.
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
from citadels_lan.net.wire.certificates import make_certificate
from citadels_lan.net.wire.tls import host_context

from .figure import Figure
from .processes import LOCAL, PLAYERS, hosting, in_memory, running
from .seats import LONG, SIZE

TITLE = f"A move to {PLAYERS} sessions" + ("" if in_memory() else " (with the disk's own time)")
TURNS = 200
PAUSE = 0.03
"""Seconds until acknowledgements are there, and what the table does by itself."""


def figures() -> Iterator[Figure]:
    for processes, most in ((PLAYERS, 3), (1, None)):
        turns = _measured(processes)
        how = "a process each" if processes > 1 else "all in one process"
        yield Figure(f"a move until the last has it, {how}", median(move for move, _ in turns) * 1e3, "ms")
        yield Figure("the same bytes over bare TLS", median(bare for _, bare in turns) * 1e3, "ms")
        yield Figure("the one, times the other", median(move / bare for move, bare in turns), "x", most=most)
    yield Figure("a record of the journal on the disk", _sync() * 1e3, "ms")
    made, checked = _signature()
    yield Figure("a signature made", made * 1e3, "ms")
    yield Figure("a signature checked", checked * 1e3, "ms")


def _measured(processes: int) -> list[tuple[float, float]]:
    """Seconds of some turns: of the move, and of the same bytes without anything around them."""
    scenario = ("--scenario", "vicious_nobles")
    with hosting(*scenario, folder=in_memory()) as host, running("-m", "benchmarks.fanout") as (_, said):
        return asyncio.run(_turns(host.port, int(said()), processes))


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


async def _turns(port: int, bare_port: int, processes: int) -> list[tuple[float, float]]:
    turns: list[tuple[float, float]] = []
    async with _seated(port, bare_port, processes) as table:
        while len(turns) < TURNS:
            taken = await table.move()
            await asyncio.sleep(PAUSE)
            bare = await table.bare()
            if taken is not None:
                turns.append((taken, bare))
    return turns


@contextlib.asynccontextmanager
async def _seated(port: int, bare_port: int, processes: int) -> AsyncIterator[Table]:
    """So many processes with all the sessions."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        children = []
        for number in range(processes):
            numbers = map(str, (port, bare_port, PLAYERS // processes))
            children.append(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "benchmarks.seats", *numbers, str(Path(folder) / f"Seat {number}")),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )
            )
        table = Table(children)
        async with asyncio.TaskGroup() as tasks:
            for number in range(processes):
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
    with tempfile.TemporaryFile(buffering=0) as file:
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
