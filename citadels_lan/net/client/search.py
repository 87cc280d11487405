"""Looking for a host at all the addresses where it may be, side by side (like RFC 8305, "happy eyeballs").

An address is worth a try, and no more than that: what answers there has to prove with its key and certificate that
it is the host. Only then does the client say how far it is, and only to the first that has.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Versions
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.tls import client_context

from .newcomer import Newcomer

PASSING: Final = frozenset(
    {
        "unreachable",
        "no_answer",
        "lost",
        "too_slow",
        "crowded",
        "behind",
        "dropped",
        "flooding",
        "closing",
        "handed_over",
        "handing_over",
        "called_off",
        "host_failed",
        "older_host",
        "not_citadels",
    }
)
"""Reasons after which it is worth to try again."""
ELSEWHERE: Final = PASSING | {"other_host", "malformed"}
"""Reasons after which the host may still be found at another address."""
MOST: Final = 16
"""So many addresses are tried at once at most; what is announced may be anything."""
APART: Final = 0.1
"""Seconds by which the next address begins later: where the first one answers, the others are left in peace."""


class Greeted(Struct, frozen=True):
    """A host that has proved its key at the other end of a link, and waits for the client to join."""

    address: Address
    link: Link
    handshake: ClientHandshake
    challenge: Challenge


Greet: TypeAlias = Callable[[Address], Awaitable[Greeted]]
"""Connects to an address and has the host prove its key. Raises Refusal, Malformed, OSError."""


class Search:
    """A search that lasts until `close`. `at` adds addresses at any time; `found` gives who has answered."""

    def __init__(self, greet: Greet, pauses: tuple[float, float] | None = None) -> None:
        """`pauses`: seconds until an address is tried again, at first and at most; None: each is tried once."""
        self.reasons: dict[Address, Refusal] = {}
        self._greet = greet
        self._pauses = pauses
        self._tasks: dict[Address, asyncio.Task[None]] = {}
        self._greeted: asyncio.Queue[Greeted | Refusal | None] = asyncio.Queue()

    def at(self, addresses: Sequence[Address], *, again: bool = True, later: float = 0.0) -> None:
        """Try these, too, the first one first, `later` seconds from now. What is hearsay is not tried `again` by
        itself: if it is true, it will be heard again."""
        loop = asyncio.get_running_loop()
        for count, address in enumerate(addresses):
            if address not in self._tasks and len(self._tasks) < MOST:
                trying = self._try(address, later + APART * count, self._pauses if again else None)
                self._tasks[address] = loop.create_task(trying)  # kept: it raises nothing

    async def found(self) -> Greeted | None:
        """The next host that has answered. Where addresses are tried only once: None once all have failed. Raises
        Refusal there, as soon as the host has one that would be the same elsewhere."""
        while (greeted := await self._greeted.get()) is None:
            if not self._tasks and self._pauses is None:
                return None
        if isinstance(greeted, Refusal):
            raise greeted
        return greeted

    def close(self) -> None:
        """End it, and all links that nobody has taken."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        while not self._greeted.empty():
            if isinstance(greeted := self._greeted.get_nowait(), Greeted):
                greeted.link.abort("lost")

    async def _try(self, address: Address, wait: float, pauses: tuple[float, float] | None) -> None:
        """Try an address until it answers; there may be no second time."""
        try:
            await asyncio.sleep(wait)
            pause = pauses[0] if pauses else 0.0
            while not await self._answers(address):
                if pauses is None:
                    return
                await asyncio.sleep(pause)
                pause = min(2 * pause, pauses[1])
        finally:
            if self._tasks.get(address) is asyncio.current_task():
                del self._tasks[address]
            self._greeted.put_nowait(None)

    async def _answers(self, address: Address) -> bool:
        try:
            greeted = await self._greet(address)
        except (Refusal, Malformed, OSError) as refusal:
            reason = refusal if isinstance(refusal, Refusal) else Refusal(code_of(refusal))
            self.reasons[address] = reason
            if self._pauses is None and reason.code not in ELSEWHERE:
                self._greeted.put_nowait(reason)
            return False
        self._greeted.put_nowait(greeted)
        return True


def code_of(fault: Malformed | OSError) -> str:
    """The reason that such an end of a connection gives."""
    return "malformed" if isinstance(fault, Malformed) else "no_answer"


async def greet(
    address: Address, newcomer: Newcomer, seconds: float, fp: bytes, check: Callable[[Challenge], None]
) -> Greeted:
    """Connect, and have the host prove its key, within these seconds. `fp` is the fingerprint of its certificate,
    empty where that is not known; `check` hears what the host says, and raises Refusal where
    it is not the right one. Raises Refusal, Malformed, OSError."""
    link = await connect(*address, client_context(), seconds)
    try:
        async with asyncio.timeout(seconds):
            handshake, challenge = await _challenged(link, newcomer, fp)
            check(challenge)
            return Greeted(address, link, handshake, challenge)
    except BaseException as error:
        link.abort("lost")
        if isinstance(error, TimeoutError):
            raise Refusal("too_slow") from None
        raise


async def _challenged(link: Link, newcomer: Newcomer, fp: bytes) -> tuple[ClientHandshake, Challenge]:
    if fp not in (b"", link.fp):
        raise Refusal("other_host")
    handshake = ClientHandshake(newcomer.identity, newcomer.profile, link.fp, Versions())
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        answer = handshake.receive(frame)
        if isinstance(answer, Challenge):
            return handshake, answer
    raise Refusal("lost")
