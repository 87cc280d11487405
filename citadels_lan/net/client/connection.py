"""The connection of a client to its table: the search for the host, the handshake and the link.

The client tries all possible addresses of the host side by side (like RFC 8305, "happy eyeballs"). An address
is only a hint: the program that answers there has to prove with its key and its certificate that it is the
host. The client reports the length of its log to the first host with a proof, and to no other program."""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Mismatch
from citadels_lan.net.client.records import GameIdentity, Records, alarmed
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.join.handshake import Challenge, ClientHandshake, Profile, Versions, give_code
from citadels_lan.net.join.join_code import Secret
from citadels_lan.net.wire.errors import Refusal, Report, no_report
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import Frame
from citadels_lan.net.wire.timing import Timing

from .client import Client
from .own_seat import COMMITTED

Locate: TypeAlias = Callable[[bytes], AsyncGenerator[Sequence[Address], None]]
"""A function that yields, for a game id, the addresses where its host may be. It yields again at each
announcement, and may fail."""
log = logging.getLogger(__name__)


class JoinRequest(Struct, frozen=True):
    """A player or spectator who wants to join a table. `transcripts` and `keys` are folders: of transcripts,
    and of the secrets for games. `secret` is the join code or token, or None.

    The client connects to the first of `addresses` that answers. `fp` is the fingerprint of the host's
    certificate, or b"" if it is not known. `locate` finds the host if its address has changed. `report`
    writes a file about a fault of this program."""

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


PASSING: Final = frozenset({
    "unreachable", "unknown_name", "no_answer", "lost", "too_slow", "crowded", "behind", "dropped", "flooding",
    "closing", "handed_over", "handing_over", "called_off", "host_failed", "older_host", "not_citadels",
})  # fmt: skip
"""Codes of failures after which a client tries to connect again."""
ELSEWHERE: Final = PASSING | {"other_host", "malformed"}
"""Codes of failures at one address after which another address may still lead to the host."""
MOST: Final = 16
"""Most addresses that are tried at once, because anyone can announce any address."""
APART: Final = 0.1
"""Seconds between the first attempts at two addresses. If the first address answers within that time, the
second one is not tried."""


class Greeted(Struct, frozen=True):
    """A connection to a host that has proved its key. The client has not joined it so far."""

    address: Address
    link: Link
    handshake: ClientHandshake
    challenge: Challenge


Greet: TypeAlias = Callable[[Address], Awaitable[Greeted]]
"""Connects to an address and has the host prove its key. Raises Refusal, Malformed, OSError."""


