"""One connection over TLS 1.3: it receives frames within a time limit, and sends frames without waiting for a
slow reader.

The certificate is made for one table. It proves only that a connection leads to the same table."""

import asyncio
import contextlib
import errno
import hashlib
import math
import socket
import ssl
import tempfile
import threading
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.codec import Malformed
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import HEADER, KNOWN, STRANGER, Bye, Frame, encode, next_frame
from citadels_lan.platform.files import open_private

_HANDSHAKE = b"\x16"
"""The first byte of every TLS connection: the type of a TLS record that contains a handshake."""
# asyncio keeps a buffer of 256 KiB for each TLS connection, and reads as much at once. For hundreds
# of connections that is most of a host's memory. The attribute sets the size of the buffer.
SSLProtocol.max_size = 32_768


class Certificate(Struct, frozen=True):
    """A table's certificate (`der`) and its private key (`key`, PEM without encryption). The host never sends
    the key."""

    der: bytes
    key: bytes

    def __repr__(self) -> str:
        return f"Certificate({self.fp.hex()[:16]})"

    @property
    def fp(self) -> bytes:
        """The fingerprint: the SHA-256 of `der`, 32 bytes."""
        return hashlib.sha256(self.der).digest()

    @property
    def usable(self) -> bool:
        """Whether `key` is the private key of the certificate."""
        try:
            host_context(self)
        except (ssl.SSLError, ValueError):
            return False
        return True


