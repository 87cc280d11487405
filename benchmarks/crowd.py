"""Eight players and 200 spectators at a table: how fast spectators join, and how long a move takes with them.

There are three processes: the host, eight players who make two moves a second, and the spectators, who only
record when entries arrive. Players and spectators have a lower priority than the host, because in a real game
each has a separate machine."""

import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

from citadels_lan.platform.system import keep_loaded
from tools.survival.hosting import CODE, Cost, Host
from tools.survival.playing import Players
from tools.survival.watching import Watcher, joined

from .figure import Figure
from .noting import Note
from .processes import syncs

SPECTATORS: Final = 200
PLAYERS: Final = 8
TITLE = f"{PLAYERS} players and {SPECTATORS} spectators (loopback, two and a half minutes)"
PACE: Final = 2.0
"""Moves a second."""
DOORS: Final = 8
"""Number of spectators who join at the same time. The host checks their join codes one after another."""
LOWER: Final = 5
"""The difference in priority ("nice" value) of players and spectators to the host."""
ALONE: Final = 20.0
SECONDS: Final = 100.0
"""Seconds of play without and with the spectators. The whole benchmark takes nearly two and a half minutes."""


class Measured(NamedTuple):
    """The measurements: milliseconds of moves, and between the first and the last spectator; seconds of
    joining; the host's resources."""

    alone: list[float]
    among: list[float]
    spread: list[float]
    joining: float
    late: float
    costs: tuple[Cost, Cost]


def figures() -> Iterator[Figure]:
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    measured = asyncio.run(_measure())
    begin, end = measured.costs
    yield Figure(f"{SPECTATORS - 1} spectators join, {DOORS} at the same time", measured.joining, "s", most=8)
    yield Figure("a move without spectators, median", median(measured.alone), "ms")
    yield Figure("a move with all of them, median", median(measured.among), "ms")
    yield Figure("a move with all of them, 99 % below", quantiles(measured.among, n=100)[98], "ms", most=15)
    disk = [seconds * 1e3 for seconds in syncs(None, 200)]
    yield Figure("a record of the journal on the disk, 99 % below", quantiles(disk, n=100)[98], "ms")
    yield Figure("from the first spectator to the last, median", median(measured.spread), "ms")
    yield Figure("from the first spectator to the last, 99 % below", quantiles(measured.spread, n=100)[98], "ms")
    yield Figure("all entries of the game to one more spectator", measured.late, "ms")
    yield Figure("the host's share of a core", 100 * (end.seconds - begin.seconds) / (end.at - begin.at), "%")
    yield Figure("the host waits for a core", 100 * (end.waited - begin.waited) / (end.at - begin.at), "%")


async def _measure() -> Measured:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with Host.started(folder / "host", PLAYERS) as host:
            port = await host.open()
            os.nice(LOWER)
            async with Players.seated(folder / "players", port, PLAYERS, PACE) as players:
                await asyncio.sleep(5)
                quiet = time.monotonic()
                await asyncio.sleep(ALONE)
                before = time.monotonic()
                watchers, following = list[Watcher](), list[asyncio.Task[None]]()
                async with asyncio.TaskGroup() as tasks:

                    async def join_all(numbers: range) -> None:
                        for number in numbers:
                            watcher = Watcher(await joined(port, CODE, f"W{number}"))
                            watchers.append(watcher)
                            following.append(tasks.create_task(watcher.follow()))

                    doors = [range(first, SPECTATORS - 1, DOORS) for first in range(DOORS)]
                    await asyncio.gather(*map(join_all, doors))
                    joining = time.monotonic() - before
                    keep_loaded()  # as real clients do
                    notes = [Note(watcher) for watcher in watchers]
                    await asyncio.sleep(5)
                    begin = await host.cost()
                    await asyncio.sleep(SECONDS)
                    end = await host.cost()
                    late = await _late(port, players)
                    for note, watcher, task in zip(notes, watchers, following, strict=True):
                        note.end()
                        watcher.link.abort("left")
                        task.cancel()
                alone = [move.took for move in players.between(quiet, before)]
                among = [move.took for move in players.between(begin.at, end.at)]
                spread = _spread(watchers, begin.at, end.at)
                return Measured(alone, among, spread, joining, late, (begin, end))


def _spread(watchers: Sequence[Watcher], begin: float, end: float) -> list[float]:
    """For each entry between two times: return the milliseconds between the arrivals at the first and the
    last spectator."""
    entries = {n for watcher in watchers for n, at in watcher.came.items() if begin <= at < end}
    times = [[watcher.came[n] for watcher in watchers if n in watcher.came] for n in sorted(entries)]
    return [1000 * (max(came) - min(came)) for came in times if len(came) == len(watchers)]


async def _late(port: int, players: Players) -> float:
    """Return the milliseconds from the connection of one more spectator until it has received all entries so
    far."""
    last, begin = players.moves[-1].n, time.monotonic()
    watcher = Watcher(await joined(port, CODE, "Late"), lambda: 0.0)
    async with asyncio.TaskGroup() as tasks:
        following = tasks.create_task(watcher.follow())
        while len(watcher.came) < last:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.005)
        passed = time.monotonic() - begin
        following.cancel()
    watcher.link.abort("left")
    return 1000 * passed
