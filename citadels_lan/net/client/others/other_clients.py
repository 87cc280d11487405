"""The other clients of a table, past its host: told what it has signed last, listened to, asked where it is."""

import asyncio
from collections.abc import Callable
from typing import Final

from citadels_lan.net.client.client import Client
from citadels_lan.net.client.search import Search
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import HeardAt, encode

from .forks import Fork
from .gossip import Gossip
from .whereabouts import Whereabouts

ASK_AGAIN: Final = 1.0
"""Seconds until the other clients are asked again where the host is."""


class OtherClients:
    """Those of one table. `gossip` is there once there is anything to tell them."""

    def __init__(
        self, host_at: Callable[[], Address | None], forked: Callable[[Fork], None], *, compare: bool
    ) -> None:
        """`host_at` tells where the host is reached now, `forked` hears of another history; without `compare`
        nobody is spoken to."""
        self.gossip: Gossip | None = None
        self.whereabouts: Whereabouts | None = None
        self._host_at = host_at
        self._forked = forked
        self._compares = compare
        self._sealed = 0

    def begin(self, client: Client) -> Gossip | None:
        """What speaks to them; None where there is nothing to say yet, or nobody wants it."""
        comparer = client.chronicle.comparer
        if not self._compares or comparer is None:
            return None
        self.whereabouts = Whereabouts(client.records.game.id, self._host_at)
        self.gossip = Gossip(comparer, self._forked, whereabouts=self.whereabouts)
        self.gossip.neighbours = client.beside.neighbours
        return self.gossip

    async def compare(self, client: Client, link: Link) -> None:
        """Tell them what the host has signed last, and listen to them."""
        comparer = client.chronicle.comparer
        if self.gossip is None and self.begin(client) is not None:
            await self.attach(client, link)
        if self.gossip is None or comparer is None:
            return
        self.gossip.neighbours = client.beside.neighbours
        if comparer.newest != self._sealed:
            self._sealed = comparer.newest
            self.gossip.tell()

    async def attach(self, client: Client, link: Link) -> None:
        """Speak to them where the host is reached, and have the host tell them where they reach this one."""
        if self.gossip is not None:
            await self.gossip.attach(link.local)
            if self.gossip.attached and client.seat is not None:
                link.send(encode(HeardAt(self.gossip.port)))

    async def ask(self, search: Search) -> None:
        """Ask them where the host is, and try what they say."""
        whereabouts, gossip = self.whereabouts, self.gossip
        if whereabouts is None or gossip is None:
            return
        whereabouts.hear = lambda address: search.at((address,), again=False)
        try:
            while True:
                gossip.ask()
                await asyncio.sleep(ASK_AGAIN)
        finally:
            whereabouts.hear = None

    def close(self) -> None:
        """Nothing is said any more."""
        if self.gossip is not None:
            self.gossip.close()
