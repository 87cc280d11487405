"""Announcements of tables, and the sources that find them.

An announcement is a hint for a list on a screen. No one trusts it: a host has to prove everything to a client
that joins. A false table costs one attempt."""

import asyncio
import ipaddress
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import __version__
from citadels_lan.net.join.handshake import Versions
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.messages import VERSIONS

MOST: Final = 64
"""At most this many tables of each source are kept."""
AGAIN: Final = 2.0
"""Seconds before a source that has failed is tried again."""
RULES: Final = Versions().rules[:8]
"""The beginning of the digest of this program's rules, for announcements."""
log = logging.getLogger(__name__)

Address: TypeAlias = tuple[str, int]
Tell: TypeAlias = Callable[[bool], None]
"""Called with whether a source works: after its first try, and at each change."""
TableKey: TypeAlias = tuple[bytes, bytes]
"""A table by game and certificate, so that no other host's announcement can change its data."""


class Advert(Struct, frozen=True):
    """An announcement: `taken` of `seats`, `state` is lobby, playing, or over (also if the game was handed
    over); `fp` in full. `version` is that of the protocol, `program` that of the program, `rules` the beginning
    of the digest of its rules."""

    game_id: bytes
    name: str
    taken: int
    seats: int
    state: str
    edition: str
    fp: bytes
    version: int = VERSIONS[1]
    program: str = __version__
    rules: bytes = RULES


def cleaned(advert: Advert) -> Advert:
    """Return an announcement with texts that are safe to show."""
    texts = (clean_name(text) for text in (advert.name, advert.edition, advert.program[:16]))
    return replace(advert, **dict(zip(("name", "edition", "program"), texts, strict=True)))


class AdvertisedTable(Struct, frozen=True):
    """A table on this network. `addresses` are where it answers, IPv4 first; `advert` is not trusted."""

    advert: Advert
    addresses: tuple[Address, ...]

    @property
    def key(self) -> TableKey:
        return (self.advert.game_id, self.advert.fp)

    @property
    def speaks(self) -> bool:
        """Whether the table seems to have the same rules as this program, and a protocol version in common
        with it."""
        return VERSIONS[0] <= self.advert.version <= VERSIONS[1] and self.advert.rules == RULES


def reachable(addresses: Iterable[str], port: int) -> tuple[Address, ...]:
    """Sort addresses, IPv4 first. A link-local IPv6 address without its interface is left out, because it
    cannot be used."""
    usable = [ip for ip in addresses if not ip.lower().startswith("fe80:") or "%" in ip]
    return tuple((ip, port) for ip in sorted(usable, key=lambda ip: (":" in ip, "%" in ip)))


def merged(tables: Iterable[AdvertisedTable]) -> dict[TableKey, AdvertisedTable]:
    """Merge the announcements of each table into one, with the latest ones last."""
    known: dict[TableKey, AdvertisedTable] = {}
    for table in tables:
        before = known.get(table.key)
        known[table.key] = _merge(before, table) if before else table
    return known


def _merge(earlier: AdvertisedTable, later: AdvertisedTable) -> AdvertisedTable:
    """Merge two announcements of one table. The later one counts, because its host has restarted. Anyone can
    repeat an old announcement, so a game is over only if all announcements say so. No one can hide another
    host's table."""
    hidden = later.advert.state == "over" and earlier.advert.state != "over"
    advert = earlier.advert if hidden else later.advert
    addresses = dict.fromkeys((*later.addresses, *earlier.addresses))
    return AdvertisedTable(advert, tuple(sorted(addresses, key=lambda address: ":" in address[0])))


def ranked(tables: Sequence[AdvertisedTable], nets: Iterable[str] = ()) -> list[AdvertisedTable]:
    """Sort tables as they are shown: on this machine's networks first (`nets`, as in 10.0.0.0/24), then those
    at an address with few tables, then the newest (`tables` has them last)."""
    near = [ipaddress.ip_network(net, strict=False) for net in nets]
    crowd = Counter(table.addresses[:1] for table in tables)
    newest = reversed(tables)
    return sorted(newest, key=lambda table: (not _is_near(table, near), crowd[table.addresses[:1]]))


def _is_near(table: AdvertisedTable, near: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    try:
        homes = [ipaddress.ip_address(host.partition("%")[0]) for host, _ in table.addresses]
    except ValueError:
        return False
    return any(home.is_link_local or any(home in net for net in near) for home in homes)


class TableSource(ABC):
    """One way to find tables. `announced` has the tables that are announced now, by the place of the announcement,
    the last one last, and when each was heard, in seconds of the loop's clock. `works`: whether the source works
    on this machine, None until that is known. `others` counts the datagrams of other machines. `changed` is
    called when `tables` has changed."""

    def __init__(self, name: str) -> None:
        self.announced: dict[Hashable, tuple[AdvertisedTable, float]] = {}
        self.works: bool | None = None
        self.others = 0
        self.changed: Callable[[], None] = lambda: None
        self.name = name

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables that are announced now."""
        return merged(table for table, _ in self.announced.values())

    @property
    def signs(self) -> dict[TableKey, float]:
        """When each table was last heard."""
        return {table.key: at for table, at in self.announced.values()}  # the latest is the last one

    @abstractmethod
    async def look(self) -> None:
        """Look for tables, and call `tell`. It may end when the interfaces change, and may raise any error."""

    def tell(self, works: bool) -> None:
        """Record whether this source works."""
        self.works = works
        self.changed()


async def keep_at(name: str, work: Callable[[], Awaitable[None]], tell: Tell) -> NoReturn:
    """Run `work` until cancelled: again when it ends, and after a pause when it fails. No error of the network,
    the system or a library ends a game. The log gets the first of several equal errors."""
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
