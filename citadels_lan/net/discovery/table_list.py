"""One list of the tables on this network, from several sources: mDNS, the beacon, and the addresses of tables
that the player joined earlier.

If one source fails, the others continue. Each source is imported when it is first used, because its library
is large, and a program that follows a link does not need it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final, NoReturn, Self

import msgspec
from msgspec import Meta, Struct

from citadels_lan.net.wire.link import fingerprint_at
from citadels_lan.platform.files import write_private

from .adverts import AGAIN, Address, Advert, AdvertisedTable, TableKey, TableSource, Tell, keep_at, merged

TOGETHER: Final = 0.05
"""Seconds in which several changes are collected, to be reported as one."""
SILENT: Final = 10.0
"""Seconds without an announcement after which a host is asked directly. If it does not answer, its table is
not listed until it is announced again."""
ANSWER: Final = 2.0
"""Seconds that a host has to answer a direct question."""
ASKED: Final = 4
"""Most hosts that are asked directly at the same time, and most addresses of each. There is a limit because
anyone can announce any address."""
HEARD: Final = 16
"""Most addresses of one table that are used."""


class TableList:
    """The list of the tables that some sources find.

    async with TableList(Browser(), Listener()) as tables:
        async for _ in tables.news(): ...         # tables.tables is up to date
    """

    def __init__(self, *sources: TableSource, asks: bool = False) -> None:
        """`asks`: whether to ask a host directly if it was silent for SILENT seconds."""
        self._sources = sources
        self._asks = asks
        self._answered: dict[TableKey, float] = {}
        self._silent: dict[TableKey, float] = {}
        self._asking: dict[TableKey, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def works(self) -> bool:
        """Whether at least one source may find tables: it works, or that is not known so far."""
        return any(source.works is not False for source in self._sources)

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables that are announced now, without those whose host did not answer a direct question. A
        table that several sources have found is listed once."""
        found = merged(table for source in self._sources for table in source.tables.values())
        return {key: table for key, table in found.items() if key not in self._silent}

    @property
    def isolated(self) -> bool:
        """Whether no table was found and no other computer has sent a datagram."""
        return not self.tables and not any(source.others for source in self._sources)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        for source in self._sources:
            source.changed = self._changed.set
            work = keep_at(source.name, source.look, source.tell)
            self._tasks.append(loop.create_task(work))  # kept: it raises nothing
        if self._asks:
            self._tasks.append(loop.create_task(self._look_for_silent()))  # kept: as before
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._tasks, *self._asking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _look_for_silent(self) -> NoReturn:
        """Ask hosts directly that have been silent for too long. Never returns."""
        loop = asyncio.get_running_loop()
        while True:
            found = merged(table for source in self._sources for table in source.tables.values())
            # Forget tables that no source lists any more.
            for known in (self._answered, self._silent):
                for key in known.keys() - found.keys():
                    del known[key]
            for key, table in found.items():
                heard = max(source.signs.get(key, 0.0) for source in self._sources)
                if heard > self._silent.get(key, heard):  # it was heard after it did not answer
                    del self._silent[key]
                    self._changed.set()
                last = max(heard, self._answered.get(key, 0.0), self._silent.get(key, 0.0))
                if loop.time() - last >= SILENT:
                    self.ask(table)
            await asyncio.sleep(ANSWER / 2)

    def ask(self, table: AdvertisedTable) -> None:
        """Ask the host of a table directly whether it is there, unless too many hosts are being asked."""
        if table.key not in self._asking and len(self._asking) < ASKED:
            # kept: it raises nothing
            self._asking[table.key] = asyncio.get_running_loop().create_task(self._ask(table))

    def ask_at(self, fp: bytes) -> None:
        """Ask the hosts of all listed tables with this certificate fingerprint directly."""
        for table in self.tables.values():
            if table.advert.fp == fp:
                self.ask(table)

    async def _ask(self, table: AdvertisedTable) -> None:
        loop = asyncio.get_running_loop()
        # A table may announce many addresses, so only the first ones are asked.
        asking = (fingerprint_at(*address, ANSWER) for address in table.addresses[:ASKED])
        try:
            answers = await asyncio.gather(*asking)
        finally:
            del self._asking[table.key]
        if table.advert.fp in answers:
            self._answered[table.key] = loop.time()
            self._silent.pop(table.key, None)
        else:
            self._silent[table.key] = loop.time()
        self._changed.set()

    async def news(self) -> AsyncIterator[None]:
        """Yield whenever `tables` may have changed, and at least every few seconds."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await self._changed.wait()
                await asyncio.sleep(TOGETHER)
            self._changed.clear()
            yield


def everywhere(game: bytes | None = None, known: Sequence[str] = ()) -> TableList:
    """Return the list of all tables, or of the tables of one `game`, from all sources. The beacon also asks
    the computers `known` one by one."""
    from .beacon import Listener
    from .mdns import Browser

    return TableList(Browser(), Listener(game, known), asks=game is None)


async def locate(game: bytes, remembered: "Remembered | None" = None) -> AsyncGenerator[Sequence[Address], None]:
    """Yield the addresses where the host of a game may be, without end: at each change, and again every few
    seconds. They are hints: a host has to prove its key. `remembered` has addresses of earlier tables, which
    are tried first."""
    last = remembered.of(game) if remembered is not None else ()
    if last:
        yield last
    async with everywhere(game, [host for host, _ in last]) as listed:
        at = 0.0
        async for _ in listed.news():
            now, tables = asyncio.get_running_loop().time(), listed.tables.values()
            there = [
                place for table in tables if table.advert.game_id == game for place in table.addresses[:HEARD]
            ]
            # Equal addresses are repeated now and then, because the host may have just started.
            if there and (there != last or now - at >= AGAIN):
                last, at = there, now
                yield there


async def announce(
    port: int, adverts: Callable[[], Advert], changed: asyncio.Event, tell: Tell, *, quiet: bool = False
) -> None:
    """Announce a table by mDNS and by the beacon until cancelled. `adverts` returns the present announcement,
    and `changed` is set when it has changed. `tell` is called with whether at least one of the two ways
    works. `quiet`: do not announce the table; the beacon answers only programs that know its game id, so that
    players with a seat can find it."""
    from . import beacon

    works: dict[str, bool] = {}

    def note(source: str, well: bool) -> None:
        works[source] = well
        # One working source is enough; a failure counts only when both have been tried.
        if well or len(works) == 2:
            tell(any(works.values()))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(beacon.announce(port, adverts, partial(note, "beacon"), quiet=quiet))
        if not quiet:
            from . import mdns

            tasks.create_task(mdns.announce(port, adverts, changed, partial(note, "mDNS")))


TABLES: Final = 64
"""Most tables that are remembered. Older ones are dropped."""
ADDRESSES: Final = 8
"""Most addresses of each table that are remembered."""


_Host = Annotated[str, Meta(min_length=1, max_length=253)]
_Port = Annotated[int, Meta(ge=1, le=65535)]


class _Table(Struct, frozen=True):
    game: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    at: list[tuple[_Host, _Port]]


class Remembered:
    """A file with the addresses of the tables that the player has joined, by game; the latest table is last.
    These addresses are tried first. A file that cannot be read or written counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, game: bytes) -> Sequence[Address]:
        """Return the addresses of a game, the one that was used last first; () if the game is not in the
        file."""
        return self._read().get(game.hex(), ())

    def hosts(self) -> Sequence[str]:
        """Return the host names of all remembered tables, the latest table first."""
        return tuple(dict.fromkeys(host for at in reversed(self._read().values()) for host, _ in at))

    def last(self) -> tuple[bytes, Sequence[Address]] | None:
        """Return the game that the player joined last, with its addresses; None if there is none."""
        tables = self._read()
        return (bytes.fromhex(game), tables[game]) if (game := next(reversed(tables), "")) else None

    def keep(self, game: bytes, addresses: Sequence[Address]) -> None:
        """Store that the player joined a game at the first of `addresses`; its host may also be at the
        others."""
        tables = self._read()
        before = tables.pop(game.hex(), ())
        tables[game.hex()] = tuple(dict.fromkeys((*addresses, *before)))[:ADDRESSES]
        last = [{"game": name, "at": at} for name, at in tuple(tables.items())[-TABLES:]]
        # The list is only a shortcut: without it the search takes longer.
        with contextlib.suppress(OSError):
            write_private(self._path, json.dumps(last, indent=1).encode(), replace=True)

    def _read(self) -> dict[str, Sequence[Address]]:
        try:
            tables = msgspec.json.decode(self._path.read_bytes(), type=list[_Table])
        except (OSError, msgspec.DecodeError):
            return {}
        return {table.game: tuple(table.at[:ADDRESSES]) for table in tables[-TABLES:]}
