"""One connection: frames in under a deadline, frames out without ever waiting for a slow reader."""

import asyncio
import contextlib
import hashlib
import socket
import ssl
from collections import deque
from typing import Final

from .errors import Refusal
from .frames import KNOWN, Decoder, Frame
from .messages import Bye, encode
from .tls import client_context

UNREAD: Final = 131_072
"""So many bytes may wait to be read before no more are taken from the other side."""
BACKLOG: Final = 1 << 20
"""So many bytes may wait for a reader before the connection is given up."""
_GRACE: Final = 2.0
"""Seconds that a closing connection has for its last bytes."""


class Link(asyncio.Protocol):
    """A connection that speaks frames: the protocol of its transport, for one reader of `frame`.

    `fp` is the SHA-256 of the certificate that the other side showed, empty if it showed none. `peer` is
    the address of the other side, with its interface where that is part of it, and its port. Both stay known when
    the connection is gone.
    """

    def __init__(self, patience: float) -> None:
        """`patience`: seconds that a frame may take to arrive once it has begun."""
        self._patience = patience
        self._decoder = Decoder()
        self._unread = bytearray()
        self._full = False
        self._ready: deque[Frame] = deque()
        self._until: float | None = None
        self._coming: asyncio.Future[bool] | None = None
        self._ended = False
        self._fault: Exception | None = None
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self.closed_as: str | None = None

    # What the transport says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.fp = _fingerprint(transport)
        self.peer = _peer(transport)
        if (sock := transport.get_extra_info("socket")) is not None:
            keep_lively(sock)

    def data_received(self, data: bytes) -> None:
        """It waits undecoded: how long a frame may be is known when it is read."""
        self._unread += data
        if len(self._unread) > UNREAD and not self._full:
            self._full = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """The other side has said all; the transport closes itself."""
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing comes any more."""
        self._ended, self._fault = True, exc
        if exc is not None:  # both may lead back to this connection, and keep each other
            exc.__traceback__ = exc.__context__ = None
        self._wake()
        if not self._gone.done():
            self._gone.set_result(None)

    def _wake(self) -> None:
        if self._coming is not None and not self._coming.done():
            self._coming.set_result(True)

    # What comes

    def trust(self) -> None:
        """The peer is known now: longer frames are welcome."""
        self._decoder.limit = KNOWN

    async def frame(self, silence: float | None = None) -> Frame | None:
        """The next frame, None at the end of the stream. `silence`: seconds that may pass without a byte. Raises
        Malformed, TimeoutError, OSError."""
        while not self._ready:
            if self._unread:
                self._ready.extend(self._decoder.feed(self._take()))
                self._watch()
            elif self._fault is not None:
                raise self._take_fault()
            elif self._ended:
                return None
            else:
                await self._more(self._deadline(silence))
        return self._ready.popleft()

    def _take_fault(self) -> Exception:
        """Why the connection was lost, once. A variable of `frame` would keep it, and its traceback the frame."""
        assert self._fault is not None
        fault, self._fault = self._fault, None
        return fault

    def _take(self) -> bytes:
        """What has come and was not read."""
        data = bytes(self._unread)
        self._unread.clear()
        if self._full:
            self._full = False
            self._transport.resume_reading()
        return data

    async def _more(self, deadline: float | None) -> None:
        """Wait until something comes. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
        self._coming = coming = loop.create_future()
        timer = loop.call_at(deadline, _late, coming) if deadline is not None else None
        try:
            if not await coming:
                raise TimeoutError
        finally:
            self._coming = None
            if timer is not None:
                timer.cancel()

    @property
    def more(self) -> bool:
        """Whether another frame is there without waiting."""
        return bool(self._ready)

    def _deadline(self, silence: float | None) -> float | None:
        if silence is None:
            return self._until
        quiet = asyncio.get_running_loop().time() + silence
        return quiet if self._until is None else min(quiet, self._until)

    def _watch(self) -> None:
        """A frame has to be complete in time, however slowly its bytes trickle in."""
        if not self._decoder.partial:
            self._until = None
        elif self._until is None or self._ready:
            self._until = asyncio.get_running_loop().time() + self._patience

    def send(self, data: bytes) -> None:
        """Hand over frames. Never waits: who does not read loses the connection."""
        if self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > BACKLOG:
            self.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Say why, and end the connection once that has been sent."""
        if self.closed_as is None:
            self.closed_as = code
            self.send(encode(Bye(code, dict(details))))
            self._close()

    def _close(self) -> None:
        """A TLS transport that is closed twice forgets its connection: then nothing can abort it any more, and
        Python 3.11.2 raises AttributeError where that is tried."""
        if not self._transport.is_closing():
            self._transport.close()

    def abort(self, code: str) -> None:
        """End the connection at once; what has not been sent is lost."""
        self.closed_as = self.closed_as or code
        self._transport.abort()

    async def closed(self) -> None:
        """Wait for the end, at most a little while."""
        self._close()
        try:
            async with asyncio.timeout(_GRACE):
                await asyncio.shield(self._gone)
        except TimeoutError:
            pass
        finally:
            self._transport.abort()


def _late(coming: asyncio.Future[bool]) -> None:
    """Nothing has come in time."""
    if not coming.done():
        coming.set_result(False)


def _fingerprint(transport: asyncio.BaseTransport) -> bytes:
    tls: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
    der = tls.getpeercert(binary_form=True) if tls is not None else None
    return hashlib.sha256(der).digest() if der else b""


def _peer(transport: asyncio.BaseTransport) -> tuple[str, int]:
    """The address of the other side, with its interface where that is part of it, and its port."""
    name = transport.get_extra_info("peername")
    if not name:  # it was gone before it began
        return "", 0
    scope = name[3] if len(name) > 3 else 0
    return (f"{name[0]}%{scope}" if scope else str(name[0])), int(name[1])


def keep_lively(sock: socket.socket) -> None:
    """No waiting to fill packets, and notice a peer that is gone."""
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def connect(host: str, port: int, patience: float) -> Link:
    """A connection to a table. Raises Refusal: `unreachable`, `not_citadels`."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        async with asyncio.timeout(patience):
            loop = asyncio.get_running_loop()
            _, link = await loop.create_connection(lambda: Link(patience), host, port, ssl=client_context())
    except ssl.SSLError:
        raise Refusal("not_citadels", address=address) from None
    except (OSError, TimeoutError):
        raise Refusal("unreachable", address=address) from None
    return link


async def fingerprint_at(host: str, port: int, patience: float) -> bytes:
    """Return the fingerprint of the certificate at an address, empty if no table answers there."""
    try:
        link = await connect(host, port, patience)
    except (Refusal, OSError):
        return b""
    link.abort("left")
    return link.fp
