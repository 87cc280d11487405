"""The life of a session, which `session` is the outside of: its connection, what it sends by itself, its end."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import RULES
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.admission import give_code
from citadels_lan.net.join.door import Secret
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import Refused, Welcome
from citadels_lan.net.wire.noise import NoiseMaker
from citadels_lan.net.wire.reporting import Report, failed, no_report, note
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import client_context

from .answers import Answers, Held
from .client import Client
from .forks import Fork
from .gossip import Gossip
from .knowledge import Knowledge
from .moves import Sent
from .records import GameIdentity, Records
from .updates import Connected, Disconnected, Ended, LobbyChanged, Update

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
        "closing",
        "host_failed",
        "not_citadels",
    }
)
"""Reasons after which it is worth to try again."""
STOPPED: Final = ("closing", "host_failed")
"""Those of a host that has gone: a lobby is gone with it, a game may come back from its journal."""
ELSEWHERE: Final = PASSING | {"other_host", "malformed"}
"""Reasons after which the host may still be found at another of its addresses."""
MOST: Final = 8
"""So many addresses are tried at most; what is announced may be anything."""


class Connection(Knowledge):
    """A session at work. Everything here is for a single event loop."""

    def __init__(self, profile: Profile, identity: Identity, data_dir: Path, out_dir: Path | None) -> None:
        self._profile = profile
        self.identity = identity
        self._keys = data_dir / "games"
        self._folder = out_dir or data_dir / "transcripts"
        super().__init__()
        self._task: asyncio.Task[None] | None = None
        self._updates: asyncio.Queue[Update | None] = asyncio.Queue()
        self._moving: tuple[Sent, asyncio.Future[None]] | None = None
        self._asking: dict[int, asyncio.Future[None]] = {}
        self._joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.timing = Timing()
        self._answers = Answers(self._give)
        self._noise = NoiseMaker(self._send, 0.0)
        self._compares = False
        self._gossip: Gossip | None = None
        self._sealed = 0
        self.addresses: Sequence[Address] = ()
        self.report: Report = no_report
        self.locate: Locate | None = None
        self._secret: Secret | None = None

    @property
    def address(self) -> Address:
        """Where the host is, or was last."""
        return self.addresses[0]

    async def _run(self) -> None:
        """The life of a session, and its end whatever happens: nobody waits for one that is dead."""
        try:
            reason = await self._live()
        except Exception as fault:
            reason = failed(note(self.report, "a session failed", fault))
            self._disconnect(reason)
        self._end(reason)

    async def _live(self) -> Refusal:
        """Connect, follow, and connect again, until there is a reason not to; the reason."""
        loop = asyncio.get_running_loop()
        pause, longest = self.timing.retry
        heard = loop.time()
        while True:
            reason = await self._attempt()
            if self._link is not None:
                heard, pause = loop.time(), self.timing.retry[0]
            self._disconnect(reason)
            if not self._worth_trying(reason, loop.time() - heard):
                return reason
            self._forget_farewell()
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))
            pause = min(pause * 2, longest)
            await self._look_for_host()

    async def _attempt(self) -> Refusal:
        """One connection, from its beginning to the reason for its end."""
        try:
            await self._connect()
            await self._follow()
        except Refusal as reason:
            return reason
        except (Malformed, OSError) as fault:
            return Refusal(_said(fault))
        return Refusal("lost")

    def _worth_trying(self, reason: Refusal, silence: float) -> bool:
        """A game that has begun is not given up; a seat in a lobby is after a while, a closed lobby at once."""
        client = self._client
        if client is None or client.closed or reason.code not in PASSING:
            return False
        if client.state is not None or client.records.n:
            return True
        return self._joined.done() and reason.code not in STOPPED and silence < self.timing.drop

    def _forget_farewell(self) -> None:
        """A goodbye is that of one connection: the next one is not over before it begins."""
        if self._client is not None:
            self._client.farewell = None

    async def _look_for_host(self) -> None:
        if self.locate is not None and self._client is not None:
            try:
                self.addresses = first_known(self.addresses, await self.locate(self.game_id))
            except Exception:  # the host may still answer where it was
                log.warning("the table could not be looked for", exc_info=True)

    async def _connect(self) -> None:
        """Connect at the first address where the host is; it is the first one the next time. Raises Refusal: what
        is worth to try again, if any of them said so."""
        reasons: list[Refusal] = []
        for address in tuple(self.addresses):
            try:
                await self._connect_to(address)
            except (Refusal, Malformed, OSError) as refusal:
                reason = refusal if isinstance(refusal, Refusal) else Refusal(_said(refusal))
                if reason.code not in ELSEWHERE:
                    raise reason from None
                reasons.append(reason)
            else:
                self.addresses = tuple(dict.fromkeys((address, *self.addresses)))
                return
        raise next((reason for reason in reasons if reason.code in PASSING), reasons[0])

    async def _connect_to(self, address: Address) -> None:
        link = await connect(*address, client_context(), self.timing.handshake)
        try:
            async with asyncio.timeout(self.timing.handshake):
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
        handshake = ClientHandshake(self.identity, self._profile, link.fp, Versions(RULES))
        link.send(handshake.hello)
        while (frame := await link.frame()) is not None:
            answer = handshake.receive(frame)
            if isinstance(answer, Challenge):
                # Given a code, a new session gives it even unasked: so nobody can talk it out of the host's proof.
                if answer.asks or (self._secret is not None and self._client is None):
                    await give_code(link, handshake, self._secret)
                records = self._records(answer, link.fp)
                link.send(handshake.join(records.n, records.head))
            elif isinstance(answer, Welcome):
                assert self._client is not None
                self._client.receive(frame)
                return
        raise Refusal("lost")

    def _records(self, challenge: Challenge, fp: bytes) -> Records:
        game = GameIdentity(challenge.game, RULES, fp, challenge.host)
        if self._client is None:
            player = self._profile.role == "player"
            records = Records(self.identity, game, self._folder, self._keys, player)
            try:
                self._client = Client(records)
            except Mismatch as fault:
                reason = Refusal("entry", n=fault.n, reason=fault.code)
                reason.transcript = records.path
                raise reason from None
            finally:
                if self._client is None:
                    records.close()
        elif game != self._client.records.game:
            raise Refusal("other_host")
        return self._client.records

    async def _follow(self) -> None:
        """Take frames until the connection ends. Raises Refusal, Malformed, OSError, TimeoutError."""
        link, client = self._link, self._client
        assert link is not None
        assert client is not None
        self._updates.put_nowait(Connected())
        if client.closed and client.records.path is not None:
            self._updates.put_nowait(Ended(client.records.path))
        self._flush()
        while client.farewell is None:
            async with asyncio.timeout(3 * self.timing.ping):
                frame = await link.frame()
            if client.farewell is not None:
                break
            if frame is None:
                raise Refusal(link.closed_as or "lost")
            try:
                client.receive(frame)
            finally:
                if not link.more or client.farewell is not None:
                    client.settle()
                    self._flush()
            if not self._joined.done() and client.lobby is not None:
                self._joined.set_result(None)
            await self._compare(client, link)
        raise client.farewell

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
        if self._client is not None:
            self._client.forked(fork)
            self._flush()
        if self._link is not None:
            self._link.abort("two_histories")

    def _flush(self) -> None:
        """Send what is to be sent, tell what is to be told."""
        client = self._client
        assert client is not None
        if self._link is not None and client.out:
            self._link.send(b"".join(client.out))
        client.out.clear()
        for update in client.updates:
            self._updates.put_nowait(update)
            if isinstance(update, LobbyChanged):
                self._answer_all()
        client.updates.clear()
        for refused in client.refusals:
            self._answer(refused)
        client.refusals.clear()
        self._settle_move()
        if self.timing.sealed and client.question and self._link is not None:
            self._answers.asked(client.records.n, client.question, self.timing.sealed)
        else:
            self._answers.withdrawn()
        if client.state is not None and client.seat is not None and not client.closed:
            self._noise.start()

    def _send(self, data: bytes) -> None:
        if self._link is not None:
            self._link.send(data)

    def _answer_all(self) -> None:
        for future in self._asking.values():
            if not future.done():
                future.set_result(None)
        self._asking.clear()

    def _answer(self, refused: Refused) -> None:
        future = self._asking.pop(refused.about, None)
        if future is not None and not future.done():
            future.set_exception(Rejected(refused.code, **refused.details))

    def _settle_move(self) -> None:
        if self._moving is None or not self._moving[0].settled:
            return
        (sent, future), self._moving = self._moving, None
        if future.done():
            return
        if sent.refusal is not None:
            future.set_exception(sent.refusal)
        else:
            future.set_result(None)

    def _disconnect(self, reason: Refusal) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.abort(reason.code)
            self._updates.put_nowait(Disconnected(reason.code, dict(reason.details)))
        self._answers.withdrawn()
        self._noise.stop()
        if self._client is not None:
            self._client.out.clear()
        self._refuse_all(Rejected("lost"))

    def _refuse_all(self, reason: Rejected) -> None:
        for future in self._asking.values():
            if not future.done():
                future.set_exception(reason)
        self._asking.clear()

    def _end(self, reason: Refusal) -> None:
        """The session is over; whoever waits for something hears it."""
        if self._ended:
            return
        self._ended, self.reason = True, reason
        self._noise.stop()
        if not self._joined.done():
            self._joined.set_exception(reason)
        if self._moving is not None and not self._moving[1].done():
            self._moving[1].set_exception(Rejected(reason.code, **reason.details))
        self._refuse_all(Rejected(reason.code, **reason.details))
        self._answers.fail(Rejected(reason.code, **reason.details))
        if self._gossip is not None:
            self._gossip.close()
        if self._client is not None:
            self._client.records.close()
        self._updates.put_nowait(None)

    async def _stop(self) -> None:
        task, link = self._task, self._link
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if link is not None:
            await link.closed()
        self._link = None
        self._end(Refusal("left"))
        if self._joined.done() and not self._joined.cancelled():
            self._joined.exception()

    def _give(self, held: Held) -> None:
        """Send an answer whose time has come."""
        client, future = self._client, held.done or asyncio.get_running_loop().create_future()
        future.add_done_callback(_heard)
        if client is None or self._link is None or client.records.n != held.n or not client.may_move:
            if not future.done():
                future.set_exception(Rejected("stale"))
            return
        self._moving = (client.move(held.action), future)
        self._flush()


def first_known(known: Sequence[Address], announced: Sequence[Address]) -> Sequence[Address]:
    """The addresses to try: those announced now, the one that worked last before all others if it is among them,
    and those of before."""
    worked = tuple(one for one in known[:1] if one in announced)
    return tuple(dict.fromkeys((*worked, *announced, *known)))[:MOST]


def _said(fault: Malformed | OSError) -> str:
    return "malformed" if isinstance(fault, Malformed) else "no_answer"


def _heard(future: asyncio.Future[None]) -> None:
    """An answer that nobody chose has nobody who waits for it."""
    if not future.cancelled():
        future.exception()
