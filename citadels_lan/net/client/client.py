"""One viewer's side of a table, without sockets: frames in, updates and frames out.

It follows the log and believes nothing, keeps the viewer's state and transcript, answers for its part of the seed
and its shares in the rounds, signs moves, and keeps what is sealed to itself: which warrant is signed and which
threat has the flower is filled into the own view from key and log.
"""

from citadels_lan.crypto.chat import line_signed, sign_line
from citadels_lan.crypto.claims import claim
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.log import Beacons, Close, Header, Move, Open, Present, Restart, Seal, TableMove
from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.crypto.referee import Referee
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.crypto.signed_view import comparable
from citadels_lan.engine import (
    Action,
    State,
    Unplayable,
    acting,
    edition_named,
)
from citadels_lan.net.wire.clean import numbered
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Beacon,
    Bye,
    Claim,
    Here,
    Lack,
    LobbyNews,
    Message,
    Noise,
    Paused,
    Ping,
    Play,
    Pong,
    Presence,
    Refused,
    Resync,
    Said,
    Say,
    Seat,
    SeedCommit,
    Settings,
    Snapshot,
    Welcome,
    decode,
    encode,
)

from .agreement import disagreement
from .forks import Comparer, Fork
from .handing import Handing
from .moves import Sent, signed
from .own_view import after, with_own_secrets
from .records import DiskFull, Records
from .shares import cosigned, left_out, owed, restarted
from .snapshots import shown_by_host, view_in
from .updates import (
    Alarm,
    Away,
    CaughtUp,
    Chatted,
    Cosigned,
    Ended,
    Halted,
    Happened,
    LobbyChanged,
    Restarted,
    Update,
    Waiting,
)


