"""Many spectators at a real table: when the last of them has an entry, and what that costs host and players.

    python -m tests.survival.crowd --spectators 200

Three processes: the host, eight honest players who make two moves a second, and the spectators, who only note when
entries come. `late` is the last of them, who comes in the middle and has to be sent all of the history.
"""

import argparse
import asyncio
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .hosting import CODE, Host
from .noting import Note
from .playing import Players
from .watching import Watcher, joined

PLAYERS: Final = 8
PACE: Final = 2.0
"""Moves a second."""
OTHERS: Final = 5
"""So much lower is the priority of players and spectators, who in truth have machines of their own."""
DOORS: Final = 8
"""Spectators who join at the same time."""


async def seated(port: int, numbers: Sequence[int]) -> list[Watcher]:
    """Spectators who have joined."""
    return [Watcher(await joined(port, CODE, f"W{number}")) for number in numbers]


async def crowd(spectators: int, quiet_seconds: float, seconds: float) -> None:
    """All of it, printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with Host.started(folder / "host", PLAYERS) as host:
            port = await host.open()
            os.nice(OTHERS)
            async with Players.seated(folder / "players", port, PLAYERS, PACE) as players:
                await asyncio.sleep(5)
                quiet = await host.cost()
                await asyncio.sleep(quiet_seconds)
                before = await host.cost()
                alone = [move.took for move in players.between(quiet.at, before.at)]
                print(f"without spectators: {before.since(quiet)}; {len(alone)} moves, {_times(alone)}")
                async with asyncio.TaskGroup() as tasks:
                    groups = [
                        tasks.create_task(seated(port, range(first, spectators - 1, DOORS)))
                        for first in range(DOORS)
                    ]
                    watchers = [watcher for group in groups for watcher in await group]
                    notes = [Note(watcher) for watcher in watchers]
                    following = [tasks.create_task(watcher.follow()) for watcher in watchers]
                    inside = await host.cost()
                    print(f"{len(watchers)} joined in {inside.at - before.at:.1f} s: {inside.since(before)}")
                    await asyncio.sleep(5)
                    begin = await host.cost()
                    await asyncio.sleep(seconds)
                    end = await host.cost()
                    moves = players.between(begin.at, end.at)
                    last = _last_deliveries(watchers, begin.at, end.at)
                    took = _times([move.took for move in moves])
                    print(f"with {len(watchers)}: {end.since(begin)}; {len(moves)} moves, {took}")
                    print(f"{len(last)} entries, from the first spectator to the last: {_times(last)}")
                    await _late(port, players)
                    for note in notes:
                        note.end()
                    for watcher in watchers:
                        watcher.link.abort("left")
                    for task in following:
                        task.cancel()
        print(f"load {os.getloadavg()}")


def _last_deliveries(watchers: Sequence[Watcher], begin: float, end: float) -> list[float]:
    """Milliseconds between the first and the last spectator who has an entry."""
    entries = {n for watcher in watchers for n, at in watcher.came.items() if begin <= at < end}
    times = [[watcher.came[n] for watcher in watchers if n in watcher.came] for n in sorted(entries)]
    return [1000 * (max(came) - min(came)) for came in times if len(came) == len(watchers)]


async def _late(port: int, players: Players) -> None:
    """One more: how long until all that has happened is there."""
    last, begin = players.moves[-1].n, time.monotonic()
    watcher = Watcher(await joined(port, CODE, "Late"), lambda: 0.0)
    async with asyncio.TaskGroup() as tasks:
        following = tasks.create_task(watcher.follow())
        while len(watcher.came) < last:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.005)
        print(f"late: all of {last} entries after {1000 * (time.monotonic() - begin):.0f} ms")
        following.cancel()
    watcher.link.abort("left")


def _times(milliseconds: Sequence[float]) -> str:
    times = sorted(milliseconds)
    if not times:
        return "none"
    p99 = times[min(int(len(times) * 0.99), len(times) - 1)]
    return f"median {statistics.median(times):.1f} ms, p99 {p99:.1f}, most {times[-1]:.1f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--quiet", type=float, default=10.0, help="seconds without spectators")
    parser.add_argument("--seconds", type=float, default=150.0, help="seconds with them")
    given = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(crowd(given.spectators, given.quiet, given.seconds))
