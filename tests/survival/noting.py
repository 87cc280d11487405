"""When bytes came, noted before anything is done with them: one process reads for hundreds of connections.

To decrypt costs a reader far more than to note, and it would take a core from the host. So what comes over a
connection waits, and is read one piece at a time, when nothing has come for a moment; what is measured is when the
host has sent, not when the reader had the time.
"""

import asyncio
import time
from asyncio.sslproto import SSLProtocol
from collections import deque
from typing import Final, cast

from citadels_lan.net.wire.link import Link

from .watching import Watcher

QUIET: Final = 0.01
"""Seconds without anything that comes, after which there is time to read."""


class Note(asyncio.Protocol):
    """Stands before a connection's TLS."""

    def __init__(self, watcher: Watcher, pile: "Pile") -> None:
        self.watcher = watcher
        self.tls = _tls_of(watcher.link)
        self._pile = pile
        transport = self.tls._transport
        assert isinstance(transport, asyncio.Transport)
        transport.set_protocol(self)

    def data_received(self, data: bytes) -> None:
        """Noted, and left for later."""
        self._pile.add(self, time.monotonic(), data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The end is passed on."""
        self.tls.connection_lost(exc)

    def eof_received(self) -> None:
        """So is this."""
        self.tls.eof_received()

    def pause_writing(self) -> None:
        """And this."""
        self.tls.pause_writing()

    def resume_writing(self) -> None:
        """And this."""
        self.tls.resume_writing()

    def read(self, at: float, data: bytes) -> None:
        """What came at that time, for the watcher."""
        self.watcher.now = at
        view = memoryview(data)
        while view:
            buffer = self.tls.get_buffer(len(view))
            size = min(len(buffer), len(view))
            buffer[:size] = view[:size]
            self.tls.buffer_updated(size)
            view = view[size:]


def _tls_of(link: Link) -> SSLProtocol:
    return cast(SSLProtocol, link._transport._ssl_protocol)  # type: ignore[attr-defined]


class Pile:
    """What has come and was not read yet."""

    def __init__(self) -> None:
        self._pieces: deque[tuple[Note, float, bytes]] = deque()
        self._any = asyncio.Event()

    def add(self, note: Note, at: float, data: bytes) -> None:
        """One more."""
        self._pieces.append((note, at, data))
        self._any.set()

    async def read(self) -> None:
        """Piece by piece, until cancelled: what comes meanwhile is noted before that goes on."""
        while True:
            await self._any.wait()
            _, last, _ = self._pieces[-1]
            if (left := last + QUIET - time.monotonic()) > 0:
                await asyncio.sleep(left)
                continue
            note, at, data = self._pieces.popleft()
            note.read(at, data)
            if not self._pieces:
                self._any.clear()
            await asyncio.sleep(0)
