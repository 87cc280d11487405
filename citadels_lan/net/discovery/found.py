"""What a found table is, whichever way it was found.

What is heard of tables on a network is a hint for a list on a screen and never trusted: joining proves everything
again. A false table wastes a try, and no more.
"""

import asyncio
import ipaddress
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Final, Self, TypeAlias

from msgspec import Struct

from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.messages import VERSIONS

MOST: Final = 64
"""So many tables are kept of each way at most."""
STATES: Final = ("lobby", "playing", "over")

Address: TypeAlias = tuple[str, int]
Tell: TypeAlias = Callable[[bool], None]
"""Hears whether a way works here: after the first try, and whenever that changes."""
TableKey: TypeAlias = tuple[bytes, bytes]
"""A table by its game and its certificate: nobody's announcement changes what is known of another one's table."""


class Sought(Struct, frozen=True):
    """Who is looked for by somebody who comes back: the host of a game. Who answers there has to prove that."""

    game: bytes


class Advert(Struct, frozen=True):
    """What a table says of itself: `taken` of `seats`, `state` is lobby, playing, or over (also if the
    game was handed over); `fp` in full."""

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


class TableSeen(Struct, frozen=True):
    """A table is there, or says something new."""

    table: AdvertisedTable


class Gone(Struct, frozen=True):
    """A table is not announced any more."""

    game_id: bytes


class Works(Struct, frozen=True):
    """Whether tables can be looked for on this machine: at the beginning, and when that changes."""

    works: bool


Change: TypeAlias = TableSeen | Gone | Works


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


def reachable(addresses: Iterable[str], port: int) -> tuple[Address, ...]:
    """IPv4 first; a link-local IPv6 address is of no use without its interface."""
    usable = [ip for ip in addresses if not ip.lower().startswith("fe80:") or "%" in ip]
    return tuple((ip, port) for ip in sorted(usable, key=lambda ip: (":" in ip, "%" in ip)))


def merged(tables: Iterable[AdvertisedTable]) -> dict[TableKey, AdvertisedTable]:
    """The tables there are: several announcements of one, the later ones last, are one table."""
    known: dict[TableKey, AdvertisedTable] = {}
    for table in tables:
        before = known.get(table.key)
        known[table.key] = _merge(before, table) if before else table
    return known


def _merge(earlier: AdvertisedTable, later: AdvertisedTable) -> AdvertisedTable:
    """Two announcements of one table, the later one second: it is the host that came back. Anybody may repeat an
    announcement: that a game is over counts only where all say so, so that nobody hides another one's table."""
    hidden = later.advert.state == "over" and earlier.advert.state != "over"
    advert = earlier.advert if hidden else later.advert
    addresses = dict.fromkeys((*later.addresses, *earlier.addresses))
    return AdvertisedTable(advert, tuple(sorted(addresses, key=lambda address: ":" in address[0])))


def ranked(tables: Sequence[AdvertisedTable], nets: Iterable[str] = ()) -> list[AdvertisedTable]:
    """Those of a list in the order in which to show them: on the own network first (`nets`, as in 10.0.0.0/24),
    then those at an address with few tables, then the newest (`tables` has them last)."""
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


class Finder(ABC):
    """One way of finding tables.

    async with Browser() as browser:
        async for change in browser.changes(): ...          # browser.tables is up to date

    `works`: whether tables can be looked for here, as far as is known.
    """

    def __init__(self) -> None:
        self.works = True
        self._changes: asyncio.Queue[Change] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""

    @abstractmethod
    async def _look(self) -> None:
        """Look for tables until cancelled. Raises nothing."""

    async def __aenter__(self) -> Self:
        """Begin, in a task of its own: what fails there does not reach the body."""
        self._task = asyncio.get_running_loop().create_task(self._look())  # kept: it raises nothing
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    async def changes(self) -> AsyncIterator[Change]:
        """What is found and what is gone, from the beginning on, to one reader; without end."""
        while True:
            yield await self._changes.get()
