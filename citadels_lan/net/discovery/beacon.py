"""The beacon: this project's own datagrams, which find tables in addition to mDNS, and if mDNS is blocked.

A host announces its table by broadcast and multicast, and answers questions. A client sends questions and
listens. Each announcement is only a hint (see `adverts`). A question is as long as the longest answer, so an
attacker cannot make a host send more bytes than it received (docs/protocol.md, section 17). Datagrams are
sent on each interface, because the system would choose the default route, which may be a VPN."""

import asyncio
import contextlib
import ipaddress
import logging
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NoReturn, TypeAlias

from msgspec import Meta, Struct, convert
from msgspec.structs import asdict

from citadels_lan.crypto.codec import Malformed, pack, pad, typed, unpad
from citadels_lan.crypto.log import NAME, GameId
from citadels_lan.net.limits import Bucket, Buckets

from .adverts import MOST, Advert, AdvertisedTable, TableSource, Tell, cleaned, keep_at, reachable
from .interfaces import Interface, here, numbers

MAGIC: Final = "citadels-beacon"
LONGEST: Final = 512
"""Length of a question in bytes, and the greatest length of an answer."""
ADDRESSES: Final = 8
"""Most addresses in an answer."""

PORT: Final = 47111
GROUP: Final = "239.255.47.111"
GROUP6: Final = "ff12::b807"
"""The IPv6 multicast address of the beacon on the local link. Its last bytes are the number of the port."""

Where: TypeAlias = tuple[Any, ...]
"""An address as the socket module represents it."""
Receive: TypeAlias = Callable[[bytes, Where], None]
Option: TypeAlias = tuple[int, int, int | bytes]
"""A socket option: level, name, value."""
Name = Annotated[str, Meta(max_length=NAME)]
Seats = Annotated[int, Meta(ge=0, le=99)]


