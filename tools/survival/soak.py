"""Play games over real sockets one after another in one process, and measure what remains: memory, files,
tasks.

    python -m tools.survival.soak --games 1000

Each game has a separate table on loopback, two random players and a spectator. One of the players disconnects
in the middle of the game and reconnects. It ends after `--entries` entries; every tenth game is played to its
end. The resources of the process are printed after 50 games, 100, 200 and so on: they should stay the same
from the first line on."""

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
"""One of this many games is played to its end."""
FIRST: Final = 50
"""After this many games, all modules are loaded and all caches are full."""


class Held(Struct, frozen=True):
    """The resources that a process holds: resident memory in kB now and at its maximum, open files, tasks,
    threads, objects."""

    memory: int
    most: int
    files: int
    tasks: int
    threads: int
    objects: int


def held() -> Held:
    """Return the resources of this process, after garbage collection and after malloc has returned unused
    memory."""
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
    """Play one table until it has entry `last`, or until its game ends. Return the number of entries."""
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
    """Return whether the resources are to be printed after this many games."""
    return played == FIRST or (played > 0 and played % 100 == 0)


async def soak(games: int, last: int, say: Callable[[str], None]) -> None:
    """Play this many games, and print the resources by `say` from time to time."""
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
