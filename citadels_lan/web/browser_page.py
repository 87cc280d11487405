"""A page in a browser, and what waits to be sent to it. Nothing waits for a page: one that does not read loses
what it has missed, and gets a whole new picture when it reads again."""

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec

from citadels_lan.plain.messages import PageMessage

from .limits import UNREAD


class Socket(Protocol):
    """What a page needs of a websocket. Both wait until the page reads; they raise ConnectionError."""

    async def send_bytes(self, data: bytes) -> None: ...

    async def send_str(self, data: str) -> None: ...


class BrowserPage:
    """A page. `missed` is called when it has missed something and reads again."""

    def __init__(self, socket: Socket) -> None:
        self.missed: Callable[[], None] = lambda: None
        self._socket = socket
        self._waiting: list[bytes | str] = []
        self._size = 0
        self._behind = False
        self._last = False
        self._news = asyncio.Event()

    def draw(self, data: bytes) -> None:
        """Bytes for its terminal."""
        self._put(data)

    def tell(self, message: PageMessage) -> None:
        """Send a message."""
        self.relay(msgspec.json.encode(message).decode())

    def relay(self, message: str) -> None:
        """Send a message that is encoded, or nothing where it is empty."""
        if message:
            self._put(message)

    def finish(self, message: PageMessage) -> None:
        """Send the last message, after what waits."""
        self._behind, self._size = False, 0
        self.tell(message)
        self._last = True

    def _put(self, data: bytes | str) -> None:
        if self._last or self._behind:
            return
        self._waiting.append(data)
        self._size += len(data)
        if self._size > UNREAD:
            self._waiting.clear()
            self._size, self._behind = 0, True
        self._news.set()

    async def send(self) -> None:
        """Send what waits, until the last of it. Raises ConnectionError where the page has gone."""
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._waiting, self._size = self._waiting, [], 0
            for data in waiting:
                await (self._socket.send_bytes(data) if isinstance(data, bytes) else self._socket.send_str(data))
            if self._last and not self._waiting:
                return
            if self._behind:
                self._behind = False
                self.missed()