class Ask(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A question. With a `game`: which host has this game? With None: which tables are on the network?"""

    magic: Literal["citadels-beacon"]
    version: Literal[1]
    kind: Literal["ask"]
    game: GameId | None


class Announcement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The datagram of an announcement. The fields are those of `Advert`; `numbers` are the host's addresses
    as bytes, 4 for IPv4 and 16 for IPv6."""

    magic: Literal["citadels-beacon"]
    format: Literal[1]
    kind: Literal["table"]
    version: Annotated[int, Meta(ge=0, le=65535)]
    game_id: GameId
    name: Name
    taken: Seats
    seats: Seats
    state: Literal["lobby", "playing", "over"]
    edition: Name
    fp: Annotated[bytes, Meta(min_length=32, max_length=32)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    numbers: Annotated[list[bytes], Meta(max_length=ADDRESSES)]
    program: Annotated[str, Meta(max_length=16)]
    rules: Annotated[bytes, Meta(min_length=8, max_length=8)]

    def __post_init__(self) -> None:
        if any(len(number) not in (4, 16) for number in self.numbers):
            raise ValueError("an address has 4 or 16 bytes")


Datagram: TypeAlias = Ask | Announcement


def ask(game: bytes | None) -> bytes:
    """Return the datagram that asks for the host of `game`, or for all tables (None)."""
    return pad(pack(Ask(MAGIC, 1, "ask", game)), LONGEST)


def say(advert: Advert, port: int, hosts: Sequence[str]) -> bytes:
    """Return the datagram that announces a table, which listens on `port` at the addresses `hosts`. Leaves
    out addresses that other computers cannot reach, such as loopback."""
    ips = [ipaddress.ip_address(host) for host in hosts if "%" not in host]
    numbers = [ip.packed for ip in ips if not (ip.version == 6 and ip.is_link_local)][:ADDRESSES]
    fields = {"port": port, "numbers": numbers, **asdict(cleaned(advert))}
    return pad(pack(Announcement(magic=MAGIC, format=1, kind="table", **fields)))


def read(datagram: bytes) -> Datagram:
    """Decode a datagram to a question or an announcement. Raises Malformed."""
    if len(datagram) > LONGEST:
        raise Malformed("a datagram that is too long")
    value = unpad(datagram)
    kind = value[2] if isinstance(value, list) and len(value) > 2 else None
    if kind == "ask" and len(datagram) != LONGEST:
        raise Malformed("a question that is shorter than its answers")
    return typed(value, Ask) if kind == "ask" else typed(value, Announcement)


def table_of(said: Announcement, source: str) -> AdvertisedTable:
    """Return the table in the announcement `said`, which came from the address `source`. Clients try `source`
    first."""
    advert = cleaned(convert(said, Advert, from_attributes=True))
    hosts = [str(ipaddress.ip_address(number)) for number in said.numbers]
    return AdvertisedTable(advert, tuple(dict.fromkeys(((source, said.port), *reachable(hosts, said.port)))))


FIRST: Final = (0.15, 0.35, 0.5)
"""Seconds between the first datagrams: between the first and the second, and so on. They are short, because a
datagram may be lost."""
REGULAR: Final = 1.0
"""Seconds between two datagrams after those in `FIRST`."""
LIFE: Final = 15.0
"""Seconds after its last announcement until a table is dropped. Earlier, `table_list` asks its host
directly."""
OF_ONE: Final = 8
"""Most tables that are kept of one source address."""
ANSWERS: Final = 40
"""Most answers of a host in one second, and in one burst."""
BURST_OF_ONE: Final = 12
RATE_OF_ONE: Final = 4
"""Most answers of a host to one address in one second."""
READ: Final = 100
"""Most datagrams that a client decodes in one second."""
READ_BURST_OF_ONE: Final = 24
READ_RATE_OF_ONE: Final = 12
"""Most datagrams from one address that a client decodes in one second."""
log = logging.getLogger(__name__)


class Responder:
    """Decides which questions a host answers, with limits for their number. Uses no sockets."""

    def __init__(self, *, quiet: bool = False) -> None:
        """`quiet`: the table is not announced, and the host answers only questions for its own game."""
        self._quiet = quiet
        self._buckets = Buckets(BURST_OF_ONE, RATE_OF_ONE, Bucket(ANSWERS, ANSWERS))

    def wants(self, datagram: bytes, game: bytes, source: str, now: float) -> bool:
        """Return whether to answer a datagram from `source`: it is a question that asks for `game` (or for
        all tables), and the limits allow an answer."""
        try:
            question = read(datagram)
        except Malformed:
            return False
        if not isinstance(question, Ask) or question.game not in ((game,) if self._quiet else (game, None)):
            return False
        return self._buckets.take(source, now)


async def calls(sockets: "DatagramSockets", tell: Tell, only: str = "") -> AsyncIterator[tuple[Interface, ...]]:
    """Yield all interfaces of this computer whenever it is time to send the next datagram. Opens `sockets` on
    them, or only on the interface named `only`, and opens them again after a change of the interfaces. `tell`
    is called with whether there is an interface to send on."""
    opened: tuple[Interface, ...] = ()
    works: bool | None = None
    count = 0
    while True:
        own = here()
        used = tuple(interface for interface in own if only in ("", interface.name))
        if used != opened or not sockets.works:
            opened, count = used, 0
            await sockets.open(used)
        if sockets.works != works:
            works = sockets.works
            tell(works)
        yield own
        await asyncio.sleep(FIRST[count] if count < len(FIRST) else REGULAR)
        count += 1


async def announce(port: int, adverts: Callable[[], Advert], tell: Tell, *, quiet: bool = False) -> NoReturn:
    """Send announcements of a table and answer questions until cancelled. `adverts` returns the present
    announcement. A `quiet` table is not announced, but questions for its game are answered. `tell` is called
    with whether there is an interface to send on."""
    responder = Responder(quiet=quiet)
    own: tuple[Interface, ...] = ()

    def answer(datagram: bytes, where: Where) -> None:
        now, advert = asyncio.get_running_loop().time(), adverts()
        if responder.wants(datagram, advert.game_id, str(where[0]), now):
            sockets.answer(say(advert, port, numbers(own)), where)

    async def work() -> None:
        nonlocal own
        with contextlib.closing(sockets):
            async for own in calls(sockets, tell):
                if not quiet:
                    sockets.call(say(adverts(), port, numbers(own)))

    sockets = DatagramSockets(answer)
    await keep_at("the beacon", work, tell)


class Listener(TableSource):
    """The tables that answer the beacon, by source address."""

    def __init__(self, game: bytes | None = None, ask_also: Iterable[str] = (), *, only: str = "") -> None:
        """`game`: the only game to search for; None: all. `ask_also`: addresses to ask one by one, because a
        network may drop broadcasts. `only`: the name of the only interface to use; "": all."""
        super().__init__("the beacon")
        self._buckets = Buckets(READ_BURST_OF_ONE, READ_RATE_OF_ONE, Bucket(READ, READ))
        self._game = game
        self._ask_also = tuple(dict.fromkeys(ask_also))[:MOST]
        self._only = only
        self._own: tuple[Interface, ...] = ()

    async def look(self) -> None:
        question, sockets = ask(self._game), DatagramSockets(self._hear)
        with contextlib.closing(sockets):
            async for own in calls(sockets, self.tell, self._only):
                self._own = own
                sockets.call(question)
                for host in self._ask_also:
                    sockets.ask(question, host)
                if self.expire(asyncio.get_running_loop().time()):
                    self.changed()

    def _hear(self, datagram: bytes, where: Where) -> None:
        source = str(where[0])
        self.others += source.partition("%")[0] not in numbers(self._own)
        if self.take(datagram, source, asyncio.get_running_loop().time()):
            self.changed()

    def take(self, datagram: bytes, source: str, now: float) -> bool:
        """Process a datagram from the address `source`. Return whether it announces a new table or changes
        one."""
        if not self._buckets.take(source, now):
            return False
        try:
            announced = read(datagram)
        except Malformed:
            return False
        if isinstance(announced, Ask) or self._game not in (None, announced.game_id):
            return False
        table = table_of(announced, source)
        before = self.announced.pop((source, table.key), None)
        self.announced[source, table.key] = table, now  # the table that was heard last is the last one
        # If one address, or all, have too many tables, the oldest ones are dropped.
        every = list(self.announced)
        own = [place for place, (other, _) in self.announced.items() if other.addresses[0][0] == source]
        for late in {*own[: max(0, len(own) - OF_ONE)], *every[: max(0, len(every) - MOST)]}:
            del self.announced[late]
        return before is None or before[0] != table

    def expire(self, now: float) -> bool:
        """Drop tables without a recent announcement. Return whether there were any."""
        late = [key for key, (_, at) in self.announced.items() if at < now - LIFE]
        for key in late:
            del self.announced[key]
        return bool(late)


# Sockets


class DatagramSockets(asyncio.DatagramProtocol):
    """The sockets of the beacon: a receiving one for IPv4 and one for IPv6, on the beacon's port, and a
    sending one for each address of each interface. Answers come to the sending sockets. `hear` is called with
    each datagram and its source."""

    def __init__(self, hear: Receive) -> None:
        self._hear = hear
        self._receivers: list[asyncio.DatagramTransport] = []
        self._senders: list[tuple[asyncio.DatagramTransport, list[Where]]] = []

    @property
    def works(self) -> bool:
        """Whether there is any interface to send on."""
        return bool(self._senders)

    async def open(self, interfaces: Sequence[Interface]) -> None:
        """Close all sockets, then open them on these interfaces."""
        self.close()
        for family in (socket.AF_INET, socket.AF_INET6):
            with _skip_failures():
                self._receivers.append(await self._endpoint(_receiver(family, interfaces)))
            for interface in interfaces:
                to: list[Where] = [(GROUP6, PORT, 0, interface.index)]
                if family == socket.AF_INET:
                    to = [(GROUP, PORT), *((broadcast, PORT) for broadcast in interface.broadcasts)]
                for place in _local_addresses(family, interface):
                    with _skip_failures():
                        self._senders.append((await self._endpoint(_sender(family, place)), to))

    async def _endpoint(self, sock: socket.socket) -> asyncio.DatagramTransport:
        loop = asyncio.get_running_loop()
        return (await loop.create_datagram_endpoint(lambda: self, sock=sock))[0]

    def datagram_received(self, data: bytes, addr: Where) -> None:
        """Called by asyncio for each datagram."""
        self._hear(data, addr)

    def call(self, datagram: bytes) -> None:
        """Send a datagram to all computers on all interfaces."""
        for sender, destinations in self._senders:
            for where in destinations:
                _send(sender, datagram, where)

    def ask(self, datagram: bytes, host: str) -> None:
        """Send a datagram to the one computer `host`."""
        for sender, _ in self._senders:
            v6 = sender.get_extra_info("socket").family == socket.AF_INET6
            if v6 == (":" in host):
                _send(sender, datagram, (host, PORT))
                return

    def answer(self, datagram: bytes, where: Where) -> None:
        """Send an answer to the source of a question."""
        family = socket.AF_INET if len(where) == 2 else socket.AF_INET6
        for receiver in self._receivers:
            if receiver.get_extra_info("socket").family == family:
                _send(receiver, datagram, where)

    def close(self) -> None:
        """Close all sockets."""
        for transport in (*self._receivers, *(sender for sender, _ in self._senders)):
            transport.abort()
        self._receivers, self._senders = [], []


def _send(transport: asyncio.DatagramTransport, datagram: bytes, where: Where) -> None:
    """Send a datagram if the transport is open. asyncio would log a warning for a transport that is
    closing."""
    if not transport.is_closing():
        with contextlib.suppress(Exception):
            transport.sendto(datagram, where)


@contextlib.contextmanager
def _skip_failures() -> Iterator[None]:
    """Context that logs and ignores any error, so that one address or option that does not work is
    skipped."""
    try:
        yield
    except Exception as failure:
        log.info("the beacon does without an address: %r", failure)


def _local_addresses(family: socket.AddressFamily, interface: Interface) -> Sequence[str | int]:
    """Return what to send from on an interface: its IPv4 addresses, or for IPv6 its number."""
    if family == socket.AF_INET:
        return interface.ipv4
    return (interface.index,) if interface.ipv6 else ()


def _bound(
    family: socket.AddressFamily, host: str, port: int, options: Iterable[Option], optional: Iterable[Option] = ()
) -> socket.socket:
    """Return a datagram socket that is bound to `host` and `port`, with these options. Raises OSError; an
    error of one of the `optional` options is ignored."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        for option in optional:
            with contextlib.suppress(OSError):
                sock.setsockopt(*option)
        for option in options:
            sock.setsockopt(*option)
        sock.bind((host, port))
    except BaseException:
        sock.close()
        raise
    return sock


def _receiver(family: socket.AddressFamily, interfaces: Sequence[Interface]) -> socket.socket:
    """Return a socket that receives the multicast group on each interface, and broadcasts. Other programs may
    share its port. Raises OSError."""
    names = [name for name in ("SO_REUSEADDR", "SO_REUSEPORT") if hasattr(socket, name)]
    reuse = [(socket.SOL_SOCKET, getattr(socket, name), 1) for name in names]
    v6 = [(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)] if family == socket.AF_INET6 else []
    sock = _bound(family, "", PORT, v6, reuse)
    for place in (place for interface in interfaces for place in _local_addresses(family, interface)):
        with _skip_failures():
            if isinstance(place, str):
                member = socket.inet_aton(GROUP) + socket.inet_aton(place)
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            else:
                member = socket.inet_pton(socket.AF_INET6, GROUP6) + struct.pack("@I", place)
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
    return sock


def _sender(family: socket.AddressFamily, place: str | int) -> socket.socket:
    """Return a socket that sends from the IPv4 address `place`, or over IPv6 on the interface with the number
    `place`. Its datagrams are not routed, and this computer receives them, too. Raises OSError."""
    v4, v6 = socket.IPPROTO_IP, socket.IPPROTO_IPV6
    if isinstance(place, str):
        near: list[Option] = [(v4, socket.IP_MULTICAST_TTL, 1), (v4, socket.IP_MULTICAST_LOOP, 1)]
        broadcast = (socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        return _bound(family, place, 0, [broadcast, (v4, socket.IP_MULTICAST_IF, socket.inet_aton(place)), *near])
    near = [(v6, socket.IPV6_MULTICAST_HOPS, 1), (v6, socket.IPV6_MULTICAST_LOOP, 1)]
    return _bound(family, "", 0, [(v6, socket.IPV6_MULTICAST_IF, place), *near])