def make_certificate() -> Certificate:
    """Return a new self-signed certificate (P-256) for a table."""
    # These modules are large, and a client does not need them.
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "citadels-lan")])
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + 3650 * day)
        .sign(key, hashes.SHA256())
    )
    return Certificate(
        certificate.public_bytes(serialization.Encoding.DER),
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


def host_context(certificate: Certificate) -> ssl.SSLContext:
    """Return the TLS settings of a host with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    # The ssl module reads keys only from files. Only this user can read the folder, and it is deleted at once.
    with tempfile.TemporaryDirectory(prefix="citadels-lan-") as folder:
        path = Path(folder) / "table.pem"
        with open_private(path, "xb") as file:
            file.write(certificate.key + ssl.DER_cert_to_PEM_cert(certificate.der).encode())
        context.load_cert_chain(path)
    return context


def client_context() -> ssl.SSLContext:
    """Return the TLS settings of a client. It accepts any certificate, because the handshake of this protocol
    proves that the fingerprint belongs to the host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def begins_tls(sock: socket.socket) -> bool:
    """Return whether the first byte of a connection has arrived; the byte stays unread. Raises Malformed if
    it does not begin TLS, OSError."""
    try:
        if sock.recv(1, socket.MSG_PEEK) != _HANDSHAKE:
            raise Malformed("not TLS")
    except BlockingIOError:
        return False
    return True


def on_readable(
    sock: socket.socket, ready: Callable[[], object], tasks: asyncio.TaskGroup
) -> Callable[[], object]:
    """Call `ready` whenever the socket has data to read or has ended. Return a function that stops this."""
    # With a socket instead of its number, asyncio would format a description of it at each call.
    loop, number = asyncio.get_running_loop(), sock.fileno()
    try:
        loop.add_reader(number, ready)
    except NotImplementedError:  # Windows
        return tasks.create_task(_await_byte(sock, ready)).cancel
    return partial(loop.remove_reader, number)


async def _await_byte(sock: socket.socket, ready: Callable[[], object]) -> None:
    """Wait until the first byte has arrived or the connection has ended, then call `ready`. The byte stays
    unread."""
    with contextlib.suppress(OSError):
        await asyncio.get_running_loop().sock_recv_into(sock, bytearray())
    ready()


UNREAD: Final = 131_072
"""While this many bytes are received but not used, the link reads no more from the other side."""
BACKLOG: Final = 1 << 20
"""If more than this many bytes wait because the other side does not read them, the connection ends."""
CONNECT: Final = 2.5
"""Seconds for resolving a host name; also the seconds that an address has to answer."""
SocketAddress: TypeAlias = tuple[int, Any]
"""An address family, and an address in that family as the socket module represents it."""
_GRACE: Final = 2.0
"""Seconds for sending the last bytes of a connection that is being closed."""


class Link(asyncio.Protocol):
    """A connection that sends and receives frames. Only one reader may call `frame`.

    `fp` is the SHA-256 of the other side's certificate; b"" if it has none. `peer` is the address of the
    other side (with the interface if that is part of it) and its port. Both stay known after the end of the
    connection. `closed_as` is the reason with which this side has closed or aborted the connection, or None.
    """

    def __init__(self, patience: float) -> None:
        """`patience`: seconds that a frame may take to arrive, counted from its first byte."""
        self._patience = patience
        self._limit = STRANGER
        self._unread = bytearray()
        self._full = False
        self._until = math.inf
        self._coming: asyncio.Future[bool] | None = None
        self._ended = False
        self._fault: Exception | None = None
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self.closed_as: str | None = None

    # Calls of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio when the TLS handshake is done."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        tls: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        der = tls.getpeercert(binary_form=True) if tls is not None else None
        self.fp = hashlib.sha256(der).digest() if der else b""
        name: tuple[Any, ...] = transport.get_extra_info("peername") or ("", 0)  # the connection may have ended
        scope = f"%{name[3]}" if len(name) > 3 and name[3] else ""
        self.peer = f"{name[0]}{scope}", int(name[1])

    def data_received(self, data: bytes) -> None:
        """Called by asyncio. Keep the data without decoding it, because the limit for frames may change
        before a frame is read."""
        self._unread += data
        if len(self._unread) > UNREAD and not self._full:
            self._full = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """Called by asyncio when the other side sends nothing more. The transport then closes itself."""
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the connection has ended; `exc` is the error, or None."""
        self._ended, self._fault = True, exc
        if exc is not None:  # they may refer to this connection, and would keep it in memory
            exc.__traceback__ = exc.__context__ = None
        self._wake()
        if not self._gone.done():
            self._gone.set_result(None)

    def _wake(self) -> None:
        if self._coming is not None and not self._coming.done():
            self._coming.set_result(True)

    # Receiving

    def trust(self) -> None:
        """Accept longer frames from now on, because the other side has proved its key."""
        self._limit = KNOWN

    async def frame(self, silence: float | None = None) -> Frame | None:
        """Return the next frame; None at the end of the connection. `silence`: seconds that may pass without
        any byte. Raises Malformed, TimeoutError, OSError."""
        while (frame := next_frame(self._unread, self._limit)) is None:
            if self._fault is not None:
                raise self._take_fault()
            if self._ended:
                return None
            await self._more(silence)
        self._until = math.inf
        if self._full and len(self._unread) <= UNREAD:
            self._full = False
            self._transport.resume_reading()
        return frame

    def _take_fault(self) -> Exception:
        """Return the error with which the connection was lost, and forget it. (If `frame` kept it in a
        variable, the error and its traceback would refer to each other.)"""
        assert self._fault is not None
        fault, self._fault = self._fault, None
        return fault

    async def _more(self, silence: float | None) -> None:
        """Wait for more data, at most `silence` seconds. If a part of a frame has arrived, wait at most until
        that frame must be complete. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
        if self._unread and self._until == math.inf:
            self._until = loop.time() + self._patience
        self._coming = coming = loop.create_future()
        deadline = self._until if silence is None else min(self._until, loop.time() + silence)
        timer = loop.call_at(deadline, _late, coming) if deadline < math.inf else None
        try:
            if not await coming:
                raise TimeoutError
        finally:
            self._coming = None
            if timer is not None:
                timer.cancel()

    @property
    def more(self) -> bool:
        """Whether `frame` can return another frame without waiting."""
        return len(self._unread) >= HEADER + int.from_bytes(self._unread[:4], "big")

    def send(self, data: bytes) -> None:
        """Send encoded frames without waiting. If too many bytes wait for the other side to read them, the
        connection ends."""
        if self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > BACKLOG:
            self.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Send a goodbye with the reason `code`, and end the connection when it has been sent."""
        if self.closed_as is None:
            self.closed_as = code
            self.send(encode(Bye(code, dict(details))))
            self._close()

    def _close(self) -> None:
        """Close the transport, but only once. If a TLS transport is closed twice, it cannot be aborted any
        more; Python 3.11.2 raises AttributeError then."""
        if not self._transport.is_closing():
            self._transport.close()

    def abort(self, code: str) -> None:
        """End the connection at once, for the reason `code`. Frames that were not sent are lost."""
        self.closed_as = self.closed_as or code
        self._transport.abort()

    async def closed(self) -> None:
        """Close the connection and wait for its end, at most `_GRACE` seconds."""
        self._close()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await asyncio.shield(self._gone)
        finally:
            self._transport.abort()


def _late(coming: asyncio.Future[bool]) -> None:
    """Wake up `_more`, because no data has arrived in time."""
    if not coming.done():
        coming.set_result(False)


async def connect(host: str, port: int, patience: float) -> Link:
    """Return a link to a table. `patience`: seconds for everything; an address must answer within CONNECT
    seconds. Raises Refusal: `unreachable`, `unknown_name`, `not_citadels`."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(patience):
            addresses = await _addresses_of(host, port)
            async with asyncio.timeout(CONNECT):
                sock = await _connected(addresses)
            make = partial(Link, patience)
            _, link = await loop.create_connection(make, sock=sock, ssl=client_context(), server_hostname="")
    except socket.gaierror:
        raise Refusal("unknown_name", name=host) from None
    except ssl.SSLError:
        raise Refusal("not_citadels", address=address) from None
    except (OSError, TimeoutError):
        raise Refusal("unreachable", address=address) from None
    return link


async def _addresses_of(host: str, port: int) -> Sequence[SocketAddress]:
    """Resolve a host name or number within CONNECT seconds. Return its addresses with `port`. Raises
    gaierror."""
    with contextlib.suppress(socket.gaierror):
        return _look_up(host, port, socket.AI_NUMERICHOST)
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[SocketAddress]] = loop.create_future()

    def settle(found: Sequence[SocketAddress]) -> None:
        if not answer.done():
            answer.set_result(found)

    def look_up() -> None:
        found: Sequence[SocketAddress] = ()
        with contextlib.suppress(OSError, UnicodeError):
            found = _look_up(host, port)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, found)

    # The end of the program does not wait for this thread, as it would for one of the loop's own.
    threading.Thread(target=look_up, daemon=True).start()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CONNECT):
            if addresses := await answer:
                return addresses
    raise socket.gaierror


