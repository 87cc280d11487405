"""How a session begins, comes back after a lost connection, and ends.

It follows the connection, passes on what the client has to send and to tell, and goes on until there is a reason
not to. A move is answered once it is in the log or has been refused, however often the connection breaks
meanwhile. Every other request is granted or refused, in the order of those of its kind, and is lost with the
connection.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TypeAlias

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.answers import NoiseMaker
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, failed, note
from citadels_lan.net.wire.messages import Granted, Message, Refused, SayInDraft
from citadels_lan.net.wire.timing import Timing

from .answers import Answers, Held, Replies
from .client import Client
from .connection import Connection, Locate
from .moves import Sent
from .newcomer import Newcomer
from .search import code_of
from .succession import Job, MakeHeir
from .updates import Connected, Disconnected, Ended, Update

Answered: TypeAlias = asyncio.Future[None]
"""Done when the host has answered; fails with Rejected."""


class Requests:
    """All of one session."""

    def __init__(self) -> None:
        self._move: tuple[Sent, Answered] | None = None
        self._asked: defaultdict[int, deque[Answered]] = defaultdict(deque)

    def move(self, sent: Sent, answered: Answered | None = None) -> Answered:
        """A move that has been sent."""
        if answered is None:
            answered = asyncio.get_running_loop().create_future()
        self._move = (sent, answered)
        return answered

    def ask(self, message: Message) -> Answered:
        """A request that has been sent."""
        answered: Answered = asyncio.get_running_loop().create_future()
        self._asked[message.type].append(answered)
        return answered

    def settle(self) -> None:
        """The log has gone on: the move may be in it."""
        if self._move is None or not self._move[0].settled:
            return
        (sent, answered), self._move = self._move, None
        _answer(answered, sent.refusal)

    def answer(self, answer: Granted | Refused) -> None:
        """The host has granted or refused a request; one that nobody made means nothing."""
        if asked := self._asked.get(answer.about):
            reason = Rejected(answer.code, **answer.details) if isinstance(answer, Refused) else None
            _answer(asked.popleft(), reason)

    def disconnected(self) -> None:
        """Nobody will answer a request any more; a move is sent again with the next connection."""
        self._lose(Rejected("lost"))

    def fail(self, reason: Rejected) -> None:
        """Nothing will be answered any more."""
        if self._move is not None:
            _answer(self._move[1], reason)
        self._lose(reason)

    def _lose(self, reason: Rejected) -> None:
        for asked in self._asked.values():
            for answered in asked:
                _answer(answered, reason)
        self._asked.clear()


def _answer(answered: Answered, reason: Rejected | None) -> None:
    if answered.done():  # whoever waited has been cancelled
        return
    if reason is None:
        answered.set_result(None)
    else:
        answered.set_exception(reason)


log = logging.getLogger(__name__)


class Life:
    """Of one session. `updates` has what there is to tell, and None at the end; `reason` says why it has ended
    for good, where it has. `requests` and `answers` are what somebody waits for."""

    def __init__(
        self,
        who: Newcomer,
        addresses: Sequence[Address],
        *,
        timing: Timing,
        fp: bytes,
        locate: Locate | None,
        report: Report,
        heir: MakeHeir | None = None,
    ) -> None:
        """See `Session.join`."""
        self.connection = Connection(who, addresses, timing, self.pass_on, fp=fp, locate=locate, tell=self._tell)
        self.reason: Refusal | None = None
        self.updates: asyncio.Queue[Update | None] = asyncio.Queue()
        self.requests = Requests()
        self.answers = Answers(self._give)
        self._replies = Replies(self._reply)
        self._timing = timing
        self._report = report
        self._joined: Answered = asyncio.get_running_loop().create_future()
        self._noise = NoiseMaker(self.connection.send, timing.noise)
        self._told = ""
        self._heir = heir
        self._working: list[asyncio.Task[None]] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def client(self) -> Client | None:
        """What is known of the table; None before a host has answered."""
        return self.connection.client

    async def begin(self) -> None:
        """Start, and wait for the lobby. Raises Refusal."""
        # kept: the session's own, until `stop` has awaited it.
        self._task = asyncio.get_running_loop().create_task(self._run())
        try:
            await asyncio.shield(self._joined)
        except BaseException as error:
            if isinstance(error, Refusal):
                error.transcript = error.transcript or (self.client.records.path if self.client else None)
            await self.stop()
            raise

    async def _run(self) -> None:
        """The life of a session, and its end whatever happens: nobody waits for one that is dead."""
        try:
            reason = await self._live()
        except Refusal as refusal:
            reason = refusal
        except Exception as fault:
            reason = failed(note(self._report, "a session failed", fault))
            self._disconnect(reason)
        self._end(reason)

    async def _live(self) -> Refusal:
        """Connect, follow, and connect again, until there is a reason not to; the reason."""
        while True:
            reason = await self._attempt()
            if self.client is not None:
                self.pass_on()
            self._disconnect(reason)
            if not self.connection.worth_trying(reason, seated=self._joined.done()):
                return reason
            if self.client is not None:
                self.client.trust.farewell = None  # of the last connection: the next is not over before it begins
            await self.connection.pause()

    async def _attempt(self) -> Refusal:
        """One connection, from its beginning to the reason for its end."""
        try:
            await self.connection.open()
            self._told = ""
            self.updates.put_nowait(Connected())
            if self.client is not None and self.client.closed and self.client.records.path is not None:
                self.updates.put_nowait(Ended(self.client.records.path))
            self.pass_on()
            async for client in self.connection.follow():
                if not self._joined.done() and client.company.lobby is not None:
                    self._joined.set_result(None)
        except Refusal as reason:
            return reason
        except (Malformed, OSError) as fault:
            return Refusal(code_of(fault))
        return Refusal("lost")

    def pass_on(self) -> None:
        """Send what is to be sent, tell what is to be told, and see whose questions are answered by it."""
        client, since = self.client, asyncio.get_running_loop().time()
        assert client is not None
        self.connection.flush()
        for update in client.updates:
            self.updates.put_nowait(update)
        client.updates.clear()
        for answer in client.answers:
            self.requests.answer(answer)
        client.answers.clear()
        self.requests.settle()
        if self._timing.sealed and client.question and self.connection.up:
            self.answers.asked(client.records.n, client.question, self._timing.sealed)
        else:
            self.answers.withdrawn()
        self._prepare_reply(client, since)
        self._do(client)
        if client.state is not None and client.seat is not None and not client.closed:
            self._noise.start()

    def _do(self, client: Client) -> None:
        """Begin what a handover asks of this client."""
        client.succession.make_heir = self._heir
        while client.succession.jobs:
            job = self._work(client, client.succession.jobs.pop(0))
            self._working.append(asyncio.get_running_loop().create_task(job))  # kept: cancelled with the session

    async def _work(self, client: Client, job: Job) -> None:
        try:
            answer = await job()
        except (Refusal, OSError) as reason:
            log.warning("a handover failed: %r", reason)
            return
        self.connection.know(*client.succession.known)
        client.succession.known.clear()
        if answer is not None:
            client.ask(answer)
            self.connection.flush()

    def _prepare_reply(self, client: Client, since: float) -> None:
        """Make the reply to a call, which goes when its time has come."""
        if client.asked is None or not self.connection.up:
            self._replies.withdrawn()
        elif not self._replies.holds(client.asked):
            self._replies.hold(client.reply(), since, self._timing.reply)

    def _reply(self, reply: SayInDraft) -> None:
        """Send a reply whose time has come."""
        client = self.client
        if client is not None and client.asked == reply.n and self.connection.up:
            client.ask(reply)
            self.connection.flush()

    def _give(self, held: Held) -> None:
        """Send an answer whose time has come."""
        client, answered = self.client, held.done or asyncio.get_running_loop().create_future()
        answered.add_done_callback(_retrieve)
        due = client is not None and self.connection.up and client.records.n == held.n and client.may_move
        if client is None or not due:
            if not answered.done():
                answered.set_exception(Rejected("stale"))
            return
        self.requests.move(client.move(held.action), answered)
        self.pass_on()

    def _tell(self, reason: Refusal) -> None:
        """A host answers that is not taken: the person hears why, once as long as there is no other."""
        if self._told != reason.code:
            self._told = reason.code
            self.updates.put_nowait(Disconnected(reason.code, dict(reason.details)))

    def _disconnect(self, reason: Refusal) -> None:
        """The connection has ended, and may come back."""
        if self.connection.drop(reason.code):
            self.updates.put_nowait(Disconnected(reason.code, dict(reason.details)))
        self.answers.withdrawn()
        self._replies.withdrawn()
        self._noise.stop()
        self.requests.disconnected()

    def _end(self, reason: Refusal) -> None:
        """The session is over; whoever waits for something hears it."""
        if self.reason is not None:
            return
        self.reason = reason
        self._replies.withdrawn()
        self._noise.stop()
        if not self._joined.done():
            self._joined.set_exception(reason)
        rejected = Rejected(reason.code, **reason.details)
        self.requests.fail(rejected)
        self.answers.fail(rejected)
        self.connection.release()
        for task in self._working:
            task.cancel()
        self.updates.put_nowait(None)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.connection.close()
        self._end(Refusal("left"))
        if self._joined.done() and not self._joined.cancelled():
            self._joined.exception()


def _retrieve(answered: Answered) -> None:
    """An answer that nobody chose has nobody who waits for it: its refusal is nobody's either."""
    if not answered.cancelled():
        answered.exception()
