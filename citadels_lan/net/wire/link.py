"""One connection: frames in under a deadline, frames out without ever waiting for a slow reader."""

import asyncio
import contextlib
import hashlib
import socket
import ssl
from collections import deque
from typing import Final

from citadels_lan.crypto.packing import Malformed

from .errors import Refusal
from .frames import KNOWN, Decoder, Frame
from .messages import Bye, encode

CHUNK: Final = 65_536
BACKLOG: Final = 1 << 20
"""So many bytes may wait for a reader before the connection is given up."""
_GRACE: Final = 2.0
"""Seconds that a closing connection has for its last bytes."""


class Link:
    """A connection that speaks frames.

    `fp` is the SHA-256 of the certificate that the other side showed, empty if it showed none. `local` is the
    address of this side, with its interface where that is part of it; `peer` is that of the other side, with its
    port. All stay known when the connection is gone.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float) -> None:
        """`patience`: seconds that a frame may take to arrive once it has begun."""
        self._reader = reader
        self._writer = writer
        self._patience = patience
        self._decoder = Decoder()
        self._ready: deque[Frame] = deque()
        self._until: float | None = None
        self.closed_as: str | None = None
        self.fp = _fingerprint(writer)
        self.local = _numbered(writer, "sockname")
        self.peer = (_numbered(writer, "peername"), _port(writer))
        if (sock := writer.get_extra_info("socket")) is not None:
            keep_lively(sock)

    def trust(self) -> None:
        """The peer is known now: longer frames are welcome."""
        self._decoder.limit = KNOWN

    async def frame(self, silence: float | None = None) -> Frame | None:
        """The next frame, None at the end of the stream. `silence`: seconds that may pass without a byte. Raises
        Malformed, TimeoutError, OSError."""
        while not self._ready:
            async with asyncio.timeout_at(self._deadline(silence)):
                data = await self._reader.read(CHUNK)
            if not data:
                return None
            self._ready.extend(self._decoder.feed(data))
            self._watch()
        return self._ready.popleft()

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
        if self._writer.is_closing():
            return
        self._writer.write(data)
        if self._waiting() > BACKLOG:
            self.abort("behind")

    def _waiting(self) -> int:
        return self._writer.transport.get_write_buffer_size()

    def close(self, code: str = "left", **details: str | int) -> None:
        """Say why, and end the connection once that has been sent."""
        if self.closed_as is None:
            self.closed_as = code
            self.send(encode(Bye(code, dict(details))))
            self._close()

    def _close(self) -> None:
        """A TLS transport that is closed twice forgets its connection: then nothing can abort it any more, and
        Python 3.11.2 raises AttributeError where that is tried."""
        if not self._writer.is_closing():
            self._writer.close()

    def abort(self, code: str) -> None:
        """End the connection at once; what has not been sent is lost."""
        self.closed_as = self.closed_as or code
        self._writer.transport.abort()

    async def closed(self) -> None:
        """Wait for the end, at most a little while."""
        self._close()
        try:
            async with asyncio.timeout(_GRACE):
                await self._writer.wait_closed()
        except OSError:  # TimeoutError is one
            pass
        finally:
            self._writer.transport.abort()


def _fingerprint(writer: asyncio.StreamWriter) -> bytes:
    tls: ssl.SSLObject | None = writer.get_extra_info("ssl_object")
    der = tls.getpeercert(binary_form=True) if tls is not None else None
    return hashlib.sha256(der).digest() if der else b""


def _port(writer: asyncio.StreamWriter) -> int:
    name = writer.get_extra_info("peername")
    return int(name[1]) if name else 0


def _numbered(writer: asyncio.StreamWriter, which: str) -> str:
    name = writer.get_extra_info(which)
    if not name:  # it was gone before it began
        return ""
    scope = name[3] if len(name) > 3 else 0
    return f"{name[0]}%{scope}" if scope else str(name[0])


def keep_lively(sock: socket.socket) -> None:
    """No waiting to fill packets, and notice a peer that is gone."""
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def connect(host: str, port: int, context: ssl.SSLContext, patience: float) -> Link:
    """A connection to a table. Raises Refusal: `unreachable`, `not_citadels`."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        async with asyncio.timeout(patience):
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
    except ssl.SSLError:
        raise Refusal("not_citadels", address=address) from None
    except (OSError, TimeoutError):
        raise Refusal("unreachable", address=address) from None
    return Link(reader, writer, patience)


__all__ = ["BACKLOG", "Link", "Malformed", "connect", "keep_lively"]
