"""Limits for browsers, each and together, so that they cannot overload the host's machine."""

import asyncio
from collections.abc import Callable
from typing import Final

from citadels_lan.net.limits import Slots

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
"""Characters of a paste. A paste counts as a full message of keys."""
AHEAD: Final = 2
"""Packets that a client with screens may have to handle before the next one waits."""
MEMORY: Final = 256 * 2**20
"""Bytes of memory for the process of one guest (Linux)."""
SOCKETS: Final = 128
"""Connections at the same time."""
SOCKETS_EACH: Final = 24
"""Connections of one address at the same time."""
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
UNREAD: Final = 256 * 1024
"""Bytes that wait for a slow page. If there are more, the page gets a new picture instead."""
HEARTBEAT: Final = 20.0
"""Seconds between two checks whether a page is still connected."""
HISTORY: Final = 96 * 1024
"""Characters of messages that are kept for the next page of a guest in lines."""
LINE: Final = 64 * 1024
"""Characters of one such message, and of the standard error of a client."""
TYPED: Final = 500
"""Characters of a typed line."""
SITTING: Final = (10, 1 / 5)
"""Seats that one address asks for at once, and then per second."""
HEADERS_END: Final = b"\r\n\r\n"


def clamped(width: int, height: int) -> tuple[int, int]:
    """The nearest size within the limits."""
    return _within(width, *WIDTH), _within(height, *HEIGHT)


def _within(number: int, least: int, most: int) -> int:
    return min(max(number, least), most)


class WebConnections:
    """The connections of browsers: so many, so many of one address, and none that is silent. `make` makes the
    protocol that answers one."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self.make = make
        self.open = Slots[WebConnection](SOCKETS, SOCKETS_EACH)

    def __call__(self) -> asyncio.Protocol:
        return WebConnection(self)


class WebConnection(asyncio.Protocol):
    """A connection of a browser. The protocol that answers it gets everything, if there is a slot. The connection
    is closed if its first request does not come in time."""

    def __init__(self, all_open: WebConnections) -> None:
        self._all = all_open
        self._inner: asyncio.Protocol | None = None
        self._address = ""
        self._begun = b""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        if self._all.open.rivals(self._address):
            transport.abort()
            return
        self._all.open.enter(self._address, self)
        self._inner = self._all.make()
        self._inner.connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(PATIENCE, transport.abort)

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
        self._all.open.leave(self._address, self)

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
