"""All ways to find a table, side by side, as one list: mDNS, the beacon, and where tables were before.

(A link and a typed address need no looking.) No failure of one way ends anything: the others continue. They are
imported when they are used: their libraries are large, and a program that follows a link may never look.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta, Struct

from citadels_lan.systems.files import write_private

from .found import AGAIN, Address, Advert, AdvertisedTable, TableKey, TableSource, Tell, merged

TOGETHER: Final = 0.05
"""Seconds in which changes are collected before they are shown."""
HEARD: Final = 16
"""At most this many addresses of a table are told at once."""


class TableList:
    """The tables that these sources find.

    async with TableList(Browser(), Listener()) as found:
        async for _ in found.news(): ...          # found.tables is up to date
    """

    def __init__(self, *sources: TableSource) -> None:
        self._sources = sources
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def works(self) -> bool:
        """Whether tables can be looked for here, as far as is known."""
        return any(source.works is not False for source in self._sources)

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now; a table that several sources have found is one table."""
        return merged(table for source in self._sources for table in source.tables.values())

    @property
    def isolated(self) -> bool:
        """Whether nothing at all was heard of any other machine."""
        return not self.tables and not any(source.others for source in self._sources)

    async def __aenter__(self) -> Self:
        for source in self._sources:
            source.changed = self._changed.set
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(source.run()) for source in self._sources]  # kept: they raise nothing
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    async def news(self) -> AsyncIterator[None]:
        """Yield when something has changed, once for changes that come together; and every few seconds."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await self._changed.wait()
                await asyncio.sleep(TOGETHER)
            self._changed.clear()
            yield


def everywhere(game: bytes | None = None, known: Sequence[str] = ()) -> TableList:
    """All ways to find tables, or one `game`. The beacon asks the machines `known` from before one by one, too."""
    from .beacon import Listener
    from .mdns import Browser

    return TableList(Browser(), Listener(game, known))


async def locate(game: bytes, remembered: "Remembered | None" = None) -> AsyncGenerator[Sequence[Address], None]:
    """Yield the addresses where the host of a game may be, again when they change and every few seconds; without
    end. They are hints: the program that answers has to prove its key."""
    before = remembered.of(game) if remembered is not None else ()
    if before:
        yield before
    told, at = before, 0.0
    async with everywhere(game, [host for host, _ in before]) as found:
        async for _ in found.news():
            now, tables = asyncio.get_running_loop().time(), list(found.tables.values())
            there = [
                place for table in tables if table.advert.game_id == game for place in table.addresses[:HEARD]
            ]
            if there and (there != told or now - at >= AGAIN):
                told, at = there, now
                yield there


async def announce(
    port: int, adverts: Callable[[], Advert], changed: asyncio.Event, tell: Tell, *, quiet: bool = False
) -> None:
    """Announce a table in all ways until cancelled. `changed` is set whenever `adverts()` says something new.
    `tell` hears whether any way works. A `quiet` table is not announced: the beacon alone answers those who know
    its game, so that a player who has a seat there finds it."""
    works: dict[str, bool] = {}

    def told(way: str) -> Tell:
        def hear(well: bool) -> None:
            works[way] = well
            if len(works) == 2 or well:
                tell(any(works.values()))

        return hear

    from . import beacon

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(beacon.announce(port, adverts, told("beacon"), quiet=quiet))
        if not quiet:
            from . import mdns

            tasks.create_task(mdns.announce(port, adverts, changed, told("mdns")))


TABLES: Final = 64
"""At most this many tables are remembered, the latest."""
ADDRESSES: Final = 8
"""At most this many addresses of each."""


_Host = Annotated[str, Meta(min_length=1, max_length=253)]
_Port = Annotated[int, Meta(ge=1, le=65535)]


class _Table(Struct, frozen=True):
    game: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    at: list[tuple[_Host, _Port]]


class Remembered:
    """The addresses of the tables joined before, by game, the latest last. They are in a file, and are tried
    first. A file that cannot be read or written stops nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, game: bytes) -> Sequence[Address]:
        """Where a game was, first where it was last; nothing if it is not known."""
        return self._read().get(game.hex(), ())

    def hosts(self) -> Sequence[str]:
        """The machines of these tables, the latest first."""
        return tuple(dict.fromkeys(host for at in reversed(self._read().values()) for host, _ in at))

    def keep(self, game: bytes, addresses: Sequence[Address]) -> None:
        """Note that a table was joined at the first of these addresses, and may be at the others."""
        known = self._read()
        before = known.pop(game.hex(), ())
        known[game.hex()] = tuple(dict.fromkeys((*addresses, *before)))[:ADDRESSES]
        tables = [{"game": name, "at": at} for name, at in tuple(known.items())[-TABLES:]]
        with contextlib.suppress(OSError):
            write_private(self._path, json.dumps(tables, indent=1).encode(), replace=True)

    def _read(self) -> dict[str, Sequence[Address]]:
        try:
            tables = msgspec.json.decode(self._path.read_bytes(), type=list[_Table])
        except (OSError, msgspec.DecodeError):
            return {}
        return {one.game: tuple(one.at[:ADDRESSES]) for one in tables[-TABLES:]}
