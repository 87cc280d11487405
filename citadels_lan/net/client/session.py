"""A seat at a table, or a spectator's connection, as screens, line mode, web guests and bots use it.

    session = await Session.join(address, data_dir=..., name="Anna")       # Refusal(code, details)
    async for update in session.updates(): ...                             # one reader; see `updates`
    session.table.choices                   # what this seat may do now, () if it has nothing to decide
    await session.act(action)               # returns once the move is in the log; Rejected(code, details)
    await session.leave()

The session gives this seat's part of the seed, acknowledges entries, writes the transcript, and reconnects
after a lost connection. A move that was sent when the connection was lost is in the log exactly once. `table`
is the present view of the table."""

import asyncio
import contextlib
import random
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Final, Self, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Action
from citadels_lan.net.client.client import PASS, Client
from citadels_lan.net.client.connection import PASSING, Connection, JoinRequest, Locate, reason_of
from citadels_lan.net.client.own_seat import Sent
from citadels_lan.net.client.succession import MakeHeir, Succession
from citadels_lan.net.client.updates import Connected, Disconnected, Ended, HeldAnswer, Status, TableView, Update
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.join.join_code import read_secret
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, failed, no_report, note
from citadels_lan.net.wire.timing import Timing
from citadels_lan.platform.process import TERMINAL_GONE


class NoiseMaker:
    """Sends noise frames at random times between `start` and `stop`, on average every `mean` seconds. If
    `mean` is 0, it sends none."""

    def __init__(self, send: Callable[[bytes], None], mean: float) -> None:
        self._send = send
        self._mean = mean
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start sending noise. Does nothing if that has started already."""
        if self._timer is None and self._mean:
            pause = random.expovariate(1 / self._mean)
            self._timer = asyncio.get_running_loop().call_later(pause, self._make)

    def stop(self) -> None:
        """Stop sending noise."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make(self) -> None:
        self._timer = None
        self._send(wire.encode(wire.Noise()))
        self.start()


SPREAD: Final = 0.1
"""The largest random addition to a waiting time, as a fraction of that time."""


def spread(patience: float) -> float:
    """Return `patience` (seconds) plus a random fraction of it."""
    return patience + random.SystemRandom().uniform(0, SPREAD * patience)


class Held(Struct, eq=False):
    """An answer about a sealed marker that is not sent at once, so that its time tells nothing. `n` is the
    entry after which the question came. `until` is when the answer is sent, in seconds of the event loop's
    clock. `timer` sends it; None: the answer could not be sent, and is kept until the same question comes
    again. `chosen`: the player has chosen it. `done` is the future that `Session.act` waits for."""

    n: int
    action: Action
    until: float = 0.0
    timer: asyncio.TimerHandle | None = None
    chosen: bool = False
    done: asyncio.Future[None] | None = None


class Answers:
    """Holds at most one answer, and sends it when its time has come. If an answer that the player has chosen
    could not be sent, it is kept."""

    def __init__(self, give: Callable[[Held], None]) -> None:
        self._give = give
        self._kept: Held | None = None

    @property
    def held(self) -> Held | None:
        """The answer that has a timer now; None if there is none."""
        return self._kept if self._kept is not None and self._kept.timer is not None else None

    def asked(self, n: int, verb: str, patience: float) -> None:
        """Start the timer for the answer to a question after entry `n`. `verb` determines the answer if the
        player chooses none. It is sent after `patience` seconds or a little more. A second call for the same
        entry changes nothing."""
        if self.held is not None and self.held.n == n:
            return
        self.withdrawn()
        if self._kept is not None and self._kept.n != n:
            self.fail(Rejected("stale"))
        loop, wait = asyncio.get_running_loop(), spread(patience)
        held = self._kept = self._kept or Held(n, PASS[verb])
        held.until, held.timer = loop.time() + wait, loop.call_later(wait, self._due)

    def choose(self, action: Action) -> asyncio.Future[None]:
        """Set the answer to `action`; this can be repeated before its time has come. Return a future that is
        done once the log contains the answer."""
        assert self.held is not None
        self.held.action, self.held.chosen = action, True
        if self.held.done is None or self.held.done.done():
            self.held.done = asyncio.get_running_loop().create_future()
        return self.held.done

    def withdrawn(self) -> None:
        """Stop the timer, because the question is gone or cannot be answered now. An answer that the player
        has chosen is kept until the question comes again."""
        if (held := self.held) is not None and held.timer is not None:
            held.timer.cancel()
            held.timer = None
            self._kept = held if held.chosen else None

    def fail(self, reason: Exception) -> None:
        """Drop the answer, and let the future of `choose` fail with `reason`: the session is over, or there
        is another question."""
        self.withdrawn()
        kept, self._kept = self._kept, None
        if kept is not None and kept.done is not None and not kept.done.done():
            kept.done.set_exception(reason)

    def _due(self) -> None:
        held, self._kept = self._kept, None
        if held is not None:
            self._give(held)


