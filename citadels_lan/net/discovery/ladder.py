"""All ways to find a table, side by side: mDNS, the beacon, where tables were before. (A link and a typed address
need no looking.)

Each way is a rung, which can be asked alone (`probe`); a `Ladder` is all of them, as one list. No failure of a
rung ends anything: it is told in the log, and the others go on.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, Self

from msgspec import Struct

from .beacon import Listener
from .found import Address, AdvertisedTable, Change, Sought, TableKey, TableSeen, Works, merged
from .remembered import Remembered

AGAIN: Final = 2.0
"""Seconds until a rung that has failed is tried again."""
TOGETHER: Final = 0.05
"""Seconds in which what is heard is told together."""
HEARD: Final = 16
"""So many addresses of a table are told by one rung at most."""
log = logging.getLogger(__name__)


class Looking(Protocol):
    """What a rung does while it is looked from: `tables` is up to date with what `changes` has told to one
    reader."""

    works: bool

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]: ...

    def changes(self) -> AsyncIterator[Change]: ...


class Rung(Struct, frozen=True):
    """A way to find tables: its name for people and logs, and what looks on it."""

    name: str
    look: Callable[[], AbstractAsyncContextManager[Looking]]


class Probe(Struct, frozen=True):
    """What a rung alone has found: whether it works on this machine, the tables, and whether it has heard any
    other machine (mDNS does not tell)."""

    works: bool
    tables: Sequence[AdvertisedTable]
    others: bool


def mdns(*, loopback: bool = False, only: str = "") -> Rung:
    """Announcements by mDNS; `only`: on the interface of this name alone."""

    def look() -> AbstractAsyncContextManager[Looking]:
        from .mdns import Browser  # zeroconf is much to load, and whoever follows a link may never look

        return Browser(loopback=loopback, only=only)

    return Rung("mDNS", look)


def beacon(
    game: bytes | None = None, known: Sequence[str] = (), *, loopback: bool = False, only: str = ""
) -> Rung:
    """The own beacon, by broadcast and multicast; the machines `known` from before are asked one by one, too.
    `only`: on the interface of this name alone."""
    return Rung("beacon", lambda: Listener(game, known, loopback=loopback, only=only))


async def probe(rung: Rung, patience: float) -> Probe:
    """Look from one rung for `patience` seconds."""
    works, others, tables = False, False, dict[TableKey, AdvertisedTable]()
    try:
        async with rung.look() as looking:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    async for _ in looking.changes():
                        pass
            works, tables = looking.works, looking.tables
            others = isinstance(looking, Listener) and looking.hearing.others > 0
    except Exception as failure:
        log.warning("%s cannot be asked: %r", rung.name, failure)
    return Probe(works, tuple(tables.values()), others)


class Ladder:
    """The tables that all rungs find.

    async with Ladder(rungs) as ladder:
        async for change in ladder.changes(): ...          # ladder.tables is up to date
    """

    def __init__(self, rungs: Sequence[Rung]) -> None:
        self._rungs = rungs
        self._looking: dict[str, Looking] = {}
        self._works: dict[str, bool] = {}
        self._changes: asyncio.Queue[Change] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def works(self) -> bool:
        """Whether tables can be looked for here, as far as is known."""
        return any(self._works.get(rung.name, True) for rung in self._rungs)

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now; what several rungs have found is one table."""
        return merged(table for looking in self._looking.values() for table in looking.tables.values())

    @property
    def isolated(self) -> bool:
        """Whether nothing at all was heard of any other machine."""
        heard = (looking.hearing.others for looking in self._looking.values() if isinstance(looking, Listener))
        return not self.tables and not sum(heard)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._climb(rung)) for rung in self._rungs]  # kept: they raise nothing
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def changes(self) -> AsyncIterator[Change]:
        """What is found and what is gone, from the beginning on, to one reader; without end."""
        while True:
            yield await self._changes.get()

    async def news(self) -> AsyncIterator[None]:
        """Whenever something has changed, all that has come at once together; and every few seconds anyway."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await self._changes.get()
                await asyncio.sleep(TOGETHER)
            while not self._changes.empty():
                self._changes.get_nowait()
            yield

    async def _climb(self, rung: Rung) -> None:
        """Look from one rung, again whenever it breaks."""
        while True:
            try:
                async with rung.look() as looking:
                    self._looking[rung.name] = looking
                    async for change in looking.changes():
                        self._tell(rung, change)
            except Exception as failure:
                log.warning("%s has failed: %r", rung.name, failure)
                self._tell(rung, Works(False))
            finally:
                self._looking.pop(rung.name, None)
            await asyncio.sleep(AGAIN)

    def _tell(self, rung: Rung, change: Change) -> None:
        if not isinstance(change, Works):
            self._changes.put_nowait(change)
            return
        before = self.works if self._works else None
        self._works[rung.name] = change.works
        if self.works != before:
            self._changes.put_nowait(Works(self.works))


def everywhere(remembered: Remembered | None = None, *, loopback: bool = False) -> Ladder:
    """All rungs."""
    known = remembered.hosts() if remembered is not None else ()
    return Ladder((mdns(loopback=loopback), beacon(None, known, loopback=loopback)))


async def locate(
    sought: Sought, remembered: Remembered | None = None, *, loopback: bool = False
) -> AsyncGenerator[Sequence[Address], None]:
    """Where the host of a game may be, again whenever something is heard of it; without end. It is hearsay: who
    answers there has to be one of the sought."""
    before = remembered.of(sought.game) if remembered is not None else ()
    if before:
        yield before
    rungs = (mdns(loopback=loopback), beacon(sought.game, [host for host, _ in before], loopback=loopback))
    async with Ladder(rungs) as ladder:
        async for change in ladder.changes():
            if isinstance(change, TableSeen) and change.table.advert.game_id == sought.game:
                yield change.table.addresses[:HEARD]
