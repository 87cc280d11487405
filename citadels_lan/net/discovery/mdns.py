"""Finding tables by mDNS: announcing one, and browsing for all there are."""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, NoReturn

from zeroconf import IPVersion, NotRunningException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from citadels_lan.net.wire.clean import clean_name

from .found import MOST, Advert, AdvertisedTable, TableKey, TableSource, Tell, keep_at, merged, reachable
from .interfaces import Interface, here, numbers

SERVICE: Final = "_citadels-lan._tcp.local."
LIFE: Final = 120
"""Seconds that a table is remembered whose host has gone without a word."""
_RESOLVE: Final = 3000
_WATCH: Final = 3.0
"""Seconds between two looks at the interfaces."""
STATES: Final = ("lobby", "playing", "over")

log = logging.getLogger(__name__)


def to_txt(advert: Advert) -> dict[str, str]:
    """The TXT record of an announcement."""
    return {
        "v": str(advert.version),
        "id": advert.game_id.hex(),
        "name": advert.name,
        "seats": f"{advert.taken}/{advert.seats}",
        "state": advert.state,
        "edition": advert.edition,
        "fp": advert.fp.hex(),
    }


def from_txt(txt: Mapping[bytes, bytes | None]) -> Advert | None:
    """What a TXT record says, or None if it is not that of a table."""
    try:
        values = {key.decode(): (value or b"").decode() for key, value in txt.items()}
        seats = re.fullmatch(r"(\d{1,2})/(\d{1,2})", values["seats"])
        game, fp = bytes.fromhex(values["id"]), bytes.fromhex(values["fp"])
        name, state = clean_name(values["name"]), values["state"]
        if seats is None or len(game) != 16 or len(fp) != 32 or state not in STATES:
            return None
        version = int(values["v"]) if re.fullmatch(r"\d{1,5}", values["v"]) else 0
        edition = clean_name(values["edition"])
    except (KeyError, ValueError):
        return None
    return Advert(game, name, int(seats[1]), int(seats[2]), state, edition, fp, version)


def open_zeroconf(there: Sequence[Interface]) -> AsyncZeroconf:
    """Speak on these interfaces, by IPv6 too where that works. Raises OSError, and whatever the library does."""
    ipv4: list[str | int] = [ip for interface in there for ip in interface.ipv4]
    ipv6: list[str | int] = [interface.index for interface in there if interface.ipv6 and interface.index]
    if not ipv4 and not ipv6:
        raise OSError("no network interface has an address")
    with contextlib.suppress(Exception):  # a system without IPv6 fails in many ways
        if ipv6:
            version = IPVersion.All if ipv4 else IPVersion.V6Only
            return AsyncZeroconf(interfaces=[*ipv4, *ipv6], ip_version=version)
    if not ipv4:
        raise OSError("mDNS does not work on this machine's interfaces")
    return AsyncZeroconf(interfaces=ipv4, ip_version=IPVersion.V4Only)


@contextlib.asynccontextmanager
async def speaking(there: Sequence[Interface]) -> AsyncIterator[AsyncZeroconf]:
    """The library, speaking there and closed at the end. Raises what it raises."""
    zeroconf = open_zeroconf(there)
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        with contextlib.suppress(Exception):  # what does not close is gone with the program
            await zeroconf.async_close()


def _holds(there: Sequence[Interface], zeroconf: AsyncZeroconf, only: str = "") -> bool:
    """Whether the interfaces are still these. Raises NotRunningException if the library has stopped by itself."""
    if not zeroconf.zeroconf.started:
        raise NotRunningException
    return here(only) == there


async def announce(port: int, adverts: Callable[[], Advert], changed: asyncio.Event, tell: Tell) -> NoReturn:
    """Announce a table until cancelled. `changed` is set whenever `adverts()` says something new."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"

    async def work() -> None:
        there, advert = here(), adverts()
        async with speaking(there) as zeroconf:
            info = _info(name, port, there, advert)
            await (await zeroconf.async_register_service(info, cooperating_responders=True))
            tell(True)
            while _holds(there, zeroconf):
                if adverts() != advert:
                    advert = adverts()
                    await (await zeroconf.async_update_service(_info(name, port, there, advert)))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_WATCH):
                        await changed.wait()
                changed.clear()

    await keep_at("mDNS", work, tell)


def _info(name: str, port: int, there: Sequence[Interface], advert: Advert) -> AsyncServiceInfo:
    return AsyncServiceInfo(
        SERVICE,
        name,
        port=port,
        properties=to_txt(advert),
        server=f"{name.split('.', maxsplit=1)[0]}.local.",
        parsed_addresses=numbers(there),
        other_ttl=LIFE,
    )


class Browser(TableSource):
    """The tables on this network that are announced by mDNS; `only`: on the interface of this name."""

    def __init__(self, only: str = "") -> None:
        super().__init__("mDNS")
        self._only = only
        self._services: dict[str, AdvertisedTable] = {}
        self._resolving: dict[str, asyncio.Task[None]] = {}

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""
        return merged(self._services.values())

    async def look(self) -> None:
        """Browse until the interfaces are others."""
        there = here(self._only)
        try:
            async with speaking(there) as zeroconf:
                browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._heard])
                try:
                    self.tell(True)
                    while _holds(there, zeroconf, self._only):  # noqa: ASYNC110 - nothing tells of interfaces
                        await asyncio.sleep(_WATCH)
                finally:
                    with contextlib.suppress(Exception):
                        await browser.async_cancel()
        finally:
            for task in self._resolving.values():
                task.cancel()
            self._resolving.clear()
            self._services.clear()
            self.changed()

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if (earlier := self._resolving.pop(name, None)) is not None:
            earlier.cancel()
        if state_change is ServiceStateChange.Removed:
            self._services.pop(name, None)
            self.changed()
        elif name in self._services or len(self._services) + len(self._resolving) < MOST:
            # kept: it raises nothing
            resolving = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))
            self._resolving[name] = resolving
            resolving.add_done_callback(lambda done: self._resolved(name, done))

    def _resolved(self, name: str, done: asyncio.Task[None]) -> None:
        if self._resolving.get(name) is done:
            del self._resolving[name]

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask for what an announcement says. Anyone on the network may announce anything under any name: what the
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
        self.changed()
