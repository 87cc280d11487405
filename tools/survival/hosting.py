"""A host in a separate process, and its memory and processor time.

    async with Host.started(folder, seats=8) as host:
        port = await host.open()              # another table of the same process; the one before is closed
        before = await host.cost()

Run as a program it is that process: a line `open`, `cost` or `kept` of standard input is answered with one
line of JSON."""

import asyncio
import contextlib
import ctypes
import gc
import json
import logging
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.platform.system import keep_loaded
from tests.facts import first_table

CODE = "lupo mare sole"
PAGE = 4096


class Cost(Struct, frozen=True):
    """The resources that a process has used: resident memory in bytes, seconds of processor time, the time of
    the measurement, and the seconds in which it was ready to run but had no processor. A long wait means
    that the machine is slow, not the host."""

    memory: int
    seconds: float
    at: float
    waited: float

    def since(self, before: "Cost") -> str:
        """Return the difference to an earlier measurement in words."""
        passed = self.at - before.at
        core, waited = (self.seconds - before.seconds) / passed, (self.waited - before.waited) / passed
        grown = (self.memory - before.memory) / 1e6
        return f"{grown:+.1f} MB, {core:.1%} of a core (waiting for one: {waited:.1%})"


def own_cost() -> Cost:
    """Return the resources that this process has used."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    waited = int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1])
    return Cost(pages * PAGE, time.process_time(), time.monotonic(), waited / 1e9)


class Kept(Struct, frozen=True):
    """The memory that a process still uses after it has released what it can: resident bytes, and the number
    of memory blocks of its objects."""

    memory: int
    blocks: int


def own_kept() -> Kept:
    """Return the memory that this process still uses after garbage collection. Linux with glibc only."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return Kept(own_cost().memory, sys.getallocatedblocks())


class Host:
    """Controls the host process through its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    @contextlib.asynccontextmanager
    async def started(cls, folder: Path, seats: int) -> AsyncIterator["Host"]:
        """Run the host process as long as the context lasts."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tools.survival.hosting", str(folder), str(seats),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            yield cls(process)
        finally:
            with contextlib.suppress(ProcessLookupError):  # it may have ended already
                process.kill()
            await process.wait()

    async def open(self) -> int:
        """Open a new table. Return its port."""
        return int(await self._ask("open"))

    async def cost(self) -> Cost:
        """Return the resources that the process has used so far."""
        return Cost(*await self._ask("cost"))

    async def kept(self) -> Kept:
        """Return the memory that the process still uses after garbage collection."""
        return Kept(*await self._ask("kept"))

    async def _ask(self, what: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n".encode())
        answer = await self._process.stdout.readline()
        assert answer, "the host has ended"
        return json.loads(answer)


async def _serve(folder: Path, seats: int) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    count = 0
    async with contextlib.AsyncExitStack() as stack:
        while what := (await reader.readline()).decode().strip():
            if what == "open":
                await stack.aclose()
                count += 1
                table = await stack.enter_async_context(_table(folder / str(count), seats))
                keep_loaded()  # as a real host does
                print(table.port, flush=True)
            elif what == "kept":
                kept = own_kept()
                print(json.dumps([kept.memory, kept.blocks]), flush=True)
            else:
                cost = own_cost()
                print(json.dumps(astuple(cost)), flush=True)


def _table(folder: Path, seats: int) -> contextlib.AbstractAsyncContextManager[OpenTable]:
    settings = first_table(seats)
    return open_table(settings, folder, host="127.0.0.1", port=0, code=CODE, unattended=True)


if __name__ == "__main__":
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
