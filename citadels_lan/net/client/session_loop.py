"""The loop of a session: it begins, comes back after a lost connection, and ends.

The loop follows the connection, sends the client's frames and passes its updates to the reader, until
there is a reason to stop. A move is answered once it is in the log or refused, however often the
connection breaks meanwhile. Any other request is granted or refused, in the order of those of its kind,
and is lost with the connection.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from collections.abc import Callable
from typing import TypeAlias

from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import Action
from citadels_lan.net.wire.errors import Refusal, Rejected, failed, note
from citadels_lan.net.wire.messages import Granted, Message, Refused, SayInDraft

from .answers import Answers, Held, NoiseMaker, Replies
from .client import Client
from .connection import Connection
from .search import JoinRequest, code_of
from .signing import Sent
from .succession import MakeHeir, Succession
from .updates import Connected, Disconnected, Ended, Update
from .view import Status, TableView

Answered: TypeAlias = asyncio.Future[None]
"""Done when the host has answered; fails with Rejected."""


class Requests:
    """The requests of one session that wait for an answer."""

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
        """The host has granted or refused a request. An answer without a request means nothing."""
        if asked := self._asked.get(answer.about):
            reason = Rejected(answer.code, **answer.details) if isinstance(answer, Refused) else None
            _answer(asked.popleft(), reason)

    def fail(self, reason: Rejected) -> None:
        """Nothing will be answered any more."""
        if self._move is not None:
            _answer(self._move[1], reason)
        self.lose(reason)

    def lose(self, reason: Rejected) -> None:
        """All requests fail, but a move: it is sent again with the next connection."""
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


class SessionLoop:
    """Keeps one session at its table. `updates` has the updates for the reader, and None at the end. `show`
    is called with each new view of the table. `requests` and `answers` are what the person waits for."""

    def __init__(
        self, request: JoinRequest, show: Callable[[TableView], None], heir: MakeHeir | None = None
    ) -> None:
        timing = request.timing
        self.connection = Connection(request, self.pass_on, self._tell)
        self.updates: asyncio.Queue[Update | None] = asyncio.Queue()
        self.requests = Requests()
        self.answers = Answers(self._give)
        self._request = request
        self._show_table = show
        self._reason: Refusal | None = None
        self._replies = Replies(self._reply)
        self._timing = timing
        self._joined: Answered = asyncio.get_running_loop().create_future()
        self._noise = NoiseMaker(self.connection.send, timing.noise) if timing.noise else None
        self._told = ""
        self._succession = Succession(self.connection, heir, self.pass_on)
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start, and wait for the lobby. Raises Refusal."""
        # kept: the session's own, until `stop` has awaited it.
        self._task = asyncio.get_running_loop().create_task(self._run())
        try:
            await asyncio.shield(self._joined)
        except BaseException as error:
            client = self.connection.client
            if isinstance(error, Refusal) and client is not None:
                error.transcript = error.transcript or client.records.path
            await self.stop()
            raise

    async def _run(self) -> None:
        """Run the session from its beginning to its end, which also comes after a fault of this program."""
        try:
            reason = await self._follow()
        except Refusal as refusal:
            reason = refusal
        except Exception as fault:
            reason = failed(note(self._request.report, "a session failed", fault))
            self._disconnect(reason)
        self._end(reason)

    async def _follow(self) -> Refusal:
        """Connect, follow, and connect again, until there is a reason to stop. Return the reason."""
        while True:
            try:
                await self._connect()
                await self.connection.follow()
            except Refusal as refusal:
                reason = refusal
            except (Malformed, OSError) as fault:
                reason = Refusal(code_of(fault))
            client = self.connection.client
            if client is not None:
                self.pass_on()
            self._disconnect(reason)
            if not self.connection.worth_trying(reason, seated=self._joined.done()):
                return reason
            if client is not None:
                client.trust.farewell = None  # of the last connection: the next is not over before it begins
            await self.connection.pause()

    async def _connect(self) -> None:
        await self.connection.open()
        client = self.connection.client
        assert client is not None
        client.changed, self._told = True, ""
        self._succession.follow(client)
        self.updates.put_nowait(Connected())
        if client.closed and client.records.path is not None:
            self.updates.put_nowait(Ended(client.records.path))
        self.pass_on()

    def pass_on(self) -> None:
        """Send the client's frames, pass its updates on, and answer the requests that they settle."""
        client, since = self.connection.client, asyncio.get_running_loop().time()
        assert client is not None
        self.connection.flush()
        if not client.changed:
            return
        client.changed = False
        for update in client.updates:
            self.updates.put_nowait(update)
        client.updates.clear()
        for answer in client.answers:
            self.requests.answer(answer)
        client.answers.clear()
        self.requests.settle()
        self._hold_back(client, since)
        if self._noise is not None and client.seat is not None and client.state is not None and not client.closed:
            self._noise.start()
        self._show(client)

    def _hold_back(self, client: Client, since: float) -> None:
        """Hold answers and replies about what is sealed until their time has come."""
        up = self.connection.up
        if up and self._timing.sealed and client.question:
            self.answers.asked(client.records.n, client.question, self._timing.sealed)
        elif self.answers.held is not None:
            self.answers.withdrawn()
        if client.view.drafting is None:
            return
        asked = client.asked if up else None
        if asked is None:
            self._replies.withdrawn()
        elif not self._replies.holds(asked):
            self._replies.hold(client.view.drafting.reply(), since, self._timing.reply)

    def _show(self, client: Client | None) -> None:
        """Make a new view of the table. The first one with a lobby ends `begin`."""
        connection, reason, addresses = self.connection, self._reason, self.connection.addresses
        if client is None:
            status: Status = "connecting" if reason is None else "lost"
            self._show_table(TableView(status=status, reason=reason, addresses=addresses))
            return
        self._show_table(client.table(addresses, up=connection.up, reason=reason, answer=self.answers.shown))
        if client.roster.lobby is not None and not self._joined.done():
            self._joined.set_result(None)

    def _reply(self, reply: SayInDraft) -> None:
        """Send a reply whose time has come."""
        client = self.connection.client
        if client is not None and client.asked == reply.n and self.connection.up:
            client.ask(reply)
            self.connection.flush()

    def choose(self, action: Action) -> Answered:
        """Choose the answer that waits for its time."""
        answered = self.answers.choose(action)
        self._show(self.connection.client)
        return answered

    def _give(self, held: Held) -> None:
        """Send an answer whose time has come."""
        client, answered = self.connection.client, held.done or asyncio.get_running_loop().create_future()
        answered.add_done_callback(_retrieve)
        due = client is not None and self.connection.up and client.records.n == held.n and client.may_move
        if client is None or not due:
            if not answered.done():
                answered.set_exception(Rejected("stale"))
            self._show(client)
            return
        self.requests.move(client.move(held.action), answered)
        self.pass_on()

    def _tell(self, reason: Refusal) -> None:
        """Tell the person why a host that answers is not accepted, once for each reason in a row."""
        if self._told != reason.code:
            self._told = reason.code
            self.updates.put_nowait(Disconnected(reason.code, dict(reason.details)))

    def _disconnect(self, reason: Refusal) -> None:
        """The connection has ended, and may come back."""
        if self.connection.drop(reason.code):
            self.updates.put_nowait(Disconnected(reason.code, dict(reason.details)))
        self.answers.withdrawn()
        self._replies.withdrawn()
        if self._noise is not None:
            self._noise.stop()
        self.requests.lose(Rejected("lost"))
        self._show(self.connection.client)

    def _end(self, reason: Refusal) -> None:
        """The session is over: all requests fail."""
        if self._reason is not None:
            return
        self._reason = reason
        self._replies.withdrawn()
        if self._noise is not None:
            self._noise.stop()
        if not self._joined.done():
            self._joined.set_exception(reason)
        rejected = Rejected(reason.code, **reason.details)
        self.requests.fail(rejected)
        self.answers.fail(rejected)
        client = self.connection.client
        if client is not None:
            client.records.close()
        self._succession.stop()
        self._show(client)
        self.updates.put_nowait(None)

    async def stop(self) -> None:
        """End the session, and wait for the last bytes."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.connection.close()
        self._end(Refusal("left"))
        if self._joined.done() and not self._joined.cancelled():
            self._joined.exception()


def _retrieve(answered: Answered) -> None:
    """Mark the exception of an answer as seen: if the player chose nothing, no code waits for it."""
    if not answered.cancelled():
        answered.exception()