class Client:
    """What one viewer knows of one table.

    `out` collects frames to send, `updates` what there is to tell, `refusals` what the host did not do; whoever
    runs the client empties them. `farewell` is set when the connection is of no more use. `past` is what happened
    in the transcript that was there already. `paused` is a code while the host has stopped the game,
    `full` is set while the own disk has no place for what comes.
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
        self.paused = ""
        self.full = False
        self._stood = False
        self._name = ""
        self._given = 0
        self._disputes = False
        self._wronged = False
        self._heard: dict[bytes, int] = {}
        self._state: State | None = None
        self._referee: Referee | None = None
        self._snapshot: Snapshot | None = None
        self._shown: State | None = None
        self._target = 0
        self._acked = 0
        self._noise = False
        self._asked = -1
        self._handing = Handing()
        for step in records.steps:
            self._apply(step)
        records.steps = []
        self.past = tuple(update for update in self.updates if isinstance(update, Happened | Cosigned | Restarted))
        self.updates.clear()

    # What is known

    @property
    def header(self) -> Header | None:
        """The table as everybody agreed to it; None in the lobby."""
        return self.records.client_log.audit.header if self.records.client_log is not None else None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits at the table: by the signed header once there is one, by the lobby before."""
        news = self.lobby.seats if self.lobby is not None else ()
        if self.header is None:
            return news
        owner = next((seat.key for seat in news if seat.owner), b"")
        players = enumerate(self.header.players)
        return tuple(
            Seat(one.name, one.bot, True, at in self.away, one.key == owner, one.key) for at, one in players
        )

    @property
    def settings(self) -> Settings | None:
        """What is played: by the signed header once there is one, by the lobby before; None before both."""
        if self.header is None:
            return self.lobby.settings if self.lobby is not None else None
        return Settings(self.header.config, sum(player.bot for player in self.header.players))

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
    def halted(self) -> str:
        """Why the game stands still for this viewer, a code of `reasons`; empty where it does not."""
        return "own_disk_waits" if self.full else self.paused

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
        sent = signed(self.records, client_log, self.records.seat, str(action))
        try:
            self.records.moves.keep(sent.play)
        except OSError:
            raise Rejected("own_disk_full") from None
        self.sent = sent
        self.out.append(encode(self.sent.play))
        return self.sent

    def say(self, text: str, number: int) -> None:
        """Put a line of chat into `out`; its number is at least `number`, and higher than the last one's."""
        number = self.records.line_number(number)
        game, identity = self.records.game, self.records.identity
        self.ask(Say(number, text, sign_line(identity, game.id, game.fp, number, text)))

    def ask(self, message: Message) -> None:
        """Put a message into `out`."""
        self.out.append(encode(message))

    def unsent(self) -> None:
        """What is in `out` has not gone out, and will not: the connection is gone."""
        if self.out:
            self._given = 0
        self.out.clear()

    # What comes in

    def receive(self, frame: Frame) -> None:
        """Take a frame of a joined connection. Raises Malformed, or Refusal: `storage`, `entry`, and for
        an edition that this program does not know. Only these are
        the host's doing or the disk's; any other error is a mistake of this program."""
        if frame.type == ENTRY:
            if not self.full:  # what comes meanwhile is asked for again
                self._entry(frame.body)
            return
        match decode(frame, FROM_HOST):
            case Ping() | Noise() | Lack() | Paused() as said:
                self._of_the_host(said)
            case Welcome() as welcome:
                self._welcome(welcome)
            case LobbyNews() as news:
                self._lobby(news)
            case Presence() as presence:
                self._presence(presence)
            case Said() as said:
                self._said(said)
            case Refused() as refused:
                self._refused(refused)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case Bye() as bye:
                self.farewell = Refusal(bye.code, **bye.details)
            case _:
                raise Malformed("not a message to a joined client")

    def _of_the_host(self, said: Ping | Noise | Lack | Paused) -> None:
        """How the host is: there, in want of a part of the log, standing still."""
        match said:
            case Ping():
                self._ping(said)
            case Noise():
                self._noise = True
            case Lack():
                self.out.extend(map(encode, self._handing.answer(self.records, said.n)))
            case Paused():
                self.paused = said.code
                self.updates.append(Halted(self.halted))

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

    def _said(self, said: Said) -> None:
        """A line of chat, if its author has signed it, and not one that was told before. Whose seat it comes from
        says the key: also of somebody who is said to be watching."""
        game, keys = self.records.game, [seat.key for seat in self.seats]
        seat = keys.index(said.key) if said.key in keys else None
        genuine = line_signed(said.key, said.signature, game.id, game.fp, said.number, said.text)
        if not genuine or said.seat not in (None, seat):
            raise Malformed("a line of chat that its author has not signed")
        if said.number > self._heard.get(said.key, -1):
            self._heard[said.key] = said.number
            name = said.name if seat is None else self.seats[seat].name
            self.updates.append(Chatted(seat, name, said.text))

    def _claim(self, welcome: Welcome) -> None:
        """Sign the name that the table has for this seat, if it is one's own, or that with a number."""
        self._name = welcome.name
        if welcome.seat is None or self.records.n:
            return
        if not numbered(welcome.name, self.records.profile.name):
            raise Refusal("not_agreed", what="own_name")
        game, identity = self.records.game, self.records.identity
        signature = claim(identity, game.id, game.fp, game.host, welcome.name, self.records.profile.bot)
        self.ask(Claim(welcome.name, signature))

    def _welcome(self, welcome: Welcome) -> None:
        self._claim(welcome)
        self._target = welcome.n
        self._handing = Handing()
        self.paused = ""
        self.full = False
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
        if self.header is not None and self.lobby is not None:
            return  # who plays what is signed by now, and nothing of it changes any more
        if news.seat is not None and news.seat >= len(news.seats):
            raise Malformed("a seat that is not there")
        config = news.settings.config
        try:
            edition_named(config.edition, config.options)
        except Unplayable as reason:  # a newer program may know it
            raise Refusal(reason.code, **reason.details) from None
        first, self.lobby = self.lobby is None, news
        self.updates.append(LobbyChanged())
        if first:
            self._owe()

    def _presence(self, presence: Presence) -> None:
        if max((*presence.away, *presence.waiting), default=-1) >= len(self.seats):
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
        except DiskFull:
            self._note_full()
            return
        except Gap as gap:
            if gap.got > gap.expected and self._asked != self.records.n:
                self._asked = self.records.n
                self._resync()
            return
        except Unsaid as unsaid:
            self.farewell = Refusal("unsigned", n=unsaid.n)
            raise self.farewell from None
        except Mismatch as fault:
            self._alarm(fault.n, fault.code)
        else:
            self._compare()
            if not self.behind:
                self._arrived()
            if self._stood and not self.full:
                self._stood = False
                self.updates.append(Halted(self.halted))

    def _alarm(self, n: int, reason: str) -> None:
        """Entry `n`, which the host has signed, cannot be: the transcript with it is the proof."""
        details: dict[str, str | int] = {"n": n, "reason": reason}
        self.updates.append(Alarm("entry", details))
        self.farewell = Refusal("entry", **details)
        self.records.alarm(n, reason)
        raise self.farewell

    def _apply(self, step: LogStep) -> None:
        entry = step.entry
        seat, line = None, None
        if isinstance(entry, Open):
            self._check_agreed(entry.header)
            self._referee = Referee(entry.header, self.records.seat)
            self._state = self._referee.state
            self.comparer = Comparer(entry.header, self.records.seat, self.records.identity)
        self._note_head(step)
        if self._referee is not None:
            self._referee.read(step.n, entry, step.public, step.events)
        if isinstance(entry, Move):
            seat, line = entry.seat, self._line(step.n, entry)
        client_log = self.records.client_log
        assert client_log is not None
        if isinstance(entry, Beacons):
            self.cosigned = cosigned(self.records, client_log, step.n, own=self._wronged)
            self._wronged = False
            self.updates.append(self.cosigned)
        if isinstance(entry, Present | Restart):
            self._note_attendance(step.n, entry)
        if isinstance(entry, Move | TableMove):
            assert self._state is not None
            assert self._referee is not None
            events = with_own_secrets(self.records, client_log, step.events)
            self._state = after(self._state, self._referee.state, events)
            openings = entry.openings if isinstance(entry, Move) else ()
            self.updates.append(Happened(step.n, seat, line, events, openings))
        elif self._state is not None and not self.closed:
            self.updates.append(Waiting())  # after a seal the next may move
        if self.closed:
            self._finish()

    def _finish(self) -> None:
        try:
            self.records.finish()
        except DiskFull:
            self._note_full()
            return
        if self.records.path is not None:
            self.updates.append(Ended(self.records.path))

    def _note_full(self) -> None:
        self.full = self._stood = True
        self.updates.append(Halted(self.halted))

    def try_again(self) -> None:
        """Some time after the own disk was full: ask for what it had no place for."""
        self.full = False
        if self.closed:
            self._finish()
        else:
            self._resync()

    def _note_attendance(self, n: int, entry: Present | Restart) -> None:
        """Who takes part: whether this seat is left out although it has sent what it owes. It says so as soon as
        it takes part again, and the host has to write that down."""
        client_log, seat = self.records.client_log, self.records.seat
        assert client_log is not None
        if left_out(entry, seat) and self._given == n - 1:
            self._disputes = self._wronged = True
        elif isinstance(entry, Present) and not left_out(entry, seat):
            self._disputes = False
        if isinstance(entry, Restart):
            self.updates.append(restarted(client_log, entry))

    def _note_head(self, step: LogStep) -> None:
        """What the host has signed is compared with what it signed for others."""
        if self.comparer is None:
            return
        self.comparer.entry(step.n, step.head)
        if isinstance(step.entry, Seal | Close):
            fork = self.comparer.sealed(SignedHead(step.n, step.head, step.signature))
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
        self.updates.append(Alarm("two_histories", details))
        self.farewell = Refusal("two_histories", **details)
        self.records.keep_heard(fork.datagram)
        self.records.alarm(fork.n, "two_histories")

    def _line(self, n: int, entry: Move) -> str | None:
        sent = self.sent
        if sent is not None and not sent.settled and sent.play.n == n:
            if (entry.seat, entry.what) == (self.records.seat, sent.play.what):
                sent.taken = True
                return sent.line
            sent.refusal = Rejected("stale")
        return entry.what if isinstance(entry.what, str) else None

    def _arrived(self) -> None:
        self._shown = None
        if self.records.n == self._target:
            self.updates.append(CaughtUp(self.records.n))
            self._send_again()
        self._owe()

    def _owe(self) -> None:
        """Send what the seed or the next round needs of this seat, if it is time for it."""
        message = None if self.behind else owed(self.records, disputes=self._disputes)
        if isinstance(message, SeedCommit):
            if self.lobby is None or self.header is None:  # it comes next, and says what is agreed to
                return
            self._check_agreed(self.header)
        if message is not None:
            self.ask(message)
        if isinstance(message, Here | Beacon):
            self._given = message.n

    def _check_agreed(self, header: Header) -> None:
        """Before anything of one's own is given: whether the table is the one that the lobby has shown, as far as
        there was one. Raises Refusal: `not_agreed`, or that this program does not know the edition."""
        what = disagreement(header, self.lobby, self._name) if self.lobby is not None else ""
        try:
            edition_named(header.edition, header.options)
        except Unplayable as reason:
            self.farewell = Refusal(reason.code, **reason.details)
        if what:
            self.farewell = Refusal("not_agreed", what=what)
        if self.farewell is not None:
            raise self.farewell

    # Snapshots

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        if snapshot.n < self.records.n:
            raise Malformed("a snapshot of what is past")
        self._check_said(snapshot)
        self._shown, self._snapshot = view_in(snapshot, len(self.seats)), snapshot
        self._target = max(self._target, snapshot.n)
        self.updates.append(Waiting())
        self._compare()

    def _check_said(self, snapshot: Snapshot) -> None:
        """Raises Refusal `unsigned` where the host has not signed it for this seat."""
        if not shown_by_host(snapshot, self.records.game, self.seat):
            self.farewell = Refusal("unsigned", n=snapshot.n)
            raise self.farewell

    def _compare(self) -> None:
        """Hold the host's view against the own one, as soon as the log is there."""
        snapshot, shown = self._snapshot, self._shown
        if snapshot is None or shown is None or self._state is None or self.records.n != snapshot.n:
            return
        self._check_said(snapshot)  # once more: the seat is that of the header by now
        if self.records.head != snapshot.head or comparable(shown) != comparable(self._state):
            self.records.keep_snapshot(pack(snapshot))
            self._alarm(snapshot.n, "snapshot")
        self._snapshot = None
