"""One viewer's side of a table, without sockets: frames in, updates and frames out.

It follows the log and believes nothing, keeps the viewer's state and transcript, answers for its part of the seed
and its shares in the rounds, signs moves, and keeps what is sealed to itself: which warrant is signed and which
threat has the flower is filled into the own view from key and log.
"""

from citadels_lan.crypto.audit import rest_of
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.faults import Gap, Mismatch
from citadels_lan.crypto.log import Beacons, Close, Move, Open, Seal, TableMove
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.engine import (
    Action,
    State,
    Unplayable,
    acting,
    edition_named,
)
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Beacon,
    Bye,
    LobbyNews,
    Message,
    Noise,
    Ping,
    Play,
    Pong,
    Presence,
    Refused,
    Resync,
    Said,
    Snapshot,
    Welcome,
    decode,
    encode,
)

from .forks import Comparer, Fork
from .moves import Sent, signed
from .own_view import after, beginning, with_own_secrets
from .records import Records
from .shares import cosigned, owed
from .snapshots import comparable, view_in
from .updates import Alarm, Away, CaughtUp, Chatted, Cosigned, Ended, Happened, LobbyChanged, Update, Waiting


class Client:
    """What one viewer knows of one table.

    `out` collects frames to send, `updates` what there is to tell, `refusals` what the host did not do; whoever
    runs the client empties them. `farewell` is set when the connection is of no more use. `past` is what happened
    in the transcript that was there already.
    """

    def __init__(self, records: Records) -> None:
        """Takes up whatever the transcript has already."""
        self.records = records
        self.lobby: LobbyNews | None = None
        self.away: tuple[int, ...] = ()
        self.awaited: tuple[int, ...] = ()
        self.out: list[bytes] = []
        self.updates: list[Update] = []
        self.refusals: list[Refused] = []
        self.sent: Sent | None = None
        self.farewell: Refusal | None = None
        self.cosigned: Cosigned | None = None
        self.comparer: Comparer | None = None
        self._head = records.head
        self._shared = 0
        self._state: State | None = None
        self._snapshot: Snapshot | None = None
        self._shown: State | None = None
        self._target = 0
        self._acked = 0
        self._noise = False
        self._asked = -1
        for step in records.steps:
            self._apply(step)
        records.steps = []
        self.past = tuple(update for update in self.updates if isinstance(update, Happened | Cosigned))
        self.updates.clear()

    # What is known

    @property
    def seat(self) -> int | None:
        """The own seat; None for spectators and before one has it."""
        if self.records.client_log is not None:
            return self.records.seat
        return self.lobby.seat if self.lobby else None

    @property
    def state(self) -> State | None:
        """What the viewer may know; while the log is catching up, the host's snapshot."""
        return self._shown or self._state

    @property
    def behind(self) -> bool:
        """Whether the log has not yet reached where the host was when this connection began."""
        return self.records.n < self._target

    @property
    def closed(self) -> bool:
        """Whether the last entry is there."""
        client_log = self.records.client_log
        return client_log is not None and client_log.audit.secret is not None

    @property
    def may_move(self) -> bool:
        """Whether this seat has to decide now and nothing it decided is on its way."""
        client_log, state = self.records.client_log, self._state
        if client_log is None or state is None or self.behind or self.records.seat is None:
            return False
        pending = self.sent is not None and not self.sent.settled
        return not pending and client_log.audit.expects(Move) and self.records.seat in acting(state)

    @property
    def question(self) -> str:
        """The verb of the question about a sealed marker that this seat has to answer now, or empty."""
        steps = self._state.steps if self._state is not None and self.may_move else []
        return steps[-1].verb if steps and steps[-1].verb in ("confiscate", "reveal") else ""

    # What the person does

    def move(self, action: Action) -> Sent:
        """Sign a move and put it into `out`. Raises Rejected."""
        if self.behind:
            raise Rejected("catching_up")
        client_log = self.records.client_log
        if client_log is None or self.records.seat is None or not self.may_move:
            raise Rejected("not_your_turn")
        self.sent = signed(self.records, client_log, self.records.seat, str(action))
        self.out.append(encode(self.sent.play))
        return self.sent

    def ask(self, message: Message) -> None:
        """Put a message into `out`."""
        self.out.append(encode(message))

    # What comes in

    def receive(self, frame: Frame) -> None:
        """Take a frame of a joined connection. Raises Malformed, or Refusal: `storage`, `entry`, and for
        an edition that this program does not know. Only these are
        the host's doing or the disk's; any other error is a mistake of this program."""
        if frame.type == ENTRY:
            self._entry(frame.body)
            return
        match decode(frame, FROM_HOST):
            case Ping() as ping:
                self._ping(ping)
            case Noise():
                self._noise = True
            case Welcome() as welcome:
                self._welcome(welcome)
            case LobbyNews() as news:
                self._lobby(news)
            case Presence() as presence:
                self._presence(presence)
            case Said() as said:
                self.updates.append(Chatted(said.seat, said.name, said.text))
            case Refused() as refused:
                self._refused(refused)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case Bye() as bye:
                self.farewell = Refusal(bye.code, **bye.details)
            case _:
                raise Malformed("not a message to a joined client")

    @property
    def owes_ack(self) -> bool:
        """Whether `settle` has anything to acknowledge."""
        return self._noise or self.records.n > self._acked

    def settle(self) -> None:
        """Some time after frames: acknowledge what is in the transcript, and noise just like it."""
        if self.owes_ack:
            self._acked, self._noise = self.records.n, False
            self.ask(Ack(self._acked))

    def _ping(self, ping: Ping) -> None:
        self.ask(Pong(ping.mark))
        if ping.n > self.records.n and not self.behind:
            self._resync()

    def _resync(self) -> None:
        """Ask for the entries that are missing; the host takes that for an acknowledgement of all before."""
        self._acked = self.records.n
        self.ask(Resync(self.records.n, self.records.head))

    def _welcome(self, welcome: Welcome) -> None:
        self._target = welcome.n
        self._acked = self.records.n
        self._asked = -1
        self._snapshot = self._shown = None
        self._owe()
        self._send_again()

    def _send_again(self) -> None:
        """A move that was on its way when the connection broke: the host knows whether it has it."""
        if self.sent is None or self.sent.settled or self.behind:
            return
        if self.sent.play.n == self.records.n + 1:
            self.out.append(encode(self.sent.play))
        else:
            self.sent.refusal = Rejected("stale")

    def _lobby(self, news: LobbyNews) -> None:
        if news.seat is not None and news.seat >= len(news.seats):
            raise Malformed("a seat that is not there")
        config = news.settings.config
        try:
            edition_named(config.edition, config.options)
        except Unplayable as reason:  # a newer program may know it
            raise Refusal(reason.code, **reason.details) from None
        self.lobby = news
        self.updates.append(LobbyChanged())

    def _presence(self, presence: Presence) -> None:
        if self.lobby is None or max((*presence.away, *presence.waiting), default=-1) >= len(self.lobby.seats):
            raise Malformed("a seat that is not there")
        for seat in sorted(set(presence.away) ^ set(self.away)):
            self.updates.append(Away(seat, seat in presence.away))
        if presence.waiting != self.awaited:
            self.updates.append(Waiting())
        self.away, self.awaited = presence.away, presence.waiting

    def _refused(self, refused: Refused) -> None:
        sent = self.sent
        if refused.about != Play.type:
            self.refusals.append(refused)
        elif sent is not None and not sent.settled and refused.n == sent.play.n:
            sent.refusal = Rejected(refused.code, **refused.details)
            self.updates.append(Waiting())

    # The log

    def _entry(self, body: bytes) -> None:
        try:
            step = self.records.receive(body)
            self._apply(step)
        except Gap as gap:
            if gap.got > gap.expected and self._asked != self.records.n:
                self._asked = self.records.n
                self._resync()
            return
        except (Mismatch, Malformed) as fault:
            reason = fault.code if isinstance(fault, Mismatch) else "malformed"
            self._alarm(reason)
        else:
            if not self.behind:
                self._arrived()

    def _alarm(self, reason: str) -> None:
        details: dict[str, str | int] = {"n": self.records.n + 1, "reason": reason}
        self.updates.append(Alarm("entry", details))
        self.farewell = Refusal("entry", **details)
        raise self.farewell

    def _apply(self, step: LogStep) -> None:
        entry = step.entry
        seat, line = None, None
        if isinstance(entry, Open):
            self._state = beginning(entry, self.records.seat)
            self.comparer = Comparer(entry.header, self.records.seat, self.records.identity)
        self._note_head(step)
        if isinstance(entry, Move):
            seat, line = entry.seat, self._line(step.n, entry)
        client_log = self.records.client_log
        assert client_log is not None
        if isinstance(entry, Beacons):
            sent = self._shared == step.n - 1
            self.cosigned = cosigned(self.records, client_log, step.n, entry, sent=sent)
            self.updates.append(self.cosigned)
        if isinstance(entry, Move | TableMove):
            assert self._state is not None
            events = with_own_secrets(self.records, client_log, step.events)
            self._state = after(self._state, events, step.n)
            openings = entry.openings if isinstance(entry, Move) else ()
            self.updates.append(Happened(step.n, seat, line, events, openings))
        elif self._state is not None and not self.closed:
            self.updates.append(Waiting())  # after a seal the next may move
        if self.closed:
            self.records.finish()
            if self.records.path is not None:
                self.updates.append(Ended(self.records.path))

    def _note_head(self, step: LogStep) -> None:
        """What the host has signed is compared with what it signed for others."""
        before, self._head = self._head, step.head
        if self.comparer is None:
            return
        self.comparer.entry(step.n, step.head)
        if isinstance(step.entry, Seal | Close):
            fork = self.comparer.sealed(SignedHead(step.n - 1, before, rest_of(step.entry), step.entry.host))
            if fork is not None:
                self.forked(fork)

    def forked(self, fork: Fork) -> None:
        """The host has signed another history for somebody else: keep the proof, raise the alarm, and go."""
        if self.farewell is not None:
            return
        header = self.records.client_log.audit.table if self.records.client_log is not None else None
        details: dict[str, str | int] = {
            "n": fork.n,
            "name": "-" if fork.seat is None or header is None else header.players[fork.seat].name,
            "theirs": fork.theirs.head.hex()[:16],
            "ours": fork.here.hex()[:16],
        }
        self.records.keep_heard(fork.datagram)
        self.updates.append(Alarm("two_histories", details))
        self.farewell = Refusal("two_histories", **details)

    def _line(self, n: int, entry: Move) -> str | None:
        sent = self.sent
        if sent is not None and not sent.settled and sent.play.n == n:
            if (entry.seat, entry.what) == (self.records.seat, sent.play.what):
                sent.taken = True
                return sent.line
            sent.refusal = Rejected("stale")
        return entry.what if isinstance(entry.what, str) else None

    def _arrived(self) -> None:
        if self._snapshot is not None and self.records.n >= self._snapshot.n:
            self._compare(self._snapshot)
        if self.records.n == self._target:
            self.updates.append(CaughtUp(self.records.n))
            self._send_again()
        self._owe()

    def _owe(self) -> None:
        """Send what the seed or the next round needs of this seat, if it is time for it."""
        message = None if self.behind else owed(self.records)
        if message is not None:
            self.ask(message)
            if isinstance(message, Beacon):
                self._shared = message.n

    # Snapshots

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        shown = view_in(snapshot, len(self.lobby.seats) if self.lobby is not None else 0)
        self._shown, self._snapshot = shown, snapshot
        self._target = max(self._target, snapshot.n)
        self.updates.append(Waiting())

    def _compare(self, snapshot: Snapshot) -> None:
        shown, self._shown, self._snapshot = self._shown, None, None
        heads = (self.records.n, self.records.head) == (snapshot.n, snapshot.head)
        if not heads or shown is None or self._state is None or comparable(shown) != comparable(self._state):
            self._alarm("snapshot")
