"""The connection to a table: the addresses of its host, the link to it, and the client at this end.

A session opens a connection, follows it to its end, and may open it again. The client keeps what it has
received.
"""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from typing import Final, NoReturn

from citadels_lan.crypto.log import Mismatch
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.join.handshake import Challenge, give_code
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import Welcome

from .client import Client
from .records import GameIdentity, Records, alarmed
from .search import ELSEWHERE, PASSING, Greeted, JoinRequest, Search, code_of, greet

ACK_AFTER: Final = 0.02
"""Seconds until entries are acknowledged: no one waits for that, and one acknowledgement is enough for several."""
ACK_OF_SPECTATOR: Final = (0.5, 1.5)
"""The same for a spectator, drawn by lot between these: they are many, the host has to read what each of them
says, and all at once they would stand before the next entry."""
FULL: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


def ack_after(*, player: bool) -> float:
    """Return the seconds until the next acknowledgement."""
    return ACK_AFTER if player else random.uniform(*ACK_OF_SPECTATOR)


log = logging.getLogger(__name__)

KEPT: Final = 8
"""So many addresses are kept of a host, the one that worked last first."""
QUIET: Final = 3
"""Pings that do not come, until the host is looked for anew beside the link; after as many again that is given
up."""
SLEPT: Final = 3.0
"""Seconds by which a clock on the wall goes ahead of this program when the machine has slept."""
OLDER: Final = 2.0
"""Seconds until a host is asked again that is behind what this client has seen."""