class Search:
    """A search for the host, until `close` is called. `at` adds addresses at any time, and `found` returns
    hosts that have answered. `reasons` has the last failure of each address."""

    def __init__(self, greet: Greet, pauses: tuple[float, float] | None = None) -> None:
        """`greet` connects to one address. `pauses`: seconds before an address is tried again, at first and
        at most. None: each address is tried once."""
        self.reasons: dict[Address, Refusal] = {}
        self._greet = greet
        self._pauses = pauses
        self._tasks: dict[Address, asyncio.Task[None]] = {}
        self._greeted: asyncio.Queue[Greeted | Refusal | None] = asyncio.Queue()

    def at(self, addresses: Sequence[Address], *, again: bool = True, later: float = 0.0) -> None:
        """Also try these addresses, in this order, beginning in `later` seconds. With `again` False, each is
        tried only once: an address that was announced will be announced again if its host exists."""
        loop = asyncio.get_running_loop()
        for count, address in enumerate(addresses):
            # A flood of announced addresses is not tried at once.
            if address not in self._tasks and len(self._tasks) < MOST:
                trying = self._try(address, later + APART * count, self._pauses if again else None)
                self._tasks[address] = loop.create_task(trying)  # kept: it raises nothing

    async def found(self) -> Greeted | None:
        """Wait for the next host that answers, and return it. Return None if each address is tried only once
        and all have failed. Raises Refusal if a host rejects this client for a reason that does not depend on
        the address."""
        while (greeted := await self._greeted.get()) is None:
            # A None only says that one address has failed.
            if not self._tasks and self._pauses is None:
                return None
        if isinstance(greeted, Refusal):
            raise greeted
        return greeted

    def close(self) -> None:
        """End the search, and close the links of hosts that `found` has not returned."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        # Hosts that answered too late get their links closed.
        while not self._greeted.empty():
            if isinstance(greeted := self._greeted.get_nowait(), Greeted):
                greeted.link.abort("lost")

    async def _try(self, address: Address, wait: float, pauses: tuple[float, float] | None) -> None:
        """Try one address after `wait` seconds, again and again until it answers. With `pauses` None, try it
        only once."""
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
            self._greeted.put_nowait(await self._greet(address))
        except (Refusal, Malformed, OSError) as fault:
            self.reasons[address] = reason = reason_of(fault)
            # A client that was at the table keeps searching in spite of such a reason.
            if self._pauses is None and reason.code not in ELSEWHERE:
                self._greeted.put_nowait(reason)
            return False
        return True


def reason_of(fault: Refusal | Malformed | OSError) -> Refusal:
    """Return the Refusal that stands for an error of a connection."""
    if isinstance(fault, Refusal):
        return fault
    return Refusal("malformed" if isinstance(fault, Malformed) else "no_answer")


ACK_AFTER: Final = 0.02
"""Seconds before a player's client acknowledges entries. One acknowledgement is then enough for several
entries."""
ACK_OF_SPECTATOR: Final = (0.5, 1.5)
"""Seconds before a spectator's client acknowledges entries, drawn at random between these two. The host has
to read the acknowledgements of many spectators; all at the same moment, they would delay the next entry."""
KEPT: Final = 8
"""Most addresses of a host that are kept. The one that worked last comes first."""
QUIET: Final = 3
"""Number of missing pings after which the client searches for the host, while it keeps the link. After twice
this number it drops the link."""
SLEPT: Final = 3.0
"""If the wall clock is this many seconds ahead of the time that the program has waited, the computer was
asleep."""
OLDER: Final = 2.0
"""Seconds before a client tries a host again that has fewer entries than the client: an older copy of the
game."""


@contextlib.asynccontextmanager
async def _handshaking(link: Link, seconds: float) -> AsyncIterator[None]:
    """Context for a handshake. If its body fails, the link is aborted. Raises Refusal: `too_slow` if the body
    takes longer than `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except BaseException as error:
        link.abort("lost")
        if isinstance(error, TimeoutError):
            raise Refusal("too_slow") from None
        raise


class Connection:
    """The connection of one client to one table, which a session opens, follows to its end, and may open
    again.

    `client` is None until a host has answered for the first time; later connections continue its log.
    `addresses` are the possible addresses of the host; the one that worked last comes first. `changed` is
    called after frames from the host, and `tell` with the reason why a host that answers is not accepted."""

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
        self._found: Greeted | None = None
        self._search: Search | None = None
        self._joined = False
        self._ack: asyncio.TimerHandle | None = None

    @property
    def up(self) -> bool:
        """Whether there is a link to the host."""
        return self._link is not None

    # Opening

    async def open(self) -> None:
        """Connect to the host at the first of its addresses that answers. A client that was at the table
        before searches until it finds the host. Raises the Refusal of one address, preferably one after which
        a later attempt may succeed."""
        async with self._searching() as search:
            while (greeted := self._take_found() or await search.found()) is not None:
                try:
                    await self._join(greeted)
                except (Refusal, Malformed, OSError) as fault:
                    self._rejected(search, greeted.address, reason_of(fault))
                else:
                    self._keep(greeted.address)
                    return
            reasons = list(search.reasons.values())
            raise next((reason for reason in reasons if reason.code in PASSING), reasons[0])

    def _rejected(self, search: Search, address: Address, reason: Refusal) -> None:
        """Handle a host that answers but rejects this client for `reason`. Raises Refusal if no other address
        of the host can help."""
        if self.client is not None:
            reason = self.client.trust.turned_away(reason)
            n = reason.details.get("n")
            # The host has fewer entries: an older copy of its journal, and no other history.
            if reason.code == "fork" and isinstance(n, int) and n < self.client.records.n:
                reason = Refusal("older_host")
        search.reasons[address] = reason
        if reason.code not in ELSEWHERE:
            raise reason
        if self._joined:
            older = reason.code == "older_host"
            if older:
                self._tell(reason)
            # The newer host may need a moment to start.
            search.at((address,), later=OLDER if older else self._timing.retry[1])

    @contextlib.asynccontextmanager
    async def _searching(self) -> AsyncIterator[Search]:
        """Context with a search at all known addresses. For a new client each address is tried once. For a
        client that was at the table before, the search has no end and includes addresses that `locate`
        yields."""
        search = Search(self._greet, self._timing.retry if self._joined else None)
        search.at(self.addresses)
        self._search = search
        task = asyncio.get_running_loop().create_task(self._locate(search))  # kept: it raises nothing
        try:
            yield search
        finally:
            task.cancel()
            self._search = None
            search.close()
            await asyncio.wait([task])

    async def _locate(self, search: Search) -> None:
        locate = self._request.locate
        while locate is not None and self._joined and self.client is not None:
            try:
                async with contextlib.aclosing(locate(self.client.records.game.id)) as located:
                    # An announced address is tried once: if the host is there, it is announced again.
                    async for addresses in located:
                        search.at(addresses, again=False)
            except Exception:  # the host may still answer where it was
                log.warning("the table could not be looked for", exc_info=True)
            await asyncio.sleep(self._timing.retry[1])

    def _take_found(self) -> Greeted | None:
        greeted, self._found = self._found, None
        return greeted

    def _keep(self, address: Address) -> None:
        self.addresses = tuple(dict.fromkeys((address, *self.addresses)))[:KEPT]

    def know(self, address: Address) -> None:
        """Add an address where the host may be, and try it in a search that is going on."""
        self._keep(address)
        if self._search is not None:
            self._search.at([address])

    # The handshake

    async def _greet(self, address: Address) -> Greeted:
        """Connect to an address, and let the host prove its key. Raises Refusal, Malformed, OSError."""
        request = self._request
        link = await connect(*address, self._timing.handshake)
        async with _handshaking(link, self._timing.handshake):
            # A client that was at the table checks the host against its files instead.
            if not self._joined and request.fp not in (b"", link.fp):
                raise Refusal("other_host")
            handshake = ClientHandshake(request.identity, request.profile, link.fp, Versions())
            link.send(handshake.hello)
            while (frame := await link.frame()) is not None:
                if isinstance(challenge := handshake.receive(frame), Challenge):
                    self._check(challenge)
                    return Greeted(address, link, handshake, challenge)
            raise Refusal("lost")

    async def _join(self, greeted: Greeted) -> None:
        """Join the table of a host that has proved its key: send this player's profile and the last entry of
        the log. Raises Refusal, Malformed, OSError."""
        link, handshake, challenge = greeted.link, greeted.handshake, greeted.challenge
        async with _handshaking(link, self._timing.handshake):
            # A new session that has a code gives it even if the host does not ask: so no one between them can hide
            # that the host has to prove that it knows the code.
            if challenge.asks or (self._request.secret is not None and self.client is None):
                await give_code(link, handshake, self._request.secret)
            client = self._taken_up(challenge)
            records = client.records
            link.send(handshake.join(records.n, records.head, records.said))
            if (frame := await link.frame()) is None:
                raise Refusal("lost")
            handshake.receive(frame)  # the host's welcome, or its reason
            client.receive(frame)
        self._joined = True
        link.trust()
        self._link, client.host = link, link.peer

    def _taken_up(self, challenge: Challenge) -> Client:
        """Return the client for the game in `challenge`: the one of the last connection if it is the same
        game, otherwise a new one with the files of an earlier run (see `Records`). Raises Refusal."""
        self._check(challenge)
        if self.client is not None and self.client.records.game.id == challenge.game:
            self.client.records.hosts = challenge.hosts
            return self.client
        if self.client is not None:  # the start of that game was called off
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
        """Check that `challenge` is from a host of the game at which this client was before. Raises Refusal:
        `other_host`."""
        if self.client is None:
            return
        records, game = self.client.records, _game_of(challenge)
        # After a start that was called off, this may be the next start of the same table.
        if records.n <= COMMITTED and (records.game.fp, records.game.host) == (game.fp, game.host):
            return
        if records.game != game or challenge.hosts.by_key(records.hosts_of_log.now.key) is None:
            raise Refusal("other_host")

    # Following

    async def follow(self) -> NoReturn:
        """Pass every frame to the client until the connection ends. Raises the reason: Refusal, Malformed,
        OSError or TimeoutError."""
        link, client = self._link, self.client
        assert link is not None
        assert client is not None
        while client.trust.farewell is None:
            frame = await self._frame(link)
            if client.trust.farewell is not None:
                break
            if frame is None:
                raise Refusal(link.closed_as or "lost")
            try:
                client.receive(frame)
                if client.trust.farewell is not None or (client.behind and not link.more):
                    client.settle()  # acknowledge now: the host waits for it, or the connection ends
            finally:
                # Frames that arrived together are shown together.
                if not link.more or client.trust.farewell is not None:
                    self._changed()
            # One timer serves all entries that come before it fires.
            if client.owes_ack and self._ack is None:
                wait = ACK_AFTER if client.records.player else random.uniform(*ACK_OF_SPECTATOR)
                self._ack = asyncio.get_running_loop().call_later(wait, self._acknowledge)
        raise client.trust.farewell

    def _acknowledge(self) -> None:
        self._ack = None
        if self.client is not None and self._link is not None:
            self.client.settle()
            self._changed()

    async def _frame(self, link: Link) -> Frame | None:
        """Return the next frame, None at the end of the stream. If the link is silent for too long, or this
        computer was asleep, search for the host at the same time. Raises what `_frame_or_host` raises."""
        step = self._timing.ping / 2
        for _ in range(2 * QUIET):
            before = time.time()
            try:
                return await link.frame(silence=step)
            except TimeoutError:
                # A laptop that slept sees a jump of the wall clock; its link is probably dead.
                if time.time() - before > step + SLEPT:
                    break
        return await self._frame_or_host(link)

    async def _frame_or_host(self, link: Link) -> Frame | None:
        """Wait for a frame of a silent link, and search for the host at the same time. Raises Refusal if the
        search finds the host first, and TimeoutError if the link stays silent."""
        loop = asyncio.get_running_loop()
        async with self._searching() as search:
            reading = loop.create_task(link.frame(silence=QUIET * self._timing.ping))  # kept: awaited below
            looking = loop.create_task(search.found())  # kept: awaited below
            try:
                await asyncio.wait((reading, looking), return_when=asyncio.FIRST_COMPLETED)
                # A link that speaks again is better than a new one.
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
        """Send encoded frames. Does nothing while there is no link."""
        if self._link is not None:
            self._link.send(data)

    def flush(self) -> None:
        """Send the frames in `client.out`."""
        if self.client is not None and self.client.out:
            self.send(b"".join(self.client.out))
            self.client.out.clear()

    # Ending

    def leave(self) -> None:
        """Send the host a goodbye and end the link."""
        if self._link is not None and self.client is not None:
            self.client.settle()
            self.flush()
            self._link.close("left")

    def abort(self, code: str) -> None:
        """End the link at once, for the reason `code`. `follow` then ends, too."""
        if self._link is not None:
            self._link.abort(code)

    def drop(self, code: str) -> bool:
        """Discard the link after its end, and the frames that were not sent. Return whether there was a
        link."""
        self.abort(code)
        link, self._link = self._link, None
        # Frames that were not sent are lost; the client decides what to send again.
        if self.client is not None:
            self.client.unsent()
        return link is not None

    async def close(self) -> None:
        """End the link after its last bytes are sent, and wait for that."""
        if (greeted := self._take_found()) is not None:
            greeted.link.abort("left")
        link, self._link = self._link, None
        if link is not None:
            await link.closed()


def _game_of(challenge: Challenge) -> GameIdentity:
    """Return the identity of the game: its id, and the fingerprint and key of its first host, which a
    handover does not change."""
    first = challenge.hosts.all[0]
    return GameIdentity(challenge.game, first.fp, first.key)
