"""A session whose host is gone goes on with another one: its own machine, or that of somebody else.

Only at a table that was opened so, and only once enough seats have had no host for a time, all at once.
"""

import asyncio
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.transcript import read
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.timing import Timing

from .agreeing.pledges import Won
from .agreeing.succession import Elsewhere, Setting, Succession
from .beside import House
from .client import Client
from .connection import Connection
from .records import Records


class Heritage(Struct, frozen=True):
    """What a new host begins with: the entries up to the one that it follows, `heads[n]` being hash[n], and how it
    has become the host. `keys` is the file of its keys, `own` the key of its person; `house` is how the host
    before ran the table, None where this session has not heard it."""

    header: Header
    deltas: tuple[Delta, ...]
    heads: tuple[bytes, ...]
    won: Won
    keys: Path
    own: bytes
    house: House | None = None

    def __repr__(self) -> str:
        return f"Heritage({self.won.proposal.n})"


class Heir(Protocol):
    """Can be the host on this machine."""

    def prepare(self, path: Path) -> tuple[bytes, bytes]:
        """The key of the host that would be, and the SHA-256 of its certificate; always the same for a file, which
        has its secrets. Raises OSError."""

    async def begin(self, heritage: Heritage) -> int:
        """Go on with the table, until `close`; the port. Raises Refusal: `spoiled` where nothing was signed yet;
        OSError."""

    async def close(self) -> None:
        """The session is over, or another machine is the host: the others get the rest of the game, if it is over,
        and the table is gone."""


class Moving:
    """One session's part in it."""

    def __init__(self, connection: Connection, timing: Timing, heir: Heir | None) -> None:
        self._connection = connection
        self._timing = timing
        self._heir = heir
        self._succession: Succession | None = None
        self._of = 0
        self._followed = self._begun = False
        self._alone = 0.0

    async def run(self) -> None:
        """Look whether the host is there, for ever. Raises what `Heir.begin` raises."""
        while True:
            await asyncio.sleep(self._timing.beat)
            client = self._connection.client
            if client is not None and not (client.closed and not self._begun):
                await self._look(client)

    async def close(self) -> None:
        """The session has ended."""
        if self._heir is not None and self._begun:
            await self._heir.close()

    async def _look(self, client: Client) -> None:
        succession = self._current(client)
        gossip = self._connection.gossip
        if succession is None or gossip is None:
            return
        up = self._connection.up
        gossip.others = succession.take
        self._alone = 0.0 if up else self._alone + self._timing.beat
        succession.wants = self._alone >= self._timing.gone
        for datagram in succession.beat(client.records.signed_head):
            gossip.say(datagram)
        if not up:
            succession.resume()
        if succession.won is not None and not self._begun:
            await self._begin(client, succession, succession.won)
        elif succession.left_behind:
            await self._give_up(succession)
        elif succession.elsewhere is not None and not up:
            self._follow(succession.elsewhere)

    def _follow(self, there: Elsewhere) -> None:
        """Go to the new host; it is at one of the addresses that its word has come from, and copies of that come
        from others."""
        if not self._followed:
            self._followed = True
            self._connection.go_to(there.addresses[0])
        self._connection.try_at(there.addresses)

    def _current(self, client: Client) -> Succession | None:
        """That of the present host; a new one begins with each new host."""
        log = client.records.client_log
        shared = log.audit.shared if log is not None else None
        if log is None or shared is None or not (log.audit.may_move or self._begun):
            return self._succession
        hosts = len(log.audit.new_hosts)
        if self._succession is None or (hosts > self._of and not self._begun):
            seat, audit = client.records.seat, log.audit
            box = client.records.owner(seat or 0).box
            table = Setting(audit.table, log.hosts, shared, audit.boxes, seat, client.records.identity, box)
            prepare = partial(self._heir.prepare, client.records.heir) if self._heir is not None else None
            kept = client.records.won if self._heir is not None else None
            self._succession = Succession(table, client.records, prepare, kept)
            self._of, self._followed = hosts, False
        return self._succession

    async def _give_up(self, succession: Succession) -> None:
        """The table on this machine has nobody any more but its own session, which goes where the others are."""
        await self.close()
        self._begun = False
        succession.give_up()

    async def _begin(self, client: Client, succession: Succession, won: Won) -> None:
        assert self._heir is not None
        self._begun = True
        try:
            port = await self._heir.begin(heritage(client.records, won, client.beside.house))
        except Refusal as refusal:
            if refusal.code == "spoiled":
                client.records.pledges.lose()
            raise
        succession.hosting(port)
        self._connection.go_to(("127.0.0.1", port))


def heritage(records: Records, won: Won, house: House | None = None) -> Heritage:
    """What this session's transcript has for a new host."""
    log = records.client_log
    assert log is not None
    assert records.path is not None
    chain = Chain(records.game.id, records.game.rules, records.game.fp)
    deltas = tuple(decode_delta(body) for body in read(records.path).bodies[: won.proposal.n])
    heads = (chain.head, *(chain.append(delta.public, delta.leaves) for delta in deltas))
    return Heritage(log.audit.table, deltas, heads, won, records.heir, records.identity.public, house)
