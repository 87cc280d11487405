"""Telling the other clients of a table what the host has signed, and hearing them, by UDP: to all that multicast
reaches, and to each neighbour that is known. Who has lost the host asks them in the same way where it is.

This is the thin part: sockets and a clock around a `Comparer` and `Whereabouts`. The network may fail in any way,
and the game goes on without: there is nothing to hear then, and one line in the log of the program says so.
"""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.net.discovery.datagrams import datagrams, join_group, multicast_from, share_port
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.discovery.interfaces import Interface, interfaces

from .forks import Comparer, Fork
from .whereabouts import Whereabouts

GROUP: Final = "239.255.47.110"
GROUP6: Final = "ff12::b806"
"""Where an interface has no IPv4 address: transient, of one link, the last bytes are the port."""
PORT: Final = 47110
INTERVAL: Final = 5.0
"""Seconds after which the newest statement is sent again."""

Group: TypeAlias = tuple[str, int] | tuple[str, int, int, int]
Where: TypeAlias = tuple[Any, ...]
"""An address as sockets have it."""
log = logging.getLogger(__name__)


class Way(Struct, frozen=True):
    """An interface to multicast on: by an IPv4 address of it, or, where it has none, by its index."""

    ipv4: str | None
    index: int = 0

    @property
    def family(self) -> socket.AddressFamily:
        """Of which kind its sockets are."""
        return socket.AF_INET6 if self.ipv4 is None else socket.AF_INET

    @property
    def where(self) -> str | int:
        """The interface, as its kind of sockets names it."""
        return self.index if self.ipv4 is None else self.ipv4