def _look_up(host: str, port: int, flags: int = 0) -> Sequence[SocketAddress]:
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, address) for family, _, _, _, address in infos]


async def _connected(addresses: Sequence[SocketAddress]) -> socket.socket:
    """Return a socket connected to the first of these addresses that answers. Raises OSError if none does."""
    failure = OSError(errno.EHOSTUNREACH, "no address")
    for family, address in addresses:
        # With this protocol number, asyncio switches Nagle's algorithm off.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(sock, address)
        except OSError as error:
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise failure


async def fingerprint_at(host: str, port: int, patience: float) -> bytes:
    """Return the fingerprint of the certificate at an address; b"" if there is no table."""
    try:
        link = await connect(host, port, patience)
    except (Refusal, OSError):
        return b""
    link.abort("left")
    return link.fp


# Listening


PORT: Final = 47110
QUEUED: Final = 1024
"""Number of connections that the system keeps for the program to accept."""
INCOMING: Final = 65_536
"""Size in bytes of the system's buffer for data of one connection. A larger one would make a flood last
longer."""
MUTE: Final = 1
"""Seconds for which the system itself keeps a connection that has sent nothing, before it passes it to the
program (only Linux). Clients send first, so a flood of silent connections costs the program nothing."""


def listen(host: str | None, port: int | None, before: int | None = None) -> list[socket.socket]:
    """Return listening sockets that share one port. `host` None: every IPv4 and IPv6 address. `port` None:
    the first of these that is free: `before`, the usual port, any port. `port` 0: any free port. Raises
    OSError."""
    ports = [before, PORT, 0] if port is None else [port]
    numbers = [number for number in ports if number is not None]
    # The last port raises its error, which names the reason.
    for number in numbers[:-1]:
        with contextlib.suppress(OSError):
            return _listen_on(host, number)
    return _listen_on(host, numbers[-1])


def _listen_on(host: str | None, port: int) -> list[socket.socket]:
    if host is not None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return [_listening(family, host, port)]
    first = _listening(socket.AF_INET, "0.0.0.0", port)
    sockets = [first]
    # A system may know IPv6 but have it switched off.
    if socket.has_ipv6:
        with contextlib.suppress(OSError):
            sockets.append(_listening(socket.AF_INET6, "::", first.getsockname()[1]))
    return sockets


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """Return one listening socket. Connections that it accepts get the same options."""
    sock = socket.create_server((host, port), family=family, backlog=QUEUED)
    # Nagle's algorithm would hold an entry back until the one before is acknowledged, often for 40 ms.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # The system would otherwise keep megabytes of each flooding connection.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, INCOMING)
    # Only Linux can keep silent connections to itself.
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, MUTE)
    sock.setblocking(False)
    return sock
