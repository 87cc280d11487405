"""Finding tables by a beacon of our own: where mDNS is blocked, and beside it where it is not.

A host says by broadcast and multicast that it is there, and answers who asks; whoever looks asks and listens.
What is heard is a hint (see `found`). A question is as long as the longest answer, so that nobody can have a
host send more than was sent to it (docs/protocol.md, section 17). Nothing here raises, whatever the network and
the system do.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Final, Literal, NoReturn, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.crypto.log import NAME, GameId
from citadels_lan.crypto.packing import Malformed, pack, pad, typed, unpad
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.ratelimit import Bucket, Buckets

from .datagrams import Radio, Where
from .found import (
    MOST,
    Address,
    Advert,
    AdvertisedTable,
    Change,
    Finder,
    Gone,
    TableKey,
    TableSeen,
    Tell,
    Works,
    merged,
    reachable,
)
from .interfaces import Interface, here

MAGIC: Final = "citadels-beacon"
LONGEST: Final = 512
"""Bytes of a question, and of an answer at most."""
ADDRESSES: Final = 8
"""So many addresses an answer has at most."""

Name = Annotated[str, Meta(max_length=NAME)]
Number = Annotated[bytes, Meta(min_length=4, max_length=16)]
Seats = Annotated[int, Meta(ge=0, le=99)]


class Ask(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who is there? `game`: only whoever has this game; None: every table that is announced."""

    magic: Literal["citadels-beacon"]
    version: Literal[1]
    kind: Literal["ask"]
    game: GameId | None