Answered: TypeAlias = asyncio.Future[None]
"""Done when the host has granted a request; fails with Rejected if the host rejects it."""


class Session:
    """One viewer's connection to one table: a seat or a spectator. Create it with `join`. Use all methods in
    a single event loop."""

    def __init__(self, request: JoinRequest, heir: MakeHeir | None = None) -> None:
        timing = request.timing
        self.table = TableView(addresses=request.addresses)
        """The table as it is now, at least as new as the last update."""
        self.identity = request.identity
        self.connection = Connection(request, self._pass_on, self._report)
        self._updates: asyncio.Queue[Update | None] = asyncio.Queue()
        self._sent_move: tuple[Sent, Answered] | None = None
        self._asked: defaultdict[int, deque[Answered]] = defaultdict(deque)
        self._answers = Answers(self._give)
        self._replying: tuple[int, asyncio.TimerHandle] | None = None
        self._noise = NoiseMaker(self.connection.send, timing.noise)
        self._succession = Succession(self.connection, heir, self._pass_on)
        self._request = request
        self._timing = timing
        self._joined: Answered = asyncio.get_running_loop().create_future()
        self._reason: Refusal | None = None
        self._reported = ""
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def join(
        cls,
        address: Address,
        *,
        data_dir: Path,
        name: str,
        out_dir: Path | None = None,
        role: wire.Role = "player",
        kind: SeatKind = SeatKind.PLAYER,
        timing: Timing | None = None,
        locate: Locate | None = None,
        code: str = "",
        report: Report = no_report,
        others: Sequence[Address] = (),
        fp: bytes = b"",
        heir: MakeHeir | None = None,
    ) -> Self:
        """Join a table at `address`, or at the first of the `others` that answers. Return when the lobby or
        the game is shown.

        `fp`: the fingerprint of the host's certificate, if it is known; hosts with another one are rejected.
        The player's key is in `data_dir/identity.key`, which is created if it does not exist; two sessions at
        one table need two keys. `out_dir`: the folder for transcripts, by default `data_dir/transcripts`.
        `code`: the join code as typed, or the token, or the whole link. `report` writes a file about a fault
        of this program. `kind`: whether a person or a bot plays. `heir` returns the object that takes the
        game over if the host hands it to this seat. Raises Refusal; its codes about the join code are
        `code_needed`, `wrong_code`, `too_many_tries`, `too_many_guesses` and `code_unasked`."""
        secret, clean = read_secret(code), clean_name(name)
        if not clean:
            raise Refusal("no_name")
        request = JoinRequest(
            Profile(clean, role, kind), own_identity(data_dir), out_dir or data_dir / "transcripts",
            data_dir / "games", secret, (address, *others), fp, timing or Timing(), locate, report,
        )  # fmt: skip
        session = cls(request, heir)
        await session.begin()
        return session

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    async def updates(self) -> AsyncIterator[Update]:
        """Yield the updates since the session joined, until it ends. Only one reader may do this."""
        while (update := await self._updates.get()) is not None:
            yield update

    @property
    def past(self) -> Sequence[Update]:
        """The updates from the part of the transcript that was written before this session. `updates`
        continues them."""
        client = self.connection.client
        return client.past if client else ()

    # Requests of the player

    async def act(self, action: Action) -> None:
        """Make a move. Return once it is in the log, even if the connection is lost in between. Raises
        Rejected."""
        client = self._connected()
        if self._answers.held is not None:
            answered = self._answers.choose(action)
            self._show(client)
            # The caller may be cancelled, but the chosen answer is still sent at its time.
            await asyncio.shield(answered)
            return
        move: Answered = asyncio.get_running_loop().create_future()
        self._sent_move = client.move(action), move
        self._pass_on()
        await move

    async def chat(self, text: str) -> None:
        """Send a line of chat to all players and spectators. Raises Rejected: `empty`, `too_fast`."""
        line = clean_chat(text)
        if not line:
            raise Rejected("empty")
        client = self._connected()
        client.ask(client.roster.line(line, int(time.time())))
        self._pass_on()

    async def ready(self, flag: bool = True) -> None:
        """Tell the host whether the player is ready (`flag`). Raises Rejected."""
        await self._ask(wire.Ready(flag))

    async def configure(self, settings: wire.Settings) -> None:
        """Change the settings of the table. Raises Rejected, for example for settings that the rules do not
        allow."""
        await self._ask(wire.Configure(settings))

    async def start(self) -> None:
        """Start the game. Raises Rejected: `owner_only`, `seats_free`, `not_ready`."""
        await self._ask(wire.Start())

    async def substitute(self, seat: int, level: str = "") -> None:
        """Let a bot of this level play for the absent player at `seat`; an empty level is the usual one of
        the table. Only the host's own player may do this. Raises Rejected."""
        await self._ask(wire.SubstituteFor(seat, level))

    async def hand_over(self) -> None:
        """Leave a game, and let a bot of the host play this seat from now on. Raises Rejected."""
        # The host answers with the end of the connection, so the client is needed afterwards.
        client = self._connected()
        try:
            await self.substitute(client.seat if client.seat is not None else 0)
        except Rejected:
            farewell = client.trust.farewell
            if farewell is None or farewell.code != "left":  # with this code the host grants it
                raise

    async def take_back(self) -> None:
        """End the play of a host's bot at this seat while this client is connected. Raises Rejected."""
        self._connected().take_back()
        self._pass_on()

    async def pause(self, paused: bool) -> None:
        """Begin a pause (`paused` True), or end it. Raises Rejected."""
        await self._ask(wire.Pause(paused))

    def end_game(self, agrees: bool = True) -> None:
        """Agree to end the game without a result, or withdraw the agreement (`agrees` False). The game ends
        once all connected players agree. Raises Rejected."""
        self._connected().end(agrees=agrees)
        self._pass_on()

    async def remove(self, seat: int) -> None:
        """Remove the player at `seat` from the lobby. Only the owner of the table may do this. Raises
        Rejected."""
        if seat < len(lobby := self.table.lobby):
            await self._ask(wire.Remove(lobby[seat].key))

    async def leave(self) -> None:
        """End the session. In the lobby this frees the seat; in a game the seat stays reserved for this key.
        If the program's terminal was closed, no goodbye is sent, so the seat stays reserved in the lobby,
        too."""
        # No one has decided to leave: only the terminal window is gone.
        if TERMINAL_GONE.is_set():
            self.connection.abort("lost")
        else:
            self.connection.leave()
        await self._shut_down()

    async def _ask(self, message: wire.Message) -> None:
        """Send a request, and wait until the host grants it. The host answers requests of one kind in order.
        A request is lost if the connection is lost. Raises Rejected."""
        self._connected().ask(message)
        answered: Answered = asyncio.get_running_loop().create_future()
        # The queue is filled before sending, so that no answer can come too early.
        self._asked[message.type].append(answered)
        self._pass_on()
        await answered

    def _connected(self) -> Client:
        """Return the client if there is a link to the host. Raises Rejected otherwise."""
        client = self.connection.client
        if client is None or not self.connection.up:
            raise Rejected("lost")
        return client

    # From the beginning to the end

    async def begin(self) -> None:
        """Connect, and wait until the host has sent the lobby. Raises Refusal."""
        # kept: the session's own, until `_shut_down` has awaited it.
        self._task = asyncio.get_running_loop().create_task(self._run_to_end())
        try:
            # A cancelled caller must not cancel the future, which the task still uses.
            await asyncio.shield(self._joined)
        except BaseException as error:
            client = self.connection.client
            if isinstance(error, Refusal) and client is not None:
                error.transcript = error.transcript or client.records.path
            await self._shut_down()
            raise

    async def _run_to_end(self) -> None:
        """Run the session until it ends. A fault of this program ends it, too."""
        try:
            reason = await self._follow()
        except Refusal as refusal:
            reason = refusal
        except Exception as fault:
            reason = failed(note(self._request.report, "a session failed", fault))
            self._disconnect(reason)
        self._end(reason)

    async def _follow(self) -> Refusal:
        """Connect, receive, and reconnect until there is a reason to end the session. Return that reason."""
        while True:
            try:
                await self._connect()
                await self.connection.follow()
            except (Refusal, Malformed, OSError) as fault:
                reason = reason_of(fault)
            client = self.connection.client
            if client is not None:
                self._pass_on()
            self._disconnect(reason)
            if client is None or client.closed or not self._joined.done() or reason.code not in PASSING:
                return reason
            client.trust.farewell = None  # the reason ended the last connection only
            # A random pause, so that all clients do not reconnect at the same moment.
            await asyncio.sleep(self._timing.retry[0] * random.uniform(0.8, 1.2))

    async def _connect(self) -> None:
        await self.connection.open()
        client = self.connection.client
        assert client is not None
        client.changed, self._reported = True, ""
        self._succession.follow(client)
        self._updates.put_nowait(Connected())
        if client.closed and client.records.path is not None:
            self._updates.put_nowait(Ended(client.records.path))
        self._pass_on()

    def _pass_on(self) -> None:
        """Send the frames in `client.out`, pass its updates to the reader, and complete the requests that the
        host has answered."""
        client, since = self.connection.client, asyncio.get_running_loop().time()
        assert client is not None
        self.connection.flush()
        # Most frames change nothing that is shown.
        if not client.changed:
            return
        client.changed = False
        for update in client.updates:
            self._updates.put_nowait(update)
        client.updates.clear()
        for answer in client.answers:
            if asked := self._asked[answer.about]:  # an answer without a request means nothing
                refused = Rejected(answer.code, **answer.details) if isinstance(answer, wire.Refused) else None
                _answer(asked.popleft(), refused)
        client.answers.clear()
        if self._sent_move is not None and self._sent_move[0].settled:
            (sent, answered), self._sent_move = self._sent_move, None
            _answer(answered, sent.refusal)
        self._hold_back(client, since)
        if client.seat is not None and client.state is not None and not client.closed:
            self._noise.start()
        self._show(client)

    def _hold_back(self, client: Client, since: float) -> None:
        """Start the timers for answers about sealed markers, and for replies in a sealed draft, if this seat
        has to give one; stop timers whose question is gone. `since` is the time from which the delay of a
        reply counts."""
        up, verb = self.connection.up, client.question
        if up and self._timing.sealed and verb:
            self._answers.asked(client.records.n, verb, self._timing.sealed)
        elif self._answers.held is not None:
            self._answers.withdrawn()
        drafting = client.view.drafting
        if drafting is None:
            return
        asked = client.asked if up else None
        # The call has changed or the host is gone, so the prepared reply is of no use.
        if self._replying is not None and self._replying[0] != asked:
            self._cancel_reply()
        if asked is not None and self._replying is None:
            # The reply is made now, so the time at which it is sent does not depend on it.
            at = since + spread(self._timing.reply)
            timer = asyncio.get_running_loop().call_at(at, self._reply, drafting.reply())
            self._replying = asked, timer

    def _cancel_reply(self) -> None:
        if self._replying is not None:
            self._replying[1].cancel()
            self._replying = None

    def _show(self, client: Client | None) -> None:
        """Replace `table` with the present view. The first view with a lobby lets `begin` return."""
        reason, addresses, held = self._reason, self.connection.addresses, self._answers.held
        answer = None if held is None else HeldAnswer(held.until, held.action, held.chosen)
        if client is None:
            status: Status = "connecting" if reason is None else "lost"
            self.table = TableView(status=status, reason=reason, addresses=addresses)
            return
        self.table = client.table(addresses, up=self.connection.up, reason=reason, answer=answer)
        if client.roster.lobby is not None and not self._joined.done():
            self._joined.set_result(None)

    def _reply(self, reply: wire.SayInDraft) -> None:
        """Send a reply in a sealed draft after its delay."""
        client = self.connection.client
        if client is not None and client.asked == reply.n and self.connection.up:
            client.ask(reply)
            self.connection.flush()

    def _give(self, held: Held) -> None:
        """Send the answer `held` after its delay."""
        client, answered = self.connection.client, held.done or asyncio.get_running_loop().create_future()
        # If the player chose nothing, no code waits for the answer, and asyncio would report its exception.
        answered.add_done_callback(lambda done: done.cancelled() or done.exception())
        # The question may have gone while the answer waited.
        if client is not None and self.connection.up and client.records.n == held.n and client.may_move:
            self._sent_move = client.move(held.action), answered
            self._pass_on()
            return
        _answer(answered, Rejected("stale"))
        self._show(client)

    def _report(self, reason: Refusal) -> None:
        """Add an update with the reason why a host that answers is not accepted. Equal reasons in a row give
        one update."""
        if self._reported != reason.code:
            self._reported = reason.code
            self._updates.put_nowait(Disconnected(reason.code, dict(reason.details)))

    def _disconnect(self, reason: Refusal) -> None:
        """Handle the end of a connection. Requests that wait for an answer fail; a move that was not answered
        is sent again over the next connection."""
        if self.connection.drop(reason.code):
            self._updates.put_nowait(Disconnected(reason.code, dict(reason.details)))
        self._answers.withdrawn()
        self._silence()
        self._reject_requests(Rejected("lost"))
        self._show(self.connection.client)

    def _silence(self) -> None:
        self._cancel_reply()
        self._noise.stop()

    def _reject_requests(self, reason: Rejected) -> None:
        for asked in self._asked.values():
            for answered in asked:
                _answer(answered, reason)
        self._asked.clear()

    def _end(self, reason: Refusal) -> None:
        """End the session for `reason`: all requests that wait for an answer fail."""
        # The first reason stays: later ones are consequences.
        if self._reason is not None:
            return
        self._reason = reason
        self._silence()
        if not self._joined.done():
            self._joined.set_exception(reason)
        rejected = Rejected(reason.code, **reason.details)
        if self._sent_move is not None:
            _answer(self._sent_move[1], rejected)
        self._reject_requests(rejected)
        self._answers.fail(rejected)
        client = self.connection.client
        if client is not None:
            client.records.close()
        self._succession.stop()
        self._show(client)
        self._updates.put_nowait(None)

    async def _shut_down(self) -> None:
        """End the session, and wait until its last bytes are sent."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.connection.close()
        self._end(Refusal("left"))
        # Retrieving the exception keeps asyncio from reporting it.
        if not self._joined.cancelled():
            self._joined.exception()


def _answer(answered: Answered, reason: Rejected | None) -> None:
    if answered.done():  # the task that waited for it was cancelled
        return
    if reason is None:
        answered.set_result(None)
    else:
        answered.set_exception(reason)


def own_identity(data_dir: Path) -> Identity:
    """Return the identity in `data_dir/identity.key`, which is created if it does not exist. Raises Refusal:
    `bad_key`, `storage`."""
    try:
        return Identity.load_or_create(data_dir / "identity.key")
    except BadKey:
        raise Refusal("bad_key") from None
    except OSError:
        raise Refusal("storage", path=str(data_dir)) from None
