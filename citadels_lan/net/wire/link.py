"""One connection over TLS: frames in under a deadline, frames out without waiting for a slow reader."""

import asyncio
import contextlib
import errno
import hashlib
import math
import socket
import ssl
import threading
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from .errors import Refusal
from .messages import KNOWN, Bye, Decoder, Frame, encode
from .tls import client_context

UNREAD: Final = 131_072
"""If so many bytes wait to be read, the link reads no more from the other side."""
BACKLOG: Final = 1 << 20
"""If more bytes than this wait for the other side to read them, the link ends the connection."""
CONNECT: Final = 2.5
"""Seconds to find the address of a name, and as many until the address answers at all."""
SocketAddress: TypeAlias = tuple[int, Any]
"""A family of addresses, and an address as sockets have it."""
_GRACE: Final = 2.0
"""Seconds that a closing connection has for its last bytes."""


class Link(asyncio.Protocol):
    """A connection that speaks frames: the protocol of its transport, for one reader of `frame`.

    `fp` is the SHA-256 of the certificate of the other side, empty if it has none. `peer` is the address of
    the other side, with its interface if that is part of it, and its port. Both stay known after the end of
    the connection. `closed_as` is the reason with which this side has closed or aborted the connection."""

    def __init__(self, patience: float) -> None:
        """`patience`: seconds that a frame may take to arrive once it has begun."""
        self._patience = patience
        self._decoder = Decoder()
        self._unread = bytearray()
        self._full = False
        self._ready: deque[Frame] = deque()
        self._until = math.inf
        self._coming: asyncio.Future[bool] | None = None
        self._ended = False
        self._fault: Exception | None = None
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self.closed_as: str | None = None

    # Calls of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The TLS handshake is done."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        tls: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        der = tls.getpeercert(binary_form=True) if tls is not None else None
        self.fp = hashlib.sha256(der).digest() if der else b""
        self.peer = _peer(transport)
        if (sock := transport.get_extra_info("socket")) is not None:
            keep_lively(sock)

    def data_received(self, data: bytes) -> None:
        """Keep the data undecoded: the limit for a frame is known when it is read."""
        self._unread += data
        if len(self._unread) > UNREAD and not self._full:
            self._full = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """The other side sends nothing more; the transport closes itself."""
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
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
        """The peer is known now: accept longer frames."""
        self._decoder.limit = KNOWN

    async def frame(self, silence: float | None = None) -> Frame | None:
        """Return the next frame, None at the end of the stream. `silence`: seconds that may pass without a
        byte. Raises Malformed, TimeoutError, OSError."""
        while not self._ready:
            if self._unread:
                self._decode()
            elif self._fault is not None:
                raise self._take_fault()
            elif self._ended:
                return None
            else:
                await self._more(silence)
        return self._ready.popleft()

    def _take_fault(self) -> Exception:
        """Return why the connection was lost, once. In a variable of `frame`, the error and its traceback
        would keep each other in memory."""
        assert self._fault is not None
        fault, self._fault = self._fault, None
        return fault

    def _decode(self) -> None:
        """Decode the data that has come. A frame that has begun has to be complete in time, however slowly its
        bytes come. Raises Malformed."""
        data = bytes(self._unread)
        self._unread.clear()
        if self._full:
            self._full = False
            self._transport.resume_reading()
        self._ready.extend(self._decoder.feed(data))
        if not self._decoder.partial:
            self._until = math.inf
        elif self._until == math.inf or self._ready:
            self._until = asyncio.get_running_loop().time() + self._patience

    async def _more(self, silence: float | None) -> None:
        """Wait for the next data. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
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
        """Whether another frame can be returned without waiting."""
        return bool(self._ready)

    def send(self, data: bytes) -> None:
        """Send frames without waiting. If the other side does not read, it loses the connection."""
        if self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > BACKLOG:
            self.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Send the reason, and end the connection once that has been sent."""
        if self.closed_as is None:
            self.closed_as = code
            self.send(encode(Bye(code, dict(details))))
            self._close()

    def _close(self) -> None:
        """Close the transport, once. A TLS transport that is closed twice loses its connection: it cannot be
        aborted any more, and Python 3.11.2 raises AttributeError then."""
        if not self._transport.is_closing():
            self._transport.close()

    def abort(self, code: str) -> None:
        """End the connection at once; unsent frames are lost."""
        self.closed_as = self.closed_as or code
        self._transport.abort()

    async def closed(self) -> None:
        """Close the connection and wait for its end, at most `_GRACE` seconds."""
        self._close()
        try:
            async with asyncio.timeout(_GRACE):
                await asyncio.shield(self._gone)
        except TimeoutError:
            pass
        finally:
            self._transport.abort()


def _late(coming: asyncio.Future[bool]) -> None:
    """Wake `_more`: no data has come in time."""
    if not coming.done():
        coming.set_result(False)


def _peer(transport: asyncio.BaseTransport) -> tuple[str, int]:
    """Return the address of the other side, with its interface if that is part of it, and its port."""
    name = transport.get_extra_info("peername")
    if not name:  # the connection has ended already
        return "", 0
    scope = name[3] if len(name) > 3 else 0
    return (f"{name[0]}%{scope}" if scope else str(name[0])), int(name[1])


def keep_lively(sock: socket.socket) -> None:
    """Send small packets at once, and detect a peer that is gone."""
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def connect(host: str, port: int, patience: float) -> Link:
    """Connect to a table within `patience` seconds, of which the address has CONNECT to answer at all. Raises
    Refusal: `unreachable`, `unknown_name`, `not_citadels`."""
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
    """Return the addresses of a host by name or number, of a name within CONNECT seconds. Raises gaierror."""
    with contextlib.suppress(socket.gaierror):
        return _look_up(host, port, socket.AI_NUMERICHOST)
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[SocketAddress]] = loop.create_future()

    def settle(found: Sequence[SocketAddress] | None) -> None:
        if answer.done():
            return
        if found is None:
            answer.set_exception(socket.gaierror())
        else:
            answer.set_result(found)

    def look_up() -> None:
        found = None
        with contextlib.suppress(OSError, UnicodeError):
            found = _look_up(host, port)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, found)

    # The end of the program does not wait for this thread, as it would for one of the loop's own.
    threading.Thread(target=look_up, daemon=True).start()
    try:
        async with asyncio.timeout(CONNECT):
            return await answer
    except TimeoutError:
        raise socket.gaierror from None


def _look_up(host: str, port: int, flags: int = 0) -> Sequence[SocketAddress]:
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, address) for family, _, _, _, address in infos]


async def _connected(addresses: Sequence[SocketAddress]) -> socket.socket:
    """Return a socket that is connected to the first of these addresses that answers. Raises OSError."""
    failure = OSError(errno.EHOSTUNREACH, "no address")
    for family, address in addresses:
        sock = socket.socket(family, socket.SOCK_STREAM)
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
    """Return the fingerprint of the certificate at an address, empty if no table answers there."""
    try:
        link = await connect(host, port, patience)
    except (Refusal, OSError):
        return b""
    link.abort("left")
    return link.fp
