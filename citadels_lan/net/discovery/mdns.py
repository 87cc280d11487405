"""Announce a table by mDNS, and find the tables that are announced by mDNS."""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, NoReturn

from zeroconf import IPVersion, NotRunningException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from .adverts import MOST, Advert, AdvertisedTable, TableSource, Tell, cleaned, keep_at, reachable
from .interfaces import Interface, here, numbers

SERVICE: Final = "_citadels-lan._tcp.local."
LIFE: Final = 120
"""Seconds until a table is dropped if its host ended without a goodbye."""
_RESOLVE: Final = 3000
_WATCH: Final = 3.0
"""Seconds between two checks for changed interfaces."""
STATES: Final = ("lobby", "playing", "over")

log = logging.getLogger(__name__)


def to_txt(advert: Advert) -> dict[str, str]:
    """Return the TXT record that contains an announcement."""
    return {
        "v": str(advert.version),
        "id": advert.game_id.hex(),
        "name": advert.name,
        "seats": f"{advert.taken}/{advert.seats}",
        "state": advert.state,
        "edition": advert.edition,
        "fp": advert.fp.hex(),
        "program": advert.program,
        "rules": advert.rules.hex(),
    }


def from_txt(txt: Mapping[bytes, bytes | None]) -> Advert | None:
    """Return the announcement in a TXT record; None if the record is not that of a table."""
    try:
        values = {key.decode(): (value or b"").decode() for key, value in txt.items()}
        seats = re.fullmatch(r"(\d{1,2})/(\d{1,2})", values["seats"])
        game, fp, state = bytes.fromhex(values["id"]), bytes.fromhex(values["fp"]), values["state"]
        version = int(values["v"]) if re.fullmatch(r"\d{1,5}", values["v"]) else 0
        edition, rules = values["edition"], bytes.fromhex(values.get("rules", ""))
        name, program = values["name"], values.get("program", "")
    except (KeyError, ValueError):
        return None
    if seats is None or len(game) != 16 or len(fp) != 32 or state not in STATES:
        return None
    return cleaned(Advert(game, name, int(seats[1]), int(seats[2]), state, edition, fp, version, program, rules))


def open_zeroconf(there: Sequence[Interface]) -> AsyncZeroconf:
    """Open zeroconf on these interfaces, with IPv6 if that works. Raises OSError, and any error of the
    library."""
    ipv4: list[str | int] = [ip for interface in there for ip in interface.ipv4]
    ipv6: list[str | int] = [interface.index for interface in there if interface.ipv6 and interface.index]
    if ipv6:
        with contextlib.suppress(Exception):  # a system without IPv6 fails in many ways
            version = IPVersion.All if ipv4 else IPVersion.V6Only
            return AsyncZeroconf(interfaces=[*ipv4, *ipv6], ip_version=version)
    if not ipv4:
        raise OSError("mDNS does not work on this machine's interfaces")
    return AsyncZeroconf(interfaces=ipv4, ip_version=IPVersion.V4Only)


@contextlib.asynccontextmanager
async def speaking(there: Sequence[Interface]) -> AsyncIterator[AsyncZeroconf]:
    """Context with zeroconf open on these interfaces; it is closed at the end. Raises any error of the
    library."""
    zeroconf = open_zeroconf(there)
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        with contextlib.suppress(Exception):  # the end of the program closes the rest
            await zeroconf.async_close()


def _holds(there: Sequence[Interface], zeroconf: AsyncZeroconf, only: str = "") -> bool:
    """Return whether the interfaces to use are still those in `there`. Raises NotRunningException if zeroconf
    has stopped by itself."""
    if not zeroconf.zeroconf.started:
        raise NotRunningException
    return here(only) == there


async def announce(port: int, adverts: Callable[[], Advert], changed: asyncio.Event, tell: Tell) -> NoReturn:
    """Announce a table until cancelled. `changed` is set whenever `adverts()` returns something new."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"

    def info(there: Sequence[Interface], advert: Advert) -> AsyncServiceInfo:
        server, hosts = f"{name.partition('.')[0]}.local.", numbers(there)
        return AsyncServiceInfo(
            SERVICE, name, port, properties=to_txt(advert), server=server, parsed_addresses=hosts, other_ttl=LIFE
        )

    async def work() -> None:
        there, advert = here(), adverts()
        async with speaking(there) as zeroconf:
            await (await zeroconf.async_register_service(info(there, advert), cooperating_responders=True))
            tell(True)
            while _holds(there, zeroconf):
                if adverts() != advert:
                    advert = adverts()
                    await (await zeroconf.async_update_service(info(there, advert)))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_WATCH):
                        await changed.wait()
                changed.clear()

    await keep_at("mDNS", work, tell)


class Browser(TableSource):
    """The tables on this network that are announced by mDNS. `only`: the name of the only interface to
    use."""

    def __init__(self, only: str = "") -> None:
        super().__init__("mDNS")
        self._only = only
        self._resolving: dict[str, asyncio.Task[None]] = {}

    async def look(self) -> None:
        there = here(self._only)
        try:
            async with speaking(there) as zeroconf:
                browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._heard])
                try:
                    self.tell(True)
                    while _holds(there, zeroconf, self._only):  # noqa: ASYNC110 - no event reports a new interface
                        await asyncio.sleep(_WATCH)
                finally:
                    with contextlib.suppress(Exception):
                        await browser.async_cancel()
        finally:
            for task in self._resolving.values():
                task.cancel()
            self._resolving.clear()
            self.announced.clear()
            self.changed()

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if (earlier := self._resolving.pop(name, None)) is not None:
            earlier.cancel()
        if state_change is ServiceStateChange.Removed:
            self.announced.pop(name, None)
            self.changed()
        elif name in self.announced or len(self.announced) + len(self._resolving) < MOST:
            # kept: it raises nothing
            self._resolving[name] = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask for the content of the announcement `name`. Any computer may announce anything, so errors of
        the library are ignored."""
        try:
            info = AsyncServiceInfo(SERVICE, name)
            answered = await info.async_request(zeroconf, _RESOLVE)
            advert = from_txt(info.properties) if answered else None
            if advert is not None and info.port:
                self.announced.pop(name, None)  # the table that was heard last is the last one
                hosts = info.parsed_scoped_addresses()
                table = AdvertisedTable(advert, reachable(hosts, info.port))
                self.announced[name] = table, asyncio.get_running_loop().time()
                self.changed()
        except Exception as failure:
            log.info("an announcement cannot be read: %r", failure)
        finally:
            if self._resolving.get(name) is asyncio.current_task():
                del self._resolving[name]