class TableSaid(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table is there; the fields as in an announcement by mDNS. `numbers` are addresses, 4 or 16 bytes each."""

    magic: Literal["citadels-beacon"]
    version: Literal[1]
    kind: Literal["table"]
    speaks: Annotated[int, Meta(ge=0, le=65535)]
    game: GameId
    name: Name
    taken: Seats
    seats: Seats
    state: Literal["lobby", "playing", "over"]
    edition: Name
    fp: Annotated[bytes, Meta(min_length=32, max_length=32)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    numbers: Annotated[list[Number], Meta(max_length=ADDRESSES)]

    def __post_init__(self) -> None:
        if any(len(number) not in (4, 16) for number in self.numbers):
            raise ValueError("an address has 4 or 16 bytes")


BeaconFrame: TypeAlias = Ask | TableSaid


def ask(game: bytes | None) -> bytes:
    """A question."""
    return pad(pack(Ask(MAGIC, 1, "ask", game)), LONGEST)


def say(advert: Advert, port: int, hosts: Sequence[str]) -> bytes:
    """An announcement of a table that listens on `port` at the addresses `hosts`."""
    name, edition, numbers = clean_name(advert.name), clean_name(advert.edition), _numbers(hosts)
    fields = (advert.version, advert.game_id, name, advert.taken, advert.seats, advert.state, edition, advert.fp)
    said = (MAGIC, 1, "table", *fields, port, numbers)
    return pad(pack(said))


def read(datagram: bytes) -> BeaconFrame:
    """What a datagram says; Malformed for everything else."""
    if len(datagram) > LONGEST:
        raise Malformed("a datagram that is too long")
    value = unpad(datagram)
    kind = value[2] if isinstance(value, list) and len(value) > 2 else None
    if kind == "ask" and len(datagram) != LONGEST:
        raise Malformed("a question that is shorter than its answers")
    return typed(value, Ask) if kind == "ask" else typed(value, TableSaid)


def table_of(said: TableSaid, source: str) -> AdvertisedTable:
    """The table that was announced from the address `source`, where it is tried first."""
    advert = Advert(
        said.game, clean_name(said.name), said.taken, said.seats, said.state, clean_name(said.edition), said.fp,
        said.speaks,
    )  # fmt: skip
    hosts = [str(ipaddress.ip_address(number)) for number in said.numbers]
    here: tuple[Address, ...] = ((source, said.port),)
    return AdvertisedTable(advert, tuple(dict.fromkeys((*here, *reachable(hosts, said.port)))))


def _numbers(hosts: Sequence[str]) -> list[bytes]:
    """The addresses that mean the same on every machine."""
    known = [ipaddress.ip_address(host) for host in hosts if "%" not in host]
    return [one.packed for one in known if not (one.version == 6 and one.is_link_local)][:ADDRESSES]


FIRST: Final = (0.15, 0.35, 0.5)
"""Seconds from the first call to the next ones: one may be lost."""
REGULAR: Final = 1.0
"""Seconds between two calls afterwards."""
LIFE: Final = 8.0
"""Seconds that a table is remembered which says nothing more."""
OF_ONE: Final = 8
"""So many tables are kept of those that one address announces."""
ANSWERS: Final = 40
"""So many answers a second at most, and at once."""
BURST_OF_ONE: Final = 12
RATE_OF_ONE: Final = 4
"""Of those, so many to one address."""
READ: Final = 100
"""So many datagrams are looked at in a second."""
READ_BURST_OF_ONE: Final = 24
READ_RATE_OF_ONE: Final = 12
"""Of those, so many from one address."""
log = logging.getLogger(__name__)


class Answering:
    """What a host answers, and how often; without sockets."""

    def __init__(self, *, quiet: bool = False) -> None:
        """`quiet`: the table is not announced, and answers only who knows its game."""
        self._quiet = quiet
        self._buckets = Buckets(Bucket(ANSWERS, ANSWERS), BURST_OF_ONE, RATE_OF_ONE)

    def wants(self, datagram: bytes, game: bytes, source: str, now: float) -> bool:
        """Whether a datagram is a question for the host of a game, which it has the time to answer."""
        try:
            question = read(datagram)
        except Malformed:
            return False
        if not isinstance(question, Ask) or question.game not in ((game,) if self._quiet else (game, None)):
            return False
        return self._buckets.take(source, now)


class _Heard(Struct):
    table: AdvertisedTable
    at: float


class Hearing:
    """The tables that have been heard, by who said it; without sockets. `others` counts the datagrams of other
    machines."""

    def __init__(self) -> None:
        self.others = 0
        self._heard: dict[tuple[str, TableKey], _Heard] = {}
        self._buckets = Buckets(Bucket(READ, READ), READ_BURST_OF_ONE, READ_RATE_OF_ONE)

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""
        return merged(heard.table for heard in self._heard.values())

    def take(self, datagram: bytes, source: str, now: float) -> TableSeen | None:
        """What a datagram from this address brings: a table that is new or says something new."""
        if not self._buckets.take(source, now):
            return None
        try:
            said = read(datagram)
        except Malformed:
            return None
        if isinstance(said, Ask):
            return None
        table = table_of(said, source)
        before = self._heard.pop((source, table.key), None)
        self._heard[source, table.key] = _Heard(table, now)  # what was heard last stands last
        self._make_room(source)
        if before is not None and before.table == table:
            return None
        return TableSeen(self.tables[table.key])

    def _make_room(self, source: str) -> None:
        """One address has only so many places, and all together: those heard longest ago go."""
        own = [key for key in self._heard if key[0] == source]
        for key in (*own[: max(0, len(own) - OF_ONE)], *tuple(self._heard)[: max(0, len(self._heard) - MOST)]):
            self._heard.pop(key, None)

    def expire(self, now: float) -> list[Change]:
        """Forget who has said nothing for a time."""
        late = [key for key, heard in self._heard.items() if heard.at < now - LIFE]
        for key in late:
            del self._heard[key]
        left = self.tables
        return [TableSeen(left[key]) if key in left else Gone(key[0]) for _, key in late]


class _Beat:
    """The rhythm of the calls, which begins anew when the interfaces are others."""

    def __init__(self, radio: Radio, *, loopback: bool, only: str = "") -> None:
        self._radio = radio
        self._loopback = loopback
        self._only = only
        self._own: tuple[Interface, ...] = ()
        self._known: tuple[Interface, ...] = ()
        self._calls = 0

    async def next(self) -> None:
        """Wait for the time of the next call; the radio is open on what there is."""
        if self._calls:
            await asyncio.sleep(FIRST[self._calls - 1] if self._calls <= len(FIRST) else REGULAR)
        self._calls += 1
        self._own = here(loopback=self._loopback)
        now = tuple(one for one in self._own if self._only in ("", one.name))
        if now != self._known or not self._radio.works:
            self._known, self._calls = now, 1
            await self._radio.open(now)

    @property
    def hosts(self) -> Sequence[str]:
        """The addresses of this machine."""
        return [ip for interface in self._own for ip in (*interface.ipv4, *interface.ipv6)]


async def announce(
    port: int, adverts: Callable[[], Advert], tell: Tell, *, quiet: bool = False, loopback: bool = False
) -> NoReturn:
    """Say that a table is there, and answer who asks, until cancelled. A `quiet` table says nothing by itself.
    `tell` hears whether there is anybody to speak to."""
    answering = Answering(quiet=quiet)

    def heard(datagram: bytes, where: Where) -> None:
        now = asyncio.get_running_loop().time()
        advert = adverts()
        if answering.wants(datagram, advert.game_id, str(where[0]), now):
            radio.answer(say(advert, port, beat.hosts), where)

    radio = Radio(heard)
    beat = _Beat(radio, loopback=loopback)
    told: bool | None = None
    try:
        while True:
            await beat.next()
            if radio.works != told:
                told = radio.works
                tell(told)
            if not quiet:
                radio.call(say(adverts(), port, beat.hosts))
    finally:
        radio.close()


class Listener(Finder):
    """The tables that the beacon finds."""

    def __init__(
        self, game: bytes | None = None, ask_also: Iterable[str] = (), *, loopback: bool = False, only: str = ""
    ) -> None:
        """`game`: only that one; `ask_also` are numbers of machines that are asked one by one, for a network
        may carry nothing that is for everybody; `only`: on the interface of this name alone."""
        super().__init__()
        self.hearing = Hearing()
        self._question = ask(game)
        self._game = game
        self._ask_also = tuple(dict.fromkeys(ask_also))[:MOST]
        self._radio = Radio(self._heard)
        self._beat = _Beat(self._radio, loopback=loopback, only=only)

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""
        return self.hearing.tables

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        told: bool | None = None
        try:
            while True:
                await self._beat.next()
                self._radio.call(self._question)
                for host in self._ask_also:
                    self._radio.ask(self._question, host)
                for change in self.hearing.expire(loop.time()):
                    self._changes.put_nowait(change)
                if self._radio.works != told:
                    told = self.works = self._radio.works
                    self._changes.put_nowait(Works(told))
        except Exception as failure:
            log.warning("tables cannot be found by the beacon any more: %r", failure)
            self.works = False
            self._changes.put_nowait(Works(False))
        finally:
            self._radio.close()

    def _heard(self, datagram: bytes, where: Where) -> None:
        source = str(where[0])
        if source.partition("%")[0] not in self._beat.hosts:
            self.hearing.others += 1
        seen = self.hearing.take(datagram, source, asyncio.get_running_loop().time())
        if seen is not None and self._game in (None, seen.table.advert.game_id):
            self._changes.put_nowait(seen)
