"""Finding tables by mDNS: announcing one, and browsing for all there are.

Finding is a comfort, no more: tables are joined by address and link, too. So nothing here raises, whatever the
network, the system or the library does. What fails is tried again later; who asked is told that it does not work.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, NoReturn

from msgspec import Struct
from zeroconf import IPVersion, NotRunningException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from .found import (
    MOST,
    Advert,
    AdvertisedTable,
    Finder,
    Gone,
    TableKey,
    TableSeen,
    Tell,
    Works,
    from_txt,
    merged,
    reachable,
    to_txt,
)
from .interfaces import Interface, here

SERVICE: Final = "_citadels-lan._tcp.local."
LIFE: Final = 120
"""Seconds that a table is remembered whose host has gone without a word."""
_RESOLVE: Final = 3000
_WATCH: Final = 3.0
"""Seconds between two looks at the interfaces, and between two tries."""

log = logging.getLogger(__name__)


class Zone(Struct, frozen=True):
    """The interfaces mDNS speaks on."""

    interfaces: tuple[Interface, ...]

    @classmethod
    def here(cls, *, loopback: bool = False, only: str = "") -> "Zone":
        """Those of this machine, now; `only`: the one of this name."""
        return cls(here(loopback=loopback, only=only))

    def addresses(self) -> list[str]:
        """All their addresses, as a table announces them."""
        return [ip for interface in self.interfaces for ip in (*interface.ipv4, *interface.ipv6)]

    def open(self) -> AsyncZeroconf:
        """Speak there, on IPv6 too where that works. Raises OSError, and whatever the library does."""
        ipv4: list[str | int] = [ip for interface in self.interfaces for ip in interface.ipv4]
        with_ipv6 = [interface for interface in self.interfaces if interface.ipv6]
        ipv6: list[str | int] = [interface.index for interface in with_ipv6 if interface.index]
        if not ipv4 and not ipv6:
            raise OSError("no network interface has an address")
        with contextlib.suppress(Exception):  # a system without IPv6 fails in many ways
            if ipv6:
                version = IPVersion.All if ipv4 else IPVersion.V6Only
                return AsyncZeroconf(interfaces=[*ipv4, *ipv6], ip_version=version)
        if not ipv4:
            raise OSError("mDNS does not work on this machine's interfaces")
        return AsyncZeroconf(interfaces=ipv4, ip_version=IPVersion.V4Only)


async def _keep_at(
    work: Callable[[Zone, AsyncZeroconf], Awaitable[None]], tell: Tell, *, loopback: bool, only: str = ""
) -> NoReturn:
    """Do `work` until cancelled: again where it ends since the interfaces are others, and a while after it failed.

    The library raises more than its own errors (RuntimeError, AssertionError, groups of them), and none is a
    reason to end a game: the first of a row of failures goes to the log, and that is all.
    """
    worked: bool | None = None
    while True:
        zone = Zone.here(loopback=loopback, only=only)
        try:
            async with speaking(zone) as zeroconf:
                if worked is not True:
                    worked = True
                    tell(True)
                await work(zone, zeroconf)
        except Exception as failure:
            _end_if_told()
            if worked is not False:
                worked = False
                tell(False)
                log.warning("tables cannot be found by mDNS here: %r", failure)
            await asyncio.sleep(_WATCH)


def _end_if_told() -> None:
    """Before Python 3.13 a TaskGroup that fails while its task is cancelled tells of the failure alone, and that
    it was to end is lost."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


@contextlib.asynccontextmanager
async def speaking(zone: Zone) -> AsyncIterator[AsyncZeroconf]:
    """The library, speaking there and closed at the end. Raises what it raises."""
    zeroconf = zone.open()
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        with contextlib.suppress(Exception):  # what does not close is gone with the program
            await zeroconf.async_close()


async def _until_changed(zone: Zone, zeroconf: AsyncZeroconf, *, loopback: bool, only: str) -> None:
    """Wait until the interfaces are others, or the library has stopped by itself."""
    while True:
        await asyncio.sleep(_WATCH)
        if not _holds(zone, zeroconf, loopback=loopback, only=only):
            return


