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
"""Most tables of each source that are kept."""
AGAIN: Final = 2.0
"""Seconds before a source that has failed is tried again."""
RULES: Final = Versions().rules[:8]
"""The first 8 bytes of the digest of this program's rules, as announcements contain them."""
log = logging.getLogger(__name__)

Address: TypeAlias = tuple[str, int]
Tell: TypeAlias = Callable[[bool], None]
"""A function that is called with True if a source works and False if it does not: after its first try, and at
each change."""
TableKey: TypeAlias = tuple[bytes, bytes]
"""Identifies a table by game id and certificate fingerprint, so that no other host's announcement can change
it."""


class Advert(Struct, frozen=True):
    """The content of an announcement. `taken` of `seats` are taken. `state` is "lobby", "playing" or "over"
    (also after a handover). `fp` is the whole fingerprint. `version` is the protocol's version, `program` the
    program's, and `rules` the first bytes of the digest of the rules."""

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
    """Return the announcement with its texts cleaned of characters that are not safe to show."""
    texts = (clean_name(text) for text in (advert.name, advert.edition, advert.program[:16]))
    return replace(advert, **dict(zip(("name", "edition", "program"), texts, strict=True)))


class AdvertisedTable(Struct, frozen=True):
    """A table on this network: its announcement `advert`, which is not trusted, and the `addresses` where it
    may answer, IPv4 first."""

    advert: Advert
    addresses: tuple[Address, ...]

    @property
    def key(self) -> TableKey:
        return (self.advert.game_id, self.advert.fp)

    @property
    def speaks(self) -> bool:
        """Whether, according to its announcement, the table has the same rules as this program and a common
        protocol version."""
        return VERSIONS[0] <= self.advert.version <= VERSIONS[1] and self.advert.rules == RULES


def reachable(addresses: Iterable[str], port: int) -> tuple[Address, ...]:
    """Return `addresses` with the port, IPv4 first. Leaves out link-local IPv6 addresses without an
    interface, which cannot be used."""
    usable = [ip for ip in addresses if not ip.lower().startswith("fe80:") or "%" in ip]
    return tuple((ip, port) for ip in sorted(usable, key=lambda ip: (":" in ip, "%" in ip)))


def merged(tables: Iterable[AdvertisedTable]) -> dict[TableKey, AdvertisedTable]:
    """Merge several announcements of one table into one. The tables that were announced last come last."""
    known: dict[TableKey, AdvertisedTable] = {}
    for table in tables:
        before = known.get(table.key)
        known[table.key] = _merge(before, table) if before else table
    return known


def _merge(earlier: AdvertisedTable, later: AdvertisedTable) -> AdvertisedTable:
    """Merge two announcements of one table. The later one counts, because the host may have restarted. But
    anyone can repeat an old announcement, so the game counts as over only if both say so. Otherwise an
    attacker could hide another host's table."""
    hidden = later.advert.state == "over" and earlier.advert.state != "over"
    advert = earlier.advert if hidden else later.advert
    addresses = dict.fromkeys((*later.addresses, *earlier.addresses))
    return AdvertisedTable(advert, tuple(sorted(addresses, key=lambda address: ":" in address[0])))


def ranked(tables: Sequence[AdvertisedTable], nets: Iterable[str] = ()) -> list[AdvertisedTable]:
    """Sort tables for a list on a screen: first those on this computer's networks (`nets`, such as
    10.0.0.0/24), then those whose address has few tables, then the newest. `tables` has the newest last."""
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
    """One way to find tables. `announced` has the tables that are announced now, with the time of the last
    announcement in seconds of the event loop's clock; the latest is last. `works`: whether the source works
    on this computer, None until that is known. `others` counts the datagrams from other computers. `changed`
    is called when `tables` has changed."""

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
        """When each table was announced last, in seconds of the event loop's clock."""
        return {table.key: at for table, at in self.announced.values()}  # the latest is the last one

    @abstractmethod
    async def look(self) -> None:
        """Look for tables until cancelled, and report with `tell` whether that works. May return when the
        interfaces change, and may raise any error: the caller starts it again."""

    def tell(self, works: bool) -> None:
        """Record whether this source works, and call `changed`."""
        self.works = works
        self.changed()


async def keep_at(name: str, work: Callable[[], Awaitable[None]], tell: Tell) -> NoReturn:
    """Run `work` again and again until cancelled: at once when it returns, after a pause when it fails.
    `tell` is called with False when it fails. So no error of the network, the system or a library ends a
    game. Of several equal errors in a row only the first is logged."""
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
