"""Reading what a host sends, at its pace: when that is acknowledged, and when a full disk is tried again."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Final

from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.link import Link

from .client import Client

ACK_AFTER: Final = 0.02
"""Seconds until entries are acknowledged: no one waits for that, and one acknowledgement is enough for several."""
ACK_OF_SPECTATOR: Final = (0.5, 1.5)
"""The same for a spectator, drawn by lot between these: they are many, the host has to read what each of them
says, and all at once they would stand before the next entry."""
FULL: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


def ack_after(*, player: bool) -> float:
    """For how many seconds somebody waits before the next acknowledgement."""
    return ACK_AFTER if player else random.uniform(*ACK_OF_SPECTATOR)


class Reading:
    """The frames of a client's links. `next_frame` reads one, however long that takes; `changed` is called when
    there is something new to send."""

    def __init__(self, next_frame: Callable[[Link], Awaitable[Frame | None]], changed: Callable[[], None]) -> None:
        self._next_frame = next_frame
        self._changed = changed
        self._ack_at: float | None = None
        self._try_at: float | None = None
        self._full = FULL[0]

    async def frame(self, link: Link, client: Client) -> Frame | None:
        """The next frame, as `Link.frame` has it. What came before is acknowledged meanwhile."""
        if client.beside.full:
            return await self._while_full(link, client)
        if client.owes_ack:
            now = asyncio.get_running_loop().time()
            self._ack_at = self._ack_at or now + ack_after(player=client.records.player)
            with contextlib.suppress(TimeoutError):  # a frame that comes too slowly is found once more below
                return await link.frame(silence=self._ack_at - now)
            self._ack_at = None
            try:
                client.settle()
            finally:
                self._changed()
        return await self._next_frame(link)

    async def _while_full(self, link: Link, client: Client) -> Frame | None:
        """The next frame; now and then the own disk is tried again, later each time."""
        now = asyncio.get_running_loop().time()
        self._try_at = self._try_at or now + self._full
        with contextlib.suppress(TimeoutError):
            return await link.frame(silence=max(self._try_at - now, 0.0))
        self._full, self._try_at = min(2 * self._full, FULL[1]), None
        client.try_again()
        self._changed()
        return await self.frame(link, client)
