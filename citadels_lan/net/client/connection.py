"""The way to a table: where its host may be, the link to it while there is one, and the client at its end.

A session opens a connection, follows it to its end, and may open it again. What has come stays in the client.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import RULES
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.admission import give_code
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Versions
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import Welcome
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import client_context

from .client import Client
from .forks import Fork
from .gossip import Gossip
from .newcomer import Newcomer
from .records import GameIdentity, Records

log = logging.getLogger(__name__)

Address: TypeAlias = tuple[str, int]
Locate: TypeAlias = Callable[[bytes], Awaitable[Sequence[Address]]]
"""Where a game may be now, by its id: asked when the host is not where it was. Its failure ends nothing."""

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
        "host_failed",
        "recovering",
        "not_citadels",
    }
)
"""Reasons after which it is worth to try again."""
STOPPED: Final = ("closing", "host_failed")
"""Those of a host that has gone: a lobby is gone with it, a game may come back from its journal."""
ELSEWHERE: Final = PASSING | {"other_host", "malformed"}
"""Reasons after which the host may still be found at another of its addresses."""
ACK_AFTER: Final = 0.02
"""Seconds until entries are judged and acknowledged: nobody waits for that, and one acknowledgement is enough for
several."""
ACK_OF_SPECTATOR: Final = 1.0
"""The same for a spectator: they are many, and the host has to read what each of them says."""
FULL: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""
MOST: Final = 8
"""So many addresses are tried at most; what is announced may be anything."""


class Connection:
    """One newcomer's way to one table. `client` is there once a host has answered for the first time; `addresses`
    are where the host may be, first where it was last; `changed` is called whenever the client has something new
    to send or to tell."""

    def __init__(
        self,
        newcomer: Newcomer,
        addresses: Sequence[Address],
        timing: Timing,
        changed: Callable[[], None],
        *,
        locate: Locate | None = None,
        compare: bool = True,
    ) -> None:
        """`locate` finds a host that is not where it was; `compare`: compare heads with the other clients by
        multicast."""
        self.client: Client | None = None
        self.addresses = addresses
        self._newcomer = newcomer
        self._timing = timing
        self._changed = changed
        self._locate = locate
        self._compares = compare
        self._link: Link | None = None
        self._gossip: Gossip | None = None
        self._sealed = 0
        self._ack_at: float | None = None
        self._try_at: float | None = None
        self._full = FULL[0]
        self._pause = timing.retry[0]
        self._up_last = asyncio.get_running_loop().time()

    @property
    def up(self) -> bool:
        """Whether there is a link to the host."""
        return self._link is not None

    # From its beginning to its end

    async def pause(self) -> None:
        """Wait before opening again, longer each time, and ask where the host is now."""
        await asyncio.sleep(self._pause * random.uniform(0.8, 1.2))
        self._pause = min(self._pause * 2, self._timing.retry[1])
        if self._locate is None or self.client is None:
            return
        try:
            self.addresses = first_known(self.addresses, await self._locate(self.client.records.game.id))
        except Exception:  # the host may still answer where it was
            log.warning("the table could not be looked for", exc_info=True)

    async def open(self) -> None:
        """Connect at the first address where the host is; it is the first one the next time. Raises Refusal: what
        is worth to try again, if any of them said so."""
        reasons: list[Refusal] = []
        for address in tuple(self.addresses):
            try:
                await self._connect_to(address)
            except (Refusal, Malformed, OSError) as refusal:
                reason = refusal if isinstance(refusal, Refusal) else Refusal(code_of(refusal))
                if reason.code not in ELSEWHERE:
                    raise reason from None
                reasons.append(reason)
            else:
                self.addresses = tuple(dict.fromkeys((address, *self.addresses)))
                return
        raise next((reason for reason in reasons if reason.code in PASSING), reasons[0])

    def worth_trying(self, reason: Refusal, *, seated: bool) -> bool:
        """Whether to open the connection again, which has ended so. A game that has begun is not given up; a seat
        in a lobby is after a time without the host, a closed lobby at once."""
        client = self.client
        if client is None or client.closed or reason.code not in PASSING:
            return False
        if client.state is not None or client.records.n:
            return True
        silence = asyncio.get_running_loop().time() - self._up_last
        return seated and reason.code not in STOPPED and silence < self._timing.drop

    async def follow(self) -> AsyncIterator[Client]:
        """Give every frame to the client until the connection ends, and the client after each. Raises Refusal,
        Malformed, OSError, TimeoutError."""
        link, client = self._link, self.client
        assert link is not None
        assert client is not None
        while client.farewell is None:
            frame = await self._frame(link, client)
            if client.farewell is not None:
                break
            if frame is None:
                raise Refusal(link.closed_as or "lost")
            try:
                client.receive(frame)
                if client.farewell is not None or (client.behind and not link.more):
                    client.settle()  # the host waits for that, or there is no later
            finally:
                if not link.more or client.farewell is not None:
                    self._changed()
            yield client
            await self._compare(client, link)
        raise client.farewell

    async def _frame(self, link: Link, client: Client) -> Frame | None:
        """The next frame, as `Link.frame` has it. What came before is acknowledged meanwhile."""
        if client.full:
            return await self._frame_while_full(link, client)
        if client.owes_ack:
            patience = ACK_AFTER if client.records.player else ACK_OF_SPECTATOR
            now = asyncio.get_running_loop().time()
            self._ack_at = self._ack_at or now + patience
            with contextlib.suppress(TimeoutError):  # a frame that comes too slowly is found once more below
                return await link.frame(silence=self._ack_at - now)
            self._ack_at = None
            try:
                client.settle()
            finally:
                self._changed()
        return await link.frame(silence=3 * self._timing.ping)

    async def _frame_while_full(self, link: Link, client: Client) -> Frame | None:
        """The next frame; now and then the own disk is tried again, later each time."""
        now = asyncio.get_running_loop().time()
        self._try_at = self._try_at or now + self._full
        with contextlib.suppress(TimeoutError):
            return await link.frame(silence=max(self._try_at - now, 0.0))
        self._full, self._try_at = min(2 * self._full, FULL[1]), None
        client.try_again()
        self._changed()
        return await self._frame(link, client)

    def send(self, data: bytes) -> None:
        """Send frames; nothing while there is no link."""
        if self._link is not None:
            self._link.send(data)

    def flush(self) -> None:
        """Send what the client wants to send."""
        if self.client is not None:
            if self.client.out:
                self.send(b"".join(self.client.out))
            self.client.out.clear()

    def leave(self) -> None:
        """Say goodbye to the host. Raises what `Client.judge` raises."""
        if self._link is not None and self.client is not None:
            self.client.settle()
            self.flush()
            self._link.close("left")

    def abort(self, code: str) -> None:
        """End the link at once; whoever follows it finds it at its end."""
        if self._link is not None:
            self._link.abort(code)

    def drop(self, code: str) -> bool:
        """After the end: forget the link, and what was to be sent; whether there was one."""
        self.abort(code)
        link, self._link = self._link, None
        if self.client is not None:
            self.client.unsent()
        if link is None:
            return False
        self._up_last, self._pause = asyncio.get_running_loop().time(), self._timing.retry[0]
        return True

    async def close(self) -> None:
        """End the link once the last bytes are sent."""
        link, self._link = self._link, None
        if link is not None:
            await link.closed()

    def release(self) -> None:
        """Let go of the files and of the other clients."""
        if self._gossip is not None:
            self._gossip.close()
        if self.client is not None:
            self.client.records.close()

    # The handshake

    async def _connect_to(self, address: Address) -> None:
        link = await connect(*address, client_context(), self._timing.handshake)
        try:
            async with asyncio.timeout(self._timing.handshake):
                await self._shake_hands(link)
        except BaseException as error:
            link.abort("lost")
            if isinstance(error, TimeoutError):
                raise Refusal("too_slow") from None
            raise
        link.trust()
        self._link = link
        if self._gossip is not None:
            await self._gossip.attach(link.local)

    async def _shake_hands(self, link: Link) -> None:
        handshake = ClientHandshake(self._newcomer.identity, self._newcomer.profile, link.fp, Versions(RULES))
        link.send(handshake.hello)
        while (frame := await link.frame()) is not None:
            answer = handshake.receive(frame)
            if isinstance(answer, Challenge):
                # Given a code, a new session gives it even unasked: so nobody can talk it out of the host's proof.
                if answer.asks or (self._newcomer.secret is not None and self.client is None):
                    await give_code(link, handshake, self._newcomer.secret)
                records = self._records(answer, link.fp)
                link.send(handshake.join(records.n, records.head))
            elif isinstance(answer, Welcome):
                assert self.client is not None
                self.client.receive(frame)
                return
        raise Refusal("lost")

    def _records(self, challenge: Challenge, fp: bytes) -> Records:
        game = GameIdentity(challenge.game, RULES, fp, challenge.host)
        if self.client is None:
            who = self._newcomer
            records = Records(who.identity, game, who.transcripts, who.keys, who.profile)
            try:
                self.client = Client(records)
            except Mismatch as fault:
                reason = Refusal("entry", n=fault.n, reason=fault.code)
                reason.transcript = records.path
                raise reason from None
            finally:
                if self.client is None:
                    records.close()
        elif game != self.client.records.game:
            raise Refusal("other_host")
        return self.client.records

    # The other clients

    async def _compare(self, client: Client, link: Link) -> None:
        """Tell the other clients what the host has signed last, and listen to them."""
        comparer = client.comparer
        if not self._compares or comparer is None:
            return
        if self._gossip is None:
            self._gossip = Gossip(comparer, self._forked)
            await self._gossip.attach(link.local)
        if comparer.newest != self._sealed:
            self._sealed = comparer.newest
            self._gossip.tell()

    def _forked(self, fork: Fork) -> None:
        """Somebody else has another history, and the host has signed both."""
        if self.client is not None:
            self.client.forked(fork)
            self._changed()
        self.abort("two_histories")


def first_known(known: Sequence[Address], announced: Sequence[Address]) -> Sequence[Address]:
    """The addresses to try: those announced now, the one that worked last before all others if it is among them,
    and those of before."""
    worked = tuple(address for address in known[:1] if address in announced)
    return tuple(dict.fromkeys((*worked, *announced, *known)))[:MOST]


def code_of(fault: Malformed | OSError) -> str:
    """The reason that such an end of a connection gives."""
    return "malformed" if isinstance(fault, Malformed) else "no_answer"
