"""The client's side of a handover, in which the host passes its game to another player's program, the
successor.

Before the handover each client tries to connect to the successor. The successor's client gives the host's
journal to its `Heir`, which can host games. The `Heir` stores the *handover* before the client's transcript
contains it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeAlias

from citadels_lan.crypto.log import Delta, Handover
from citadels_lan.net.client.records import Records
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.limits import is_loopback
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import fingerprint_at
from citadels_lan.net.wire.messages import Accept, Copy, Message, Tried, TryPort

from .client import Client
from .connection import Connection

PATIENCE = 3.0
"""Seconds that a client has for connecting to the successor."""
COPY = bytes(32)
"""The value of `fp` in a `Tried` message that is about the journal, not about a connection."""
log = logging.getLogger(__name__)


class Heir(Protocol):
    """The part of a program that takes a game over and hosts it. `keep` raises OSError; `prepare` and `serve`
    raise OSError and Refusal."""

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        """Check the host's journal `copy` against this player's files, store it, and open a port. Return the
        message that accepts."""

    def keep(self, delta: Delta, own: Records) -> bool:
        """Store the entry `delta`, a *handover* that the host has signed. Return whether this program is the
        successor."""

    async def serve(self) -> Address:
        """Begin to serve the game that was handed over. Return its address."""

    def drop(self) -> None:
        """Remove the copy of the journal, because the host keeps the game."""


MakeHeir: TypeAlias = Callable[[], Heir]
"""Returns this program's `Heir`. Called only when one is needed, because it loads the code of a host."""


class Succession:
    """The handovers of the game of one session. `make_heir` is None if this program cannot host. `pass_on` is
    called when the client has something to send, or the host another address."""

    def __init__(self, connection: Connection, make_heir: MakeHeir | None, pass_on: Callable[[], None]) -> None:
        self._connection = connection
        self._make_heir = make_heir
        self._pass_on = pass_on
        self._copy = bytearray()
        self._tasks: list[asyncio.Task[None]] = []

    def follow(self, client: Client) -> None:
        """Connect this object to a client: it receives the host's messages about handovers, and stores
        *handover* entries."""
        client.hear_handing = partial(self._hear, client)
        if self._make_heir is not None:
            client.records.keep_handover = partial(self._keep, client, self._make_heir)

    def stop(self) -> None:
        """Cancel everything that was begun for a handover."""
        for task in self._tasks:
            task.cancel()

    def _begin(self, client: Client, work: Awaitable[Message | Address]) -> None:
        # kept: cancelled with the session
        self._tasks.append(asyncio.get_running_loop().create_task(self._do(client, work)))

    async def _do(self, client: Client, work: Awaitable[Message | Address]) -> None:
        """Wait for `work`. If it returns a message, send that to the host; if it returns an address, the host
        is there from now on."""
        try:
            result = await work
        except (Refusal, OSError) as reason:
            log.warning("a handover failed: %r", reason)
            return
        if isinstance(result, Message):
            client.ask(result)
        else:
            self._connection.know(result)
        client.changed = True
        self._pass_on()

    def _hear(self, client: Client, message: Copy | TryPort) -> None:
        if isinstance(message, TryPort):
            self._begin(client, self._try(client, message))
        elif self._make_heir is None:
            client.ask(Tried(COPY, "cannot_host"))
        elif message.size == 0:
            self._make_heir().drop()
        else:
            self._copy[message.at :] = b"".join(message.pieces)
            if len(self._copy) < message.size:
                client.ask(Tried(COPY, ""))
            else:
                self._begin(client, self._prepare(self._make_heir(), bytes(self._copy), client.records))

    async def _try(self, client: Client, probe: TryPort) -> Message:
        """Try to connect to the successor as `probe` asks. Return the message with the result. A loopback or
        empty address means the host's computer."""
        at_host = not probe.address or is_loopback(probe.address)
        address = (client.host[0] if at_host and client.host is not None else probe.address, probe.port)
        fp = await fingerprint_at(*address, PATIENCE)
        if fp != probe.fp:
            return Tried(probe.fp, "other_host" if fp else "unreachable")
        self._connection.know(address)
        return Tried(probe.fp, "")

    async def _prepare(self, heir: Heir, copy: bytes, own: Records) -> Message:
        try:
            return await heir.prepare(copy, own)
        except Refusal as reason:
            return Tried(COPY, reason.code)

    def _keep(self, client: Client, make_heir: MakeHeir, delta: Delta) -> None:
        """If `delta` is a *handover*, store it. If it names this program, begin to serve the game. Raises
        OSError."""
        if tuple(delta.public[1:2]) == (Handover.__struct_config__.tag,):
            heir = make_heir()
            if heir.keep(delta, client.records):
                self._begin(client, heir.serve())
