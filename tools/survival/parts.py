"""The programs that `finding` runs on its machines: a host, reconnecting guests, and a program that searches.

Each prints lines `word seconds …`, with seconds of the clock that all processes of a machine share."""

import asyncio
import contextlib
import math
import random
import sys
import time
from functools import partial
from pathlib import Path

from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Connected, Disconnected
from citadels_lan.net.discovery.table_list import everywhere, locate
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Rejected
from tests.facts import first_table
from tests.net.playing import random_action

MOVES = 12
"""After this many entries the guests stop playing and wait for their host."""


def tell(word: str, *rest: object) -> None:
    print(word, time.monotonic(), *rest, flush=True)


async def host(folder: str, port: str, announce: str, journal: str = "") -> None:
    """Host a table for two players. If `journal` is given, resume the table in this journal."""
    async with open_table(
        first_table(2), Path(folder), port=int(port), resume=Path(journal) if journal else None,
        announce=announce == "announced", unattended=True,
    ) as table:  # fmt: skip
        tell("listening", table.port, table.game_id.hex(), table.journal)
        await table.over()


async def guests(folder: str, address: str, port: str) -> None:
    """Run two guests who play a few moves and then stay connected."""
    async with asyncio.TaskGroup() as tasks:
        for name in ("Anna", "Bea"):
            tasks.create_task(_guest(Path(folder) / name, name, (address, int(port))))


async def _guest(folder: Path, name: str, address: tuple[str, int]) -> None:
    session = await Session.join(address, data_dir=folder, name=name, locate=partial(locate, remembered=None))
    with contextlib.suppress(Rejected):  # a player who reconnects during a game gets no lobby
        await session.ready()
    dice, played = random.Random(name), False
    async for update in session.updates():
        if isinstance(update, Connected | Disconnected):
            tell("up" if isinstance(update, Connected) else "down", name)
        while session.table.head.n < MOVES and (choices := session.table.choices):
            with contextlib.suppress(Rejected):
                await session.act(random_action(choices, dice))
        if session.table.head.n >= MOVES and not played:
            played = True
            tell("played", name)


async def look(game: str, times: str) -> None:
    """Search for a table this many times. Print the seconds of each search; `inf` if the table was not
    found."""
    for _ in range(int(times)):
        began, ended = time.monotonic(), math.inf
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(60), everywhere() as found:
                async for _ in found.news():
                    if any(table.advert.game_id.hex() == game for table in found.tables.values()):
                        ended = time.monotonic()
                        break
        tell("found", f"{ended - began:.3f}")


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    asyncio.run({"host": host, "guests": guests, "look": look}[part](*arguments))  # type: ignore[operator]  # the types differ
