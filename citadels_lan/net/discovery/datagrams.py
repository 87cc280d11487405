"""Datagrams to everybody in the room, and from them: by broadcast and by multicast, on every interface by itself.

The system's own choice of an interface would be the default route, which may be a VPN. Nothing here raises because
of a network: what does not work on one interface is left out there.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from struct import pack
from typing import Any, Final, TypeAlias

from .interfaces import Interface

PORT: Final = 47111
GROUP: Final = "239.255.47.111"
GROUP6: Final = "ff12::b807"
"""Transient, of one link; the last bytes are the port."""

Where: TypeAlias = tuple[Any, ...]
"""An address as sockets have it."""
Hear: TypeAlias = Callable[[bytes, Where], None]
log = logging.getLogger(__name__)


class Radio:
    """Ears on the port of the beacon, and a mouth for each address of each interface. What comes to an ear goes to
    `hear`, with whom to answer; what comes to a mouth are answers, and goes there, too."""

    def __init__(self, hear: Hear, *, ears: bool = True) -> None:
        """`ears`: hear what is said to everybody, and not only what answers."""
        self._hear = hear
        self._wants_ears = ears
        self._ears: list[asyncio.DatagramTransport] = []
        self._mouths: list[tuple[asyncio.DatagramTransport, tuple[Where, ...]]] = []

    @property
    def works(self) -> bool:
        """Whether there is anybody to speak to."""
        return bool(self._mouths)

    async def open(self, interfaces: Sequence[Interface]) -> None:
        """Speak and listen there, and nowhere else any more."""
        self.close()
        if self._wants_ears:
            for make in (_ear, _ear6):
                with _left_out():
                    self._ears.append(await self._endpoint(make(interfaces)))
        for interface in interfaces:
            for ip in interface.ipv4:
                with _left_out():
                    mouth = await self._endpoint(_mouth(ip))
                    self._mouths.append((mouth, _everybody(interface)))
            if interface.ipv6:
                with _left_out():
                    mouth = await self._endpoint(_mouth6(interface))
                    self._mouths.append((mouth, ((GROUP6, PORT, 0, interface.index),)))

    async def _endpoint(self, sock: socket.socket) -> asyncio.DatagramTransport:
        loop = asyncio.get_running_loop()
        return (await loop.create_datagram_endpoint(lambda: _Hearing(self._hear), sock=sock))[0]

    def call(self, datagram: bytes) -> None:
        """Say something to everybody."""
        for mouth, everybody in self._mouths:
            for where in everybody:
                _send(mouth, datagram, where)

    def ask(self, datagram: bytes, host: str) -> None:
        """Say something to one machine alone, by its number."""
        for mouth, _ in self._mouths:
            v6 = mouth.get_extra_info("socket").family == socket.AF_INET6
            if v6 == (":" in host):
                _send(mouth, datagram, (host, PORT))
                return

    def answer(self, datagram: bytes, where: Where) -> None:
        """Answer somebody who was heard."""
        wanted = socket.AF_INET if len(where) == 2 else socket.AF_INET6
        for ear in self._ears:
            if ear.get_extra_info("socket").family == wanted:
                _send(ear, datagram, where)

    def close(self) -> None:
        """Be silent and deaf."""
        for transport in (*self._ears, *(mouth for mouth, _ in self._mouths)):
            transport.abort()
        self._ears, self._mouths = [], []


class _Hearing(asyncio.DatagramProtocol):
    def __init__(self, hear: Hear) -> None:
        self._hear = hear

    def datagram_received(self, data: bytes, addr: Where) -> None:
        self._hear(data, addr)


def _send(transport: asyncio.DatagramTransport, datagram: bytes, where: Where) -> None:
    """What does not leave is lost, as anything may be. A transport that is closing would count and complain."""
    if not transport.is_closing():
        with contextlib.suppress(Exception):
            transport.sendto(datagram, where)


@contextlib.contextmanager
def _left_out() -> Iterator[None]:
    """Sockets and their options fail in more ways than OSError."""
    try:
        yield
    except Exception as failure:
        log.info("the beacon does without an address: %r", failure)


def _everybody(interface: Interface) -> tuple[Where, ...]:
    return ((GROUP, PORT), *((broadcast, PORT) for broadcast in interface.broadcasts))


@contextlib.contextmanager
def datagrams(family: socket.AddressFamily) -> Iterator[socket.socket]:
    """A socket to be set up in the body; closed where that fails."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        yield sock
    except BaseException:
        sock.close()
        raise


def share_port(sock: socket.socket) -> None:
    """Let other programs of this machine listen on the same port."""
    for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
        if hasattr(socket, name):
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)


def join_group(sock: socket.socket, group: str, where: str | int) -> None:
    """Hear what is said to a group, on the interface that has an IPv4 address, or by IPv6 on the one of this
    number. Raises OSError."""
    if isinstance(where, str):
        member = socket.inet_aton(group) + socket.inet_aton(where)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    else:
        member = socket.inet_pton(socket.AF_INET6, group) + pack("@I", where)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)


def multicast_from(sock: socket.socket, where: str | int) -> None:
    """Multicast from an IPv4 address, or by IPv6 on the interface of this number: to this machine, too, and past
    no router. Raises OSError."""
    if isinstance(where, str):
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(where))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    else:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, where)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 1)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)


def _shared(family: socket.AddressFamily) -> socket.socket:
    """A socket on the port of the beacon, beside those of other programs. Raises OSError."""
    with datagrams(family) as sock:
        share_port(sock)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(("", PORT))
    return sock


def _ear(interfaces: Sequence[Interface]) -> socket.socket:
    """Hears the group on each interface, and broadcasts. Raises OSError."""
    sock = _shared(socket.AF_INET)
    for ip in (ip for interface in interfaces for ip in interface.ipv4):
        with _left_out():
            join_group(sock, GROUP, ip)
    return sock


def _ear6(interfaces: Sequence[Interface]) -> socket.socket:
    sock = _shared(socket.AF_INET6)
    for interface in interfaces:
        if interface.ipv6:
            with _left_out():
                join_group(sock, GROUP6, interface.index)
    return sock


def _mouth(ip: str) -> socket.socket:
    """Speaks from an IPv4 address. Raises OSError."""
    with datagrams(socket.AF_INET) as sock:
        sock.bind((ip, 0))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        multicast_from(sock, ip)
    return sock


def _mouth6(interface: Interface) -> socket.socket:
    with datagrams(socket.AF_INET6) as sock:
        sock.bind(("", 0))
        multicast_from(sock, interface.index)
    return sock
