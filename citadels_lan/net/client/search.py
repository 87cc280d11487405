"""A request to join a table, and the search for its host at all possible addresses, side by side (like RFC
8305, "happy eyeballs").

An address is only a hint: the program that answers there has to prove with its key and certificate that it
is the host. Only then does the client report the length of its log, and only to the first host with a
proof.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.join.door import Secret
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions
from citadels_lan.net.wire.errors import Refusal, Report, no_report
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.timing import Timing

Locate: TypeAlias = Callable[[bytes], AsyncGenerator[Sequence[Address], None]]
"""Where the host of a game may be now, again whenever something is heard of it. Its failure ends nothing."""


class JoinRequest(Struct, frozen=True):
    """A player or spectator who wants to join a table: profile and key, the folders of transcripts and of the keys
    of games, and the code (`secret`) if there is one.

    The host is at the first of the `addresses` that answers; `fp` is the fingerprint of its certificate where that
    is known; `locate` finds a host that is not where it was. `report` writes down faults of this program."""

    profile: Profile
    identity: Identity
    transcripts: Path
    keys: Path
    secret: Secret | None = None
    addresses: tuple[Address, ...] = ()
    fp: bytes = b""
    timing: Timing = Timing()
    locate: Locate | None = None
    report: Report = no_report

    def __repr__(self) -> str:
        return f"JoinRequest({self.profile.name})"


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
        """Return the next host that has answered; None once all addresses have failed, if each is tried only
        once. Raises Refusal if the host has a reason that is the same at all addresses."""
        while (greeted := await self._greeted.get()) is None:
            if not self._tasks and self._pauses is None:
                return None
        if isinstance(greeted, Refusal):
            raise greeted
        return greeted

    def close(self) -> None:
        """End the search, and all links that are not in use."""
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
    address: Address, request: JoinRequest, seconds: float, fp: bytes, check: Callable[[Challenge], None]
) -> Greeted:
    """Connect, and have the host prove its key, within these seconds. `fp` is the fingerprint of its certificate,
    empty where that is not known; `check` hears what the host says, and raises Refusal where
    it is not the right one. Raises Refusal, Malformed, OSError."""
    link = await connect(*address, seconds)
    try:
        async with asyncio.timeout(seconds):
            handshake, challenge = await _challenged(link, request, fp)
            check(challenge)
            return Greeted(address, link, handshake, challenge)
    except BaseException as error:
        link.abort("lost")
        if isinstance(error, TimeoutError):
            raise Refusal("too_slow") from None
        raise


async def _challenged(link: Link, request: JoinRequest, fp: bytes) -> tuple[ClientHandshake, Challenge]:
    if fp not in (b"", link.fp):
        raise Refusal("other_host")
    handshake = ClientHandshake(request.identity, request.profile, link.fp, Versions())
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        answer = handshake.receive(frame)
        if isinstance(answer, Challenge):
            return handshake, answer
    raise Refusal("lost")