class Connection:
    """The connection of one client to one table. `client` is None before a host has answered for the first
    time. `addresses` are the possible addresses of the host, the last one first. `changed` is called after
    each frame from the host, `tell` with the reason why a host that answers is not accepted."""

    def __init__(
        self, request: JoinRequest, changed: Callable[[], None], tell: Callable[[Refusal], None] = lambda _: None
    ) -> None:
        self.client: Client | None = None
        self.addresses: tuple[Address, ...] = request.addresses
        self._request = request
        self._timing = request.timing
        self._changed = changed
        self._tell = tell
        self._link: Link | None = None
        self._pause = request.timing.retry[0]
        self._found: Greeted | None = None
        self._search: Search | None = None
        self._joined = False
        self._ack_at: float | None = None
        self._try_at: float | None = None
        self._full = FULL[0]

    @property
    def up(self) -> bool:
        """Whether there is a link to the host."""
        return self._link is not None

    # From its beginning to its end

    async def pause(self) -> None:
        """Wait before opening again, longer after each failure."""
        await asyncio.sleep(self._pause * random.uniform(0.8, 1.2))
        self._pause = min(self._pause * 2, self._timing.retry[1])

    async def open(self) -> None:
        """Connect to the host, at the first of its addresses that answers. A client that comes back looks for
        its host until it finds it. Raises Refusal; if one of the addresses gave a reason to try again,
        that reason."""
        async with self._searching() as search:
            while (greeted := self._take_found() or await search.found()) is not None:
                try:
                    await self._join(greeted)
                except (Refusal, Malformed, OSError) as refusal:
                    reason = refusal if isinstance(refusal, Refusal) else Refusal(code_of(refusal))
                    self._turned(search, greeted.address, reason)
                else:
                    self.addresses = tuple(dict.fromkeys((greeted.address, *self.addresses)))[:KEPT]
                    return
            reasons = list(search.reasons.values())
            raise next((reason for reason in reasons if reason.code in PASSING), reasons[0])

    def _turned(self, search: Search, address: Address, reason: Refusal) -> None:
        """The host itself has turned this client away. Raises the Refusal where that would be so elsewhere."""
        if self.client is not None:
            reason = self.client.trust.turned_away(reason)
        if reason.code == "fork" and self._is_ahead(reason):
            reason = Refusal("older_host")
        search.reasons[address] = reason
        if self.client is None or not self._joined:
            if reason.code not in ELSEWHERE:
                raise reason
        elif reason.code == "older_host":
            self._tell(reason)
            search.at((address,), later=OLDER)
        elif reason.code in ELSEWHERE:
            search.at((address,), later=self._timing.retry[1])
        else:
            raise reason

    def _is_ahead(self, reason: Refusal) -> bool:
        """Whether the host says that it has fewer entries than this client: it is an older copy of itself."""
        n = reason.details.get("n")
        return self.client is not None and isinstance(n, int) and n < self.client.records.n

    def worth_trying(self, reason: Refusal, *, seated: bool) -> bool:
        """Whether to open the connection again, which has ended so: who has a seat, or a place to watch from,
        looks for the host for as long as it stays."""
        client = self.client
        return client is not None and not client.closed and seated and reason.code in PASSING

    @contextlib.asynccontextmanager
    async def _searching(self) -> AsyncIterator[Search]:
        """A search at all known addresses: once for a new client, and without end for one that comes back,
        which also tries the addresses that it hears meanwhile."""
        search = Search(self._greet, self._timing.retry if self._joined else None)
        search.at(self.addresses)
        self._search = search
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._hear(search))  # kept: it raises nothing
        try:
            yield search
        finally:
            task.cancel()
            self._search = None
            search.close()
            await asyncio.wait([task])

    async def _hear(self, search: Search) -> None:
        """Try what is heard of the host that is looked for."""
        locate = self._request.locate
        while locate is not None and self._joined and self.client is not None:
            try:
                async with contextlib.aclosing(locate(self.client.records.game.id)) as heard:
                    async for addresses in heard:
                        search.at(addresses, again=False)
            except Exception:  # the host may still answer where it was
                log.warning("the table could not be looked for", exc_info=True)
            await asyncio.sleep(self._timing.retry[1])

    def _take_found(self) -> Greeted | None:
        greeted, self._found = self._found, None
        return greeted

    async def follow(self) -> NoReturn:
        """Give every frame to the client until the connection ends. Raises Refusal, Malformed, OSError,
        TimeoutError."""
        link, client = self._link, self.client
        assert link is not None
        assert client is not None
        while client.trust.farewell is None:
            frame = await self._frame(link, client)
            if client.trust.farewell is not None:
                break
            if frame is None:
                raise Refusal(link.closed_as or "lost")
            try:
                client.receive(frame)
                if client.trust.farewell is not None or (client.behind and not link.more):
                    client.settle()  # the host waits for that, or there is no later
            finally:
                if not link.more or client.trust.farewell is not None:
                    self._changed()
        raise client.trust.farewell

    async def _frame(self, link: Link, client: Client) -> Frame | None:
        """Return the next frame, as `Link.frame` does. Meanwhile acknowledge the frames before."""
        if client.notices.full:
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
        return await self._patiently(link)

    async def _while_full(self, link: Link, client: Client) -> Frame | None:
        """The next frame; now and then the own disk is tried again, later each time."""
        now = asyncio.get_running_loop().time()
        self._try_at = self._try_at or now + self._full
        with contextlib.suppress(TimeoutError):
            return await link.frame(silence=max(self._try_at - now, 0.0))
        self._full, self._try_at = min(2 * self._full, FULL[1]), None
        client.try_again()
        self._changed()
        return await self._frame(link, client)

    def know(self, there: Address) -> None:
        """The host may be at this address, too."""
        self.addresses = tuple(dict.fromkeys((there, *self.addresses)))[:KEPT]
        if self._search is not None:
            self._search.at([there])

    async def _patiently(self, link: Link) -> Frame | None:
        """The next frame. Where the host says nothing for too long, or this machine has slept, it is looked for
        meanwhile."""
        step = self._timing.ping / 2
        for _ in range(2 * QUIET):
            before = time.time()
            try:
                return await link.frame(silence=step)
            except TimeoutError:
                if time.time() - before > step + SLEPT:
                    break
        return await self._meanwhile(link)

    async def _meanwhile(self, link: Link) -> Frame | None:
        """Look for the host while a link is silent. Raises Refusal if another link to the host was found, and
        TimeoutError if the link stays silent."""
        loop = asyncio.get_running_loop()
        async with self._searching() as search:
            reading = loop.create_task(link.frame(silence=QUIET * self._timing.ping))  # kept: awaited below
            looking = loop.create_task(search.found())  # kept: awaited below
            try:
                await asyncio.wait((reading, looking), return_when=asyncio.FIRST_COMPLETED)
                if reading.done():
                    return await reading
                self._found = await looking
                raise Refusal("no_answer")
            finally:
                reading.cancel()
                looking.cancel()
                await asyncio.wait((reading, looking))
                if not looking.cancelled() and (late := looking.result()) not in (None, self._found):
                    late.link.abort("lost")

    def send(self, data: bytes) -> None:
        """Send frames; nothing while there is no link."""
        if self._link is not None:
            self._link.send(data)

    def flush(self) -> None:
        """Send what the client wants to send."""
        if self.client is not None and self.client.out:
            self.send(b"".join(self.client.out))
            self.client.out.clear()

    def leave(self) -> None:
        """Say goodbye to the host."""
        if self._link is not None and self.client is not None:
            self.client.settle()
            self.flush()
            self._link.close("left")

    def abort(self, code: str) -> None:
        """End the link at once. `follow` ends then, too."""
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
        self._pause = self._timing.retry[0]
        return True

    async def close(self) -> None:
        """End the link once the last bytes are sent."""
        if (greeted := self._take_found()) is not None:
            greeted.link.abort("left")
        link, self._link = self._link, None
        if link is not None:
            await link.closed()

    # The handshake

    async def _greet(self, address: Address) -> Greeted:
        """Connect, and have the host prove its key. Raises Refusal, Malformed, OSError."""
        fp = b"" if self._joined else self._request.fp  # who was there checks what its files say
        return await greet(address, self._request, self._timing.handshake, fp, self._check)

    async def _join(self, greeted: Greeted) -> None:
        """Tell the host who joins and how far the own log is. Raises Refusal, Malformed, OSError."""
        link = greeted.link
        try:
            async with asyncio.timeout(self._timing.handshake):
                await self._be_welcomed(greeted)
        except BaseException as error:
            link.abort("lost")
            if isinstance(error, TimeoutError):
                raise Refusal("too_slow") from None
            raise
        link.trust()
        self._link = link
        assert self.client is not None
        self.client.host = link.peer

    async def _be_welcomed(self, greeted: Greeted) -> None:
        link, handshake, challenge = greeted.link, greeted.handshake, greeted.challenge
        # Given a code, a new session gives it even unasked: so nobody can talk it out of the host's proof.
        if challenge.asks or (self._request.secret is not None and self.client is None):
            await give_code(link, handshake, self._request.secret)
        records = self._taken_up(challenge).records
        link.send(handshake.join(records.n, records.head, records.said))
        while (frame := await link.frame()) is not None:
            if isinstance(handshake.receive(frame), Welcome):
                assert self.client is not None
                self.client.receive(frame)
                self._joined = True
                return
        raise Refusal("lost")

    def _taken_up(self, challenge: Challenge) -> Client:
        """Return the client at that table, with the content of its files; see `Records`. Raises Refusal."""
        self._check(challenge)
        if self.client is not None and self.client.records.game.id == challenge.game:
            self.client.records.hosts = challenge.hosts
            return self.client
        if self.client is not None:  # its start was called off
            self.client.records.close()
            self.client = None
        request, game = self._request, _game_of(challenge)
        records = Records(request.identity, game, request.transcripts, request.keys, request.profile)
        records.hosts = challenge.hosts
        try:
            self.client = Client(records)
        except Mismatch as fault:
            raise alarmed(records.path, fault.n, fault.code) from None
        finally:
            if self.client is None:
                records.close()
        return self.client

    def _check(self, challenge: Challenge) -> None:
        """Whether the host is the one that this client was with, if with any. Raises Refusal: `other_host`."""
        client, game = self.client, _game_of(challenge)
        if client is None or client.begins_again(game):
            return
        if client.records.game != game or challenge.hosts.by_key(client.records.hosts_of_log.now.key) is None:
            raise Refusal("other_host")


def _game_of(challenge: Challenge) -> GameIdentity:
    """Return the game as its first entry names it, also under a later host."""
    return GameIdentity(challenge.game, challenge.first.fp, challenge.first.key)
