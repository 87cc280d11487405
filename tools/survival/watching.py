"""A client that joins a table and acknowledges entries without checking them. It records when entries
arrived. Many such clients cost little, so the measured time is that of the host."""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.connection import ACK_OF_SPECTATOR
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions, give_code
from citadels_lan.net.join.join_code import Secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, client_context
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Bye,
    Message,
    Noise,
    Ping,
    Pong,
    Role,
    Welcome,
    decode,
    encode,
)  # fmt: skip

CONTEXT = client_context()


async def greeted(
    port: int, name: str, role: Role, local: str, identity: Identity
) -> tuple[Link, ClientHandshake]:
    """Open a connection from the address `local`, and exchange the first messages, up to the host's proof of
    its key. Raises Refusal, OSError."""
    _, link = await asyncio.get_running_loop().create_connection(
        lambda: Link(30), "127.0.0.1", port, ssl=CONTEXT, local_addr=(local, 0), server_hostname=""
    )
    handshake = ClientHandshake(identity, Profile(name, role), link.fp, Versions())
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        if isinstance(handshake.receive(frame), Challenge):
            return link, handshake
    raise Refusal("lost")


async def joined(
    port: int,
    code: str,
    name: str,
    role: Role = "spectator",
    local: str = "127.0.0.1",
    identity: Identity | None = None,
) -> Link:
    """Open a connection with a new identity, or the given one, and join. Raises Refusal, OSError."""
    link, handshake = await greeted(port, name, role, local, identity or Identity.create())
    try:
        if code:
            await give_code(link, handshake, Secret("code", code))
        link.send(handshake.join(0, bytes(32)))
        while (frame := await link.frame()) is not None:
            if isinstance(handshake.receive(frame), Welcome):
                link.trust()
                return link
    except BaseException:
        link.abort("lost")
        raise
    raise Refusal("lost")


def as_spectators_do() -> float:
    """Return a random delay before an acknowledgement, as real spectators use."""
    return random.uniform(*ACK_OF_SPECTATOR)


class Watcher:
    """Follows a table over a link. `came` has for each entry the time when it arrived, in seconds of the
    machine's monotonic clock. If a benchmark takes these times from the kernel (`noting`), it sets `now`."""

    def __init__(self, link: Link, patience: Callable[[], float] = as_spectators_do) -> None:
        """`patience` returns the seconds after which entries and noise are acknowledged."""
        self.link = link
        self.came: dict[int, float] = {}
        self.now: float | None = None
        self.farewell = ""
        self._patience = patience
        self._acknowledging = False

    async def follow(self) -> None:
        """Read until the connection ends."""
        with contextlib.suppress(OSError):
            while (frame := await self.link.frame()) is not None:
                if frame.type == ENTRY:
                    self.came[len(self.came) + 1] = self.now or time.monotonic()
                    self._acknowledge()
                else:
                    self._take(decode(frame, FROM_HOST))

    def _take(self, message: Message) -> None:
        match message:
            case Ping():
                self.link.send(encode(Pong(message.mark)))
            case Noise():
                self._acknowledge()
            case Bye():
                self.farewell = message.code
            case _:
                pass

    def _acknowledge(self) -> None:
        if not self._acknowledging:
            self._acknowledging = True
            asyncio.get_running_loop().call_later(self._patience(), self._send)

    def _send(self) -> None:
        self._acknowledging = False
        self.link.send(encode(Ack(len(self.came))))
