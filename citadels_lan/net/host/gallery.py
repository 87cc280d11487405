"""The spectators' place: what is sent to them goes out after what is sent to players, a few at a time.

All spectators are sent the same bytes of an entry, made once. What costs time is to encrypt and send them, once
for each; so after every few of them the players have their turn.
"""

import asyncio
from collections import deque
from typing import Final

from citadels_lan.net.wire.link import BACKLOG, Link

AT_ONCE: Final = 8
"""Spectators who are served before players have their turn."""


class Balcony:
    """A spectator's port: frames wait here until it is their turn."""

    def __init__(self, link: Link, gallery: "Gallery") -> None:
        self.link = link
        self._gallery = gallery
        self._frames: list[bytes] = []
        self._waiting = 0

    def send(self, data: bytes) -> None:
        """Never waits: whoever has too much waiting loses the connection."""
        if self.link.closed_as is not None:
            return
        if not self._frames:
            self._gallery.turn(self)
        self._frames.append(data)
        self._waiting += len(data)
        if self._waiting > BACKLOG:
            self._frames.clear()
            self.link.abort("behind")

    def close(self, code: str = "left", **details: str | int) -> None:
        """Send what waits, say why, and end the connection."""
        self.flush()
        self.link.close(code, **details)

    def flush(self) -> None:
        """Send what waits."""
        frames, self._frames, self._waiting = self._frames, [], 0
        if frames:
            self.link.send(b"".join(frames))


class Gallery:
    """The balconies where something waits, in the order in which it came."""

    def __init__(self) -> None:
        self._waiting: deque[Balcony] = deque()
        self._any = asyncio.Event()

    def turn(self, balcony: Balcony) -> None:
        """Something waits there now."""
        self._waiting.append(balcony)
        self._any.set()

    async def serve(self) -> None:
        """Send what waits, until cancelled."""
        while True:
            await self._any.wait()
            for _ in range(min(AT_ONCE, len(self._waiting))):
                self._waiting.popleft().flush()
            if not self._waiting:
                self._any.clear()
            await asyncio.sleep(0)
