"""Limits for browsers, each and together, so that they cannot overload the host's machine."""

import asyncio
from collections.abc import Callable
from typing import Final

from citadels_lan.net.limits import Slots, source_of

WIDTH: Final = (20, 300)
HEIGHT: Final = (10, 120)
"""The smallest and largest number of columns and rows of a screen."""
LARGEST: Final = 4096
"""Bytes of a message from a page."""
MESSAGES: Final = (50, 50.0)
"""Messages of a page at once, and then per second; the rest waits in the browser."""
KEYS: Final = (64, 200.0)
"""Keys of a guest in one message, and per second; the rest waits in the browser."""
PASTE: Final = 1000
"""Characters of a paste. A paste counts as a full message of keys, and so does a new size, which draws everything
again."""
AHEAD: Final = 2
"""Packets that a client with screens may have to handle before the next one waits."""
MEMORY: Final = 256 * 2**20
"""Bytes of memory for the process of one guest (Linux)."""
SOCKETS: Final = 128
"""Connections at the same time."""
SOCKETS_EACH: Final = 24
"""Connections of one source at the same time."""
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
UNREAD: Final = 256 * 1024
"""Bytes that wait for a slow page. If there are more, the page gets a new picture instead."""
HEARTBEAT: Final = 20.0
"""Seconds between two checks whether a page is still connected."""
HISTORY: Final = 96 * 1024
"""Characters of messages that are kept for the next page of a guest of the touch page."""
LINE: Final = 64 * 1024
"""Characters of one such message, and of the standard error of a client."""
TYPED: Final = 500
"""Characters of a typed line."""
SITTING: Final = (10, 1 / 5)
"""Requests for a seat from one address at once, and then per second."""
HEADERS_END: Final = b"\r\n\r\n"


def clamped(width: int, height: int) -> tuple[int, int]:
    """The nearest size within the limits."""
    return min(max(width, WIDTH[0]), WIDTH[1]), min(max(height, HEIGHT[0]), HEIGHT[1])


class WebConnections:
    """Limits the connections of browsers, in all and from one source, and closes silent ones. `make` returns the
    protocol that answers a connection."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self.make = make
        self.open = Slots[WebConnection](SOCKETS, SOCKETS_EACH)

    def __call__(self) -> asyncio.Protocol:
        return WebConnection(self)

    def make_room(self, source: str) -> bool:
        """Whether a connection of this source may enter. If all slots are taken, the oldest connection of the
        source with most of them is closed, unless that is the same source."""
        rivals = self.open.rivals(source)
        if rivals and rivals[0].source != source:
            rivals[0].close()
            return True
        return not rivals


class WebConnection(asyncio.Protocol):
    """A connection of a browser. If there is a slot for it, its data goes to the protocol that answers. It is
    closed if its first request does not arrive within PATIENCE seconds."""

    def __init__(self, all_open: WebConnections) -> None:
        self._all = all_open
        self._inner: asyncio.Protocol | None = None
        self.source = ""
        self._transport: asyncio.Transport
        self._begun = b""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self.source = source_of(str(peer[0])) if peer else ""
        self._transport = transport
        if not self._all.make_room(self.source):
            transport.abort()
            return
        self._all.open.enter(self.source, self)
        self._inner = self._all.make()
        self._inner.connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(PATIENCE, transport.abort)

    def close(self) -> None:
        """Close the connection at once, and free its slot."""
        self._all.open.leave(self.source, self)
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._inner is None:
            return
        if self._deadline is not None:
            self._begun = self._begun[-len(HEADERS_END) :] + data
            if HEADERS_END in self._begun:
                self._end_wait()
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._inner is not None else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_wait()
        if self._inner is not None:
            self._inner.connection_lost(exc)
            self._inner = None
        self._all.open.leave(self.source, self)

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()

    def _end_wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline, self._begun = None, b""
