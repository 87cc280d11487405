"""The host hands its game over: what each client does, and what the successor's does.

Each client tries the successor's port before the game is handed over. The successor's client copies the journal
for its `heir`, which can host games, and stores the *handover* before anything else."""

import ipaddress
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Handover
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import connect
from citadels_lan.net.wire.messages import Accept, Copy, Fetch, Message, Tried, TryPort
from citadels_lan.net.wire.tls import client_context

from .records import Records

PATIENCE = 3.0
"""Seconds for a connection to the successor."""
DECLINED = bytes(32)

Job: TypeAlias = Callable[[], Awaitable[Message | None]]
"""Work with the network or the disk, and the message that comes of it."""


class OwnLog(Struct, frozen=True):
    """The successor's view of the game: its key, and how far its log is."""

    game: bytes
    identity: Identity
    n: int
    head: bytes


class Heir(Protocol):
    """A program that can host the game of this client."""

    async def prepare(self, copy: bytes, own: OwnLog) -> Accept:
        """Check the journal and store it. Raises Refusal: why this program declines."""

    def keep(self, delta: Delta, own: OwnLog) -> bool:
        """Store an entry that the host has signed if it hands the game over to this program. Return True then.
        Raises OSError."""

    async def serve(self) -> Address:
        """Serve the game that was handed over; where this program reaches it. Raises Refusal, OSError."""

    def drop(self) -> None:
        """The game is not handed over."""


MakeHeir: TypeAlias = Callable[[], Heir]
"""Gives the heir when the first game is handed to it: most programs never load a host's side."""


class Succession:
    """The handovers as one client sees them. `jobs` is work that the session has to do; `known` is where the next
    host may be; `make_heir` is None if this program cannot host."""

    def __init__(self, records: Records, ask: Callable[[Message], None]) -> None:
        self.make_heir: MakeHeir | None = None
        self.jobs: list[Job] = []
        self.known: list[Address] = []
        self._records = records
        self._ask = ask
        self._copy = bytearray()
        records.keep_handover = self._keep

    def hear(self, message: Copy | TryPort, host: Address | None) -> None:
        """The host says something about a handover; `host` is where it is reached. Raises Malformed."""
        if isinstance(message, TryPort):
            self.jobs.append(partial(self._try, message, host))
        elif self.make_heir is None:
            self._ask(Tried(DECLINED, "cannot_host"))
        elif message.size == 0:
            self.make_heir().drop()
        else:
            self._copy[message.at :] = b"".join(message.pieces)
            if len(self._copy) < message.size:
                self._ask(Fetch(len(self._copy)))
            else:
                copy, self._copy = bytes(self._copy), bytearray()
                self.jobs.append(partial(self._prepare, self.make_heir(), copy))

    async def _prepare(self, heir: Heir, copy: bytes) -> Message:
        try:
            return await heir.prepare(copy, self._own())
        except Refusal as reason:
            return Tried(DECLINED, reason.code)

    def _keep(self, delta: Delta) -> None:
        """Raises OSError."""
        if tuple(delta.public[1:2]) == (Handover.__struct_config__.tag,) and self.make_heir is not None:
            heir = self.make_heir()
            if heir.keep(delta, self._own()):
                self.jobs.append(partial(self._serve, heir))

    async def _serve(self, heir: Heir) -> None:
        self.known.append(await heir.serve())

    async def _try(self, probe: TryPort, host: Address | None) -> Message:
        """Connect to the successor."""
        try:
            address = (elsewhere(probe.address, host), probe.port)
            link = await connect(*address, client_context(), PATIENCE)
        except (Refusal, Malformed, OSError) as reason:
            return Tried(probe.fp, reason.code if isinstance(reason, Refusal) else "unreachable")
        link.abort("left")
        if link.fp != probe.fp:
            return Tried(probe.fp, "other_host")
        self.known.append(address)
        return Tried(probe.fp, "")

    def _own(self) -> OwnLog:
        records = self._records
        return OwnLog(records.game.id, records.identity, records.n, records.head)


def elsewhere(address: str, host: Address | None) -> str:
    """An address that the host has named, for this machine: loopback is the host's computer."""
    try:
        loopback = ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        raise Malformed("no address") from None
    return host[0] if loopback and host is not None else address
