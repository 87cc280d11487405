"""Tables found on a network, in whichever way.

An announcement is a hint for a list on a screen, and never trusted: a client that joins has everything proved. A
false table wastes one attempt.
"""

import asyncio
import ipaddress
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

from citadels_lan.net.wire.messages import VERSIONS

MOST: Final = 64
"""At most this many tables of each source are kept."""
AGAIN: Final = 2.0
"""Seconds until a way that has failed is tried again."""
log = logging.getLogger(__name__)

Address: TypeAlias = tuple[str, int]
Tell: TypeAlias = Callable[[bool], None]
"""Called with whether a source works: after the first try, and whenever that changes."""
TableKey: TypeAlias = tuple[bytes, bytes]
"""A table by its game and its certificate: no announcement changes the data of another table."""


class Advert(Struct, frozen=True):
    """An announcement: `taken` of `seats`, `state` is lobby, playing, or over (also if the game was handed over);
    `fp` in full."""

    game_id: bytes
    name: str
    taken: int
    seats: int
    state: str
    edition: str
    fp: bytes
    version: int = VERSIONS[1]


class AdvertisedTable(Struct, frozen=True):
    """A table on this network. `addresses` are where it answers, IPv4 first; `advert` is hearsay."""

    advert: Advert
    addresses: tuple[Address, ...]

    @property
    def key(self) -> TableKey:
        return (self.advert.game_id, self.advert.fp)

    @property
    def speaks(self) -> bool:
        """Whether it seems to speak a protocol that this program speaks."""
        return VERSIONS[0] <= self.advert.version <= VERSIONS[1]


def reachable(addresses: Iterable[str], port: int) -> tuple[Address, ...]:
    """IPv4 first; a link-local IPv6 address is of no use without its interface."""
    usable = [ip for ip in addresses if not ip.lower().startswith("fe80:") or "%" in ip]
    return tuple((ip, port) for ip in sorted(usable, key=lambda ip: (":" in ip, "%" in ip)))


def merged(tables: Iterable[AdvertisedTable]) -> dict[TableKey, AdvertisedTable]:
    """Merge several announcements of a table into one, the later ones last."""
    known: dict[TableKey, AdvertisedTable] = {}
    for table in tables:
        before = known.get(table.key)
        known[table.key] = _merge(before, table) if before else table
    return known


def _merge(earlier: AdvertisedTable, later: AdvertisedTable) -> AdvertisedTable:
    """Merge two announcements of one table, the later one second: that host has come back. Anyone may repeat an
    announcement, so a game is over only if all announcements say so: no one can hide another host's table."""
    hidden = later.advert.state == "over" and earlier.advert.state != "over"
    advert = earlier.advert if hidden else later.advert
    addresses = dict.fromkeys((*later.addresses, *earlier.addresses))
    return AdvertisedTable(advert, tuple(sorted(addresses, key=lambda address: ":" in address[0])))


def ranked(tables: Sequence[AdvertisedTable], nets: Iterable[str] = ()) -> list[AdvertisedTable]:
    """Sort tables as they are shown: on this machine's networks first (`nets`, as in 10.0.0.0/24), then those at
    an address with few tables, then the newest (`tables` has them last)."""
    near = [ipaddress.ip_network(net, strict=False) for net in nets]
    crowd: dict[str, int] = {}
    for table in tables:
        crowd[_home(table)] = crowd.get(_home(table), 0) + 1
    newest = list(reversed(tables))
    return sorted(newest, key=lambda table: (not _is_near(table, near), crowd[_home(table)]))


def _home(table: AdvertisedTable) -> str:
    return table.addresses[0][0] if table.addresses else ""


def _is_near(table: AdvertisedTable, near: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    try:
        homes = [ipaddress.ip_address(host.partition("%")[0]) for host, _ in table.addresses]
    except ValueError:
        return False
    return any(home.is_link_local or any(home in net for net in near) for home in homes)


class TableSource(ABC):
    """One way to find tables. `works`: whether it can be used here, None until that is known. `others` counts what
    it has heard of other machines. `changed` is called when there is something new."""

    def __init__(self, name: str) -> None:
        self.works: bool | None = None
        self.others = 0
        self.changed: Callable[[], None] = lambda: None
        self._name = name

    @property
    @abstractmethod
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""

    @abstractmethod
    async def look(self) -> None:
        """Look for tables, and call `tell`. It may end when the interfaces are others, and may raise anything."""

    def tell(self, works: bool) -> None:
        """Say whether this way works."""
        self.works = works
        self.changed()

    async def run(self) -> NoReturn:
        """Look for tables until cancelled. Raises nothing else."""
        await keep_at(self._name, self.look, self.tell)


async def keep_at(name: str, work: Callable[[], Awaitable[None]], tell: Tell) -> NoReturn:
    """Do `work` until cancelled: again when it ends, and a while after it failed. Finding tables is a comfort: no
    failure of the network, of the system or of a library ends a game. The first of a row of equal failures goes to
    the log."""
    before = ""
    while True:
        try:
            await work()
        except Exception as failure:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise asyncio.CancelledError from None  # it failed while it was cancelled
            if before != (before := repr(failure)):
                log.warning("%s does not work: %s", name, before)
            tell(False)
            await asyncio.sleep(AGAIN)