def way_of(local: str, known: Iterable[Interface]) -> Way:
    """The way that leads where a connection from the address `local` leads. ValueError if that is no address,
    OSError if it is no interface's."""
    address = ipaddress.ip_address(local.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if isinstance(address, ipaddress.IPv4Address):
        return Way(str(address))
    scope = local.partition("%")[2]
    for interface in known:
        if str(address) in interface.ipv6 and scope in ("", interface.name, str(interface.index)):
            return Way(interface.ipv4[0] if interface.ipv4 else None, interface.index)
    raise OSError(f"no interface has the address {local}")


class Gossip:
    """Speaks and listens for one client of one table.

    Nothing here raises because of the network. `on_fork` is called in the event loop, from a datagram's arrival.
    """

    def __init__(
        self,
        comparer: Comparer,
        on_fork: Callable[[Fork], None],
        *,
        whereabouts: Whereabouts | None = None,
        interval: float = INTERVAL,
        port: int = PORT,
    ) -> None:
        """Silent until `attach`. `interval` is in seconds. `neighbours` are told one by one, too."""
        self.heard = 0
        self.neighbours: Sequence[Address] = ()
        self._whereabouts = whereabouts
        self._comparer = comparer
        self._on_fork = on_fork
        self._interval = interval
        self._port = port
        self._sender: asyncio.DatagramTransport | None = None
        self._listener: asyncio.DatagramTransport | None = None
        self._group: Group = (GROUP, port)
        self._timer: asyncio.TimerHandle | None = None
        self._complained = False
        self._closed = False

    @property
    def attached(self) -> bool:
        """Whether there is an interface to speak on."""
        return self._sender is not None

    @property
    def port(self) -> int:
        """Where neighbours reach this client; 0 while it is not attached."""
        name = self._sender.get_extra_info("sockname") if self._sender is not None else None
        return int(name[1]) if name else 0

    async def attach(self, local: str) -> None:
        """Speak and listen on the interface of the address `local`, that of the connection to the host
        (`getsockname()[0]`). Called after every new connection: the interface may be another one, or have been
        down."""
        self._detach()
        try:
            way = way_of(local, interfaces())
            self._group = _group(way, self._port)
            await self._open(way)
        except Exception as error:  # sockets and their options fail in more ways than OSError
            self._detach()
            self.complain(error)
            return
        if self._closed:
            self._detach()
        else:
            self._beat()

    def tell(self) -> None:
        """Send the newest statement now, as after every seal."""
        if (statement := self._comparer.statement) is not None:
            self.say(statement)

    def ask(self) -> None:
        """Ask the others where the host is."""
        if self._whereabouts is not None:
            self.say(self._whereabouts.question)

    def say(self, datagram: bytes) -> None:
        """To everybody: what arrives twice is worth no more than once."""
        for where in (self._group, *self.neighbours):
            self._send(datagram, where)

    def _send(self, datagram: bytes, where: Where) -> None:
        if self._sender is not None and not self._sender.is_closing():
            try:
                self._sender.sendto(datagram, where)
            except Exception as error:
                self.complain(error)

    def close(self) -> None:
        """Be silent for good."""
        self._closed = True
        self._detach()

    def take(self, datagram: bytes, where: Where) -> None:
        """A datagram has come."""
        self.heard += 1
        if self._closed:
            return
        now, source = asyncio.get_running_loop().time(), str(where[0])
        fork = self._comparer.take(datagram, now, source)
        if fork is not None:
            self._on_fork(fork)
        elif self._whereabouts is not None and (answer := self._whereabouts.take(datagram, source, now)):
            self._send(answer, where)

    def complain(self, error: Exception) -> None:
        """Say once in the log why heads cannot be compared, or not with everybody."""
        if not self._complained:
            self._complained = True
            log.info("heads cannot be compared on this network: %s", error)

    async def _open(self, way: Way) -> None:
        loop = asyncio.get_running_loop()
        ear = await loop.create_datagram_endpoint(lambda: _Hearing(self), sock=_listening(way, self._group))
        self._listener = ear[0]
        mouth = await loop.create_datagram_endpoint(lambda: _Hearing(self), sock=_sending(way, self._port))
        self._sender = mouth[0]

    def _detach(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for transport in (self._listener, self._sender):
            if transport is not None:
                transport.abort()
        self._listener = self._sender = self._timer = None

    def _beat(self) -> None:
        self.tell()
        self._timer = asyncio.get_running_loop().call_later(self._interval, self._beat)


class _Hearing(asyncio.DatagramProtocol):
    """Hands over what comes to a socket, and its network's errors. What comes to the one that sends is for this
    client alone."""

    def __init__(self, gossip: Gossip) -> None:
        self._gossip = gossip

    def datagram_received(self, data: bytes, addr: Where) -> None:
        self._gossip.take(data, addr)

    def error_received(self, exc: Exception) -> None:
        self._gossip.complain(exc)


def _group(way: Way, port: int) -> Group:
    return (GROUP, port) if way.ipv4 is not None else (GROUP6, port, 0, way.index)


def _listening(way: Way, group: Group) -> socket.socket:
    """A socket that hears the group on an interface, beside those of other programs. Raises OSError."""
    with datagrams(way.family) as sock:
        share_port(sock)
        _bind(sock, group)
        join_group(sock, group[0], way.where)
    return sock


def _bind(sock: socket.socket, group: Group) -> None:
    """To the group, so that nothing else comes; where the system does not do that (Windows), to all addresses."""
    try:
        sock.bind(group)
    except OSError:
        sock.bind(("", group[1]))


def _bind_near(sock: socket.socket, host: str, port: int) -> None:
    try:
        sock.bind((host, port))
    except OSError:  # another client of this machine has it
        sock.bind((host, 0))


def _sending(way: Way, port: int) -> socket.socket:
    """A socket that multicasts on an interface: to this machine, too, and past no router. Raises OSError.

    It is not the listening one: some systems would give a datagram the group as its origin. It has the same port
    where that is free, so that neighbours still reach a program that was started anew."""
    with datagrams(way.family) as sock:
        if way.ipv4 is not None:
            _bind_near(sock, way.ipv4, port)
        else:
            sock.bind(("", 0))
        multicast_from(sock, way.where)
    return sock
