"""Games over real sockets, one after another in one process, and what stays of them: memory, files, tasks.

    python -m tools.survival.soak --games 1000

Each game has a table of its own on loopback, two random players and a spectator; one of the players goes in the
middle, without a word, and comes back. It ends after so many entries, and every tenth one at its own end. What a
process holds is printed after 50 games, 100, 200 and so on: from the first line on it should be the same.
"""

import argparse
import asyncio
import ctypes
import gc
import random
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from citadels_lan.net.host.opening import open_table
from tests.facts import first_table
from tests.net.playing import QUICK, join, play, reached, until

WHOLE: Final = 10
"""One of so many games is played to its end."""
FIRST: Final = 50
"""After so many games everything is loaded and every cache is warm."""


class Held(Struct, frozen=True):
    """What a process holds: resident memory in kB now and at most, open files, tasks, threads, objects."""

    memory: int
    most: int
    files: int
    tasks: int
    threads: int
    objects: int


def held() -> Held:
    """What this one holds, without its garbage and without what malloc keeps for the next games."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    status = {name: rest.split()[0] for name, _, rest in (line.partition(":") for line in lines) if rest.strip()}
    return Held(
        int(status["VmRSS"]),
        int(status["VmHWM"]),
        sum(1 for _ in Path("/proc/self/fd").iterdir()),
        len(asyncio.all_tasks()),
        threading.active_count(),
        len(gc.get_objects()),
    )


async def game(folder: Path, seed: int, last: int) -> int:
    """One table, until entry `last` or to the end of its game; its entries."""
    async with (
        asyncio.timeout(300),
        open_table(
            first_table(2), folder / "host", host="127.0.0.1", port=0, timing=QUICK, unattended=True
        ) as table,
    ):
        anna = await join(table, folder / "a", "Anna")
        watching = await join(table, folder / "w", "Wanda", role="spectator")
        bea = await join(table, folder / "b", "Bea")
        async with asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(play(anna, seed, until=last))
            leaving = tasks.create_task(play(bea, seed + 1, until=last))
            await until(reached(bea, 12 + random.Random(seed).randrange(12)))
            leaving.cancel()
            bea.connection.abort("lost")
            await bea.leave()
            bea = await join(table, folder / "b", "Bea")
            tasks.create_task(play(bea, seed + 2, until=last))
            await playing
        entries = anna.table.head.n
        await until(reached(watching, entries))
        for session in (anna, watching, bea):
            await session.leave()
    return entries


def due(played: int) -> bool:
    """Whether it is time for a line."""
    return played == FIRST or (played > 0 and played % 100 == 0)


async def soak(games: int, last: int, say: Callable[[str], None]) -> None:
    """So many games."""
    entries, began = 0, time.monotonic()
    say(" games  entries   RSS kB     most  files  tasks threads objects seconds")
    for number in range(games):
        with tempfile.TemporaryDirectory() as name:
            entries += await game(Path(name), number, 10**9 if number % WHOLE == WHOLE - 1 else last)
        if due(number + 1) or number + 1 == games:
            now = held()
            memory = f"{now.memory:8} {now.most:8} {now.files:6} {now.tasks:6} {now.threads:7} {now.objects:7}"
            say(f"{number + 1:6} {entries:8} {memory} {time.monotonic() - began:7.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--entries", type=int, default=40, help="after so many a game is left (usual: 40)")
    given = parser.parse_args()
    asyncio.run(soak(given.games, given.entries, lambda line: print(line, flush=True)))