def _holds(zone: Zone, zeroconf: AsyncZeroconf, *, loopback: bool, only: str = "") -> bool:
    if not zeroconf.zeroconf.started:
        raise NotRunningException
    return Zone.here(loopback=loopback, only=only) == zone


async def announce(
    port: int, adverts: Callable[[], Advert], changed: asyncio.Event, tell: Tell, *, loopback: bool = False
) -> None:
    """Announce a table until cancelled. `changed` is set whenever `adverts()` says something new; the interfaces
    are watched too. Where mDNS cannot work, `tell` hears it, it is tried again later, and nothing else suffers."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"

    async def work(zone: Zone, zeroconf: AsyncZeroconf) -> None:
        advert = adverts()
        info = _info(name, port, zone, advert)
        await (await zeroconf.async_register_service(info, cooperating_responders=True))
        while _holds(zone, zeroconf, loopback=loopback):
            if adverts() != advert:
                advert = adverts()
                await (await zeroconf.async_update_service(_info(name, port, zone, advert)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_WATCH):
                    await changed.wait()
            changed.clear()

    await _keep_at(work, tell, loopback=loopback)


def _info(name: str, port: int, zone: Zone, advert: Advert) -> AsyncServiceInfo:
    return AsyncServiceInfo(
        SERVICE,
        name,
        port=port,
        properties=to_txt(advert),
        server=f"{name.split('.', maxsplit=1)[0]}.local.",
        parsed_addresses=zone.addresses(),
        other_ttl=LIFE,
    )


class Browser(Finder):
    """The tables on this network that are announced by mDNS."""

    def __init__(self, *, loopback: bool = False, only: str = "") -> None:
        """`only`: on the interface of this name alone."""
        super().__init__()
        self._loopback = loopback
        self._only = only
        self._services: dict[str, AdvertisedTable] = {}
        self._names: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""
        return merged(self._services.values())

    async def _look(self) -> None:
        await _keep_at(self._look_on, self._tell, loopback=self._loopback, only=self._only)

    def _tell(self, works: bool) -> None:
        self.works = works
        self._forget_all()
        self._changes.put_nowait(Works(works))

    async def _look_on(self, zone: Zone, zeroconf: AsyncZeroconf) -> None:
        """Browse until the interfaces are others."""
        self._forget_all()
        async with asyncio.TaskGroup() as tasks:
            work = tasks.create_task(self._work(zeroconf.zeroconf, tasks))
            browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._heard])
            try:
                await _until_changed(zone, zeroconf, loopback=self._loopback, only=self._only)
            finally:
                work.cancel()
                with contextlib.suppress(Exception):
                    await browser.async_cancel()

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        self._names.put_nowait((name, state_change is ServiceStateChange.Removed))

    async def _work(self, zeroconf: Zeroconf, tasks: asyncio.TaskGroup) -> None:
        looking: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                name, removed = await self._names.get()
                if name in looking:
                    looking.pop(name).cancel()
                if removed:
                    self._forget(name)
                elif name in self._services or len(self._services) + len(looking) < MOST:
                    looking = {other: task for other, task in looking.items() if not task.done()}
                    looking[name] = tasks.create_task(self._resolve(zeroconf, name))
        finally:
            for task in looking.values():
                task.cancel()

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask for what an announcement says. Anybody on the network may announce anything under any name: what the
        library cannot take is no table."""
        try:
            info = AsyncServiceInfo(SERVICE, name)
            if not await info.async_request(zeroconf, _RESOLVE):
                return
            advert = from_txt(info.properties)
            if advert is None or not info.port:
                return
            addresses = reachable(info.parsed_scoped_addresses(), info.port)
        except Exception as failure:
            log.info("an announcement cannot be read: %r", failure)
            return
        self._services.pop(name, None)  # what was heard last stands last, and counts
        self._services[name] = AdvertisedTable(advert, addresses)
        self._changes.put_nowait(TableSeen(self.tables[advert.game_id, advert.fp]))

    def _forget_all(self) -> None:
        for name in tuple(self._services):
            self._forget(name)

    def _forget(self, name: str) -> None:
        table = self._services.pop(name, None)
        if table is None:
            return
        left = self.tables.get(table.key)
        self._changes.put_nowait(TableSeen(left) if left else Gone(table.advert.game_id))
