"""One viewer's side of a table, without sockets: frames in, updates and frames out.

It follows the log and believes nothing, keeps the viewer's state and transcript, answers for its part of the seed
and its shares in the rounds, signs moves, and keeps what is sealed to itself: which warrant is signed and which
threat has the flower is filled into the own view from key and log. Nothing is sent while an entry is not judged.
"""

from ipaddress import ip_address

from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.commitments import committed
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.log import (
    Back,
    Beacons,
    Close,
    Header,
    Move,
    NewHost,
    Open,
    Present,
    Restart,
    Seal,
    StandIn,
    TableMove,
)
from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.crypto.referee import Referee
from citadels_lan.crypto.sealed_moves import with_markers
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.crypto.signed_view import comparable
from citadels_lan.crypto.stand_ins import sign_back
from citadels_lan.engine import (
    Action,
    State,
    Unplayable,
    acting,
    edition_named,
)
from citadels_lan.net.discovery.found import Address, Sought
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Again,
    Beacon,
    Bye,
    Clock,
    Entrusted,
    Here,
    Lack,
    LobbyNews,
    Message,
    Neighbours,
    Noise,
    Paused,
    Ping,
    Play,
    Pong,
    Presence,
    Refused,
    Resync,
    Return,
    Said,
    SeedCommit,
    Snapshot,
    Standstill,
    Welcome,
    decode,
    encode,
)

from .agreement import disagreement
from .answers import PASS
from .company import Company
from .forks import Comparer, Fork
from .handing import Handing
from .moves import Sent, signed
from .own_view import after, with_own_secrets
from .records import DiskFull, Records
from .shares import cosigned, left_out, owed, restarted
from .snapshots import shown_by_host, view_in
from .updates import (
    Alarm,
    BackAgain,
    CaughtUp,
    ClockSet,
    Cosigned,
    Ended,
    Halted,
    Happened,
    HostChanged,
    PauseChanged,
    PlayAgain,
    Restarted,
    StoodIn,
    Update,
    Waiting,
)

TOLD = Happened | Cosigned | Restarted | StoodIn | BackAgain | HostChanged
"""What belongs to the story of a game."""


class Client:
    """What one viewer knows of one table.

    `out` collects frames to send, `updates` what there is to tell, `refusals` what the host did not do; whoever
    runs the client empties them. `farewell` is set when the connection is of no more use. `past` is what happened
    in the transcript that was there already, `neighbours` are where the clients of other seats are reached.
    `halt` is a code while the host has stopped the game, `full` is set while the own disk has no place for what
    comes.
    """

    def __init__(self, records: Records) -> None:
        """Takes up whatever the transcript has already."""
        self.records = records
        self.company = Company(records)
        self.out: list[bytes] = []
        self.updates: list[Update] = []
        self.refusals: list[Refused] = []
        self.sent: Sent | None = None
        self.farewell: Refusal | None = None
        self.cosigned: Cosigned | None = None
        self.comparer: Comparer | None = None
        self.paused = False
        self.neighbours: tuple[Address, ...] = ()
        self._clock: ClockSet | None = None
        self._since: int | None = None
        self._returned = 0
        self._there = 0
        self.again: PlayAgain | None = None
        self.halt = ""
        self.full = False
        self._stood = False
        self._given = 0
        self._disputes = False
        self._wronged = False
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
        if self._referee is not None:
            self._referee.judge()
        self.past = tuple(update for update in self.updates if isinstance(update, TOLD))
        self.updates.clear()

    # What is known

    @property
    def sought(self) -> Sought:
        """Who this client looks for when it has lost its host."""
        return Sought(self.records.game.id, (self.records.hosts[-1],))

    @property
    def seat(self) -> int | None:
        """The own seat; None for spectators and before one has it."""
        if self.records.client_log is not None:
            return self.records.seat
        lobby = self.company.lobby
        return lobby.seat if lobby else None

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
        return "own_disk_waits" if self.full else self.halt

    @property
    def closed(self) -> bool:
        """Whether the last entry is there."""
        client_log = self.records.client_log
        return client_log is not None and client_log.audit.secret is not None

    @property
    def may_move(self) -> bool:
        """Whether this seat has to decide now and nothing it decided is on its way."""
        client_log, state = self.records.client_log, self._state
        seat = self.records.seat
        if client_log is None or state is None or self.behind or self.paused or seat is None:
            return False
        pending = self.sent is not None and not self.sent.settled
        if pending or not client_log.audit.expects(Move) or seat not in acting(state):
            return False
        return client_log.audit.movers.stint(seat) is None

    @property
    def stood_in(self) -> tuple[int, ...]:
        """The seats for which bots of the host move, by the log."""
        client_log = self.records.client_log
        return client_log.audit.movers.stood_in if client_log is not None else ()

    @property
    def question(self) -> str:
        """The verb of the question about a sealed marker that this seat has to answer now, or empty."""
        steps = self._state.steps if self._state is not None else []
        return steps[-1].verb if steps and steps[-1].verb in PASS and self.may_move else ""

    # What the person does

    def move(self, action: Action) -> Sent:
        """Sign a move and put it into `out`. Raises Rejected, or what `judge` raises."""
        self.judge()
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
        self.ask(self.sent.play)
        return self.sent

    def say(self, text: str, number: int) -> None:
        """Put a line of chat into `out`; its number is at least `number`, and higher than the last one's."""
        self.ask(self.company.line(text, number))

    def ask(self, message: Message) -> None:
        """Put a message into `out`. Raises what `judge` raises: whoever may have lied is given nothing."""
        self.judge()
        self.out.append(encode(message))

    def unsent(self) -> None:
        """What is in `out` has not gone out, and will not: the connection is gone."""
        if self.out:
            self._given = self._returned = 0
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
            case Ping() | Noise() | Lack() | Standstill() as said:
                self._of_the_host(said)
            case Welcome() as welcome:
                self._welcome(welcome)
            case LobbyNews() as news:
                self._hear_lobby(news)
            case Presence() as presence:
                self.updates += self.company.attend(presence)
            case Said() as said:
                self.updates += self.company.hear(said)
            case Refused() as refused:
                self._refused(refused)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case Entrusted() | Paused() | Clock() | Again() | Neighbours() as word:
                self._heed(word)
            case Bye() as bye:
                self.farewell = Refusal(bye.code, **bye.details)
            case _:
                raise Malformed("not a message to a joined client")

    def _of_the_host(self, said: Ping | Noise | Lack | Standstill) -> None:
        """How the host is: there, in want of a part of the log, standing still."""
        match said:
            case Ping():
                self._ping(said)
            case Noise():
                self._noise = True
            case Lack():
                self.out.extend(map(encode, self._handing.answer(self.records, said.n)))
            case Standstill():
                self.halt = said.code
                self.updates.append(Halted(self.halted))

    @property
    def owes_ack(self) -> bool:
        """Whether `settle` has anything to acknowledge."""
        return self._noise or self.records.n > self._acked

    def settle(self) -> None:
        """Some time after frames: judge what is in the transcript and acknowledge it, and noise just like it.
        Raises what `judge` raises."""
        if self.owes_ack:
            self.ask(Ack(self.records.n))
            self._acked, self._noise = self.records.n, False

    def _ping(self, ping: Ping) -> None:
        self.ask(Pong(ping.mark))
        if ping.n > self.records.n and not self.behind:
            self._resync()

    def _resync(self) -> None:
        """Ask for the entries that are missing; the host takes that for an acknowledgement of all before."""
        self.ask(Resync(self.records.n, self.records.head))
        self._acked = self.records.n

    def _play_again(self, again: Again) -> None:
        """Another table for the same people; told to whoever comes back for the end, too."""
        self.again = PlayAgain(again.port, again.game, again.fp)
        self.updates.append(self.again)

    def _welcome(self, welcome: Welcome) -> None:
        if (claim := self.company.claim(welcome)) is not None:
            self.ask(claim)
        self._target = self._since = welcome.n
        self._returned, self.paused = 0, False
        self._handing = Handing()
        self.halt = ""
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
            self.ask(self.sent.play)
        else:
            self.sent.refusal = Rejected("stale")

    def _hear_lobby(self, news: LobbyNews) -> None:
        first = self.company.lobby is None
        self.updates += self.company.change(news)
        if first:
            self._owe()

    def _refused(self, refused: Refused) -> None:
        sent = self.sent
        if refused.about != Play.type:
            self.refusals.append(refused)
        elif sent is not None and not sent.settled and refused.n == sent.play.n:
            sent.refusal = Rejected(refused.code, **refused.details)
            self.updates.append(Waiting())

    # The log

    def judge(self) -> None:
        """Let the rules judge what came of the last move, which is written and told already. Raises Refusal
        `entry`; what else is raised is a mistake of this program."""
        if self._referee is None:
            return
        try:
            self._referee.judge()
        except Mismatch as fault:
            self._alarm(fault.n, fault.code)

    def _entry(self, body: bytes) -> None:
        self.judge()
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
        if self.farewell is None or self.farewell.code != "entry":
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
            hosts = self.records.client_log.hosts if self.records.client_log is not None else None
            self.comparer = Comparer(entry.header, self.records.seat, self.records.identity, hosts)
        self._note_head(step)
        if self._referee is not None:
            self._referee.follow(step.n, entry, step.public, step.events)
        if isinstance(entry, Move):
            seat, line = entry.seat, self._line(step.n, entry)
        client_log = self.records.client_log
        assert client_log is not None
        if isinstance(entry, Beacons):
            self.cosigned = cosigned(self.records, client_log, step.n, own=self._wronged)
            self._wronged = False
            self.updates.append(self.cosigned)
        if isinstance(entry, NewHost):
            self.updates.append(HostChanged(entry.seat))
        if isinstance(entry, StandIn | Back):
            self._note_stand_in(step.n, entry)
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
        else:
            self._note_back(n)

    def _note_stand_in(self, n: int, entry: StandIn | Back) -> None:
        """Somebody else moves for a seat. If it is the own one, and has been here all the time, it will say so."""
        if isinstance(entry, StandIn):
            here = entry.seat == self.records.seat and self._since is not None and n > self._since
            self._there = n if here else self._there
            self.updates.append(StoodIn(entry.seat, entry.level, own=here))
            return
        self._note_back(n)

    def _note_back(self, n: int) -> None:
        """Whose stand-ins entry `n` has ended: that of a *back*, or those of all who are in a *present*."""
        client_log, own = self.records.client_log, self.records.seat
        assert client_log is not None
        for one in client_log.audit.movers.stints:
            if one.until == n:
                here = one.seat == own and one.n == self._there
                self.updates.append(BackAgain(one.seat, len(one.moves), one.disputed, here=here))

    def _take_back(self) -> None:
        """Take the own seat back from a stand-in, whatever it is doing; once on a connection, for it arrives."""
        client_log, seat = self.records.client_log, self.records.seat
        stint = client_log.audit.movers.stint(seat) if client_log is not None and seat is not None else None
        if stint is None or stint.n == self._returned:
            return
        self._returned = stint.n
        back = sign_back(self.records.identity, self.records.game.id, stint, disputes=stint.n == self._there)
        self.ask(Return(stint.n, back.signature, back.disputes))

    def _heed(self, word: Entrusted | Paused | Clock | Again | Neighbours) -> None:
        """What the host says beside the log: what stand-ins have sealed, a pause, the time, another table, where
        the other clients are."""
        match word:
            case Entrusted():
                self.records.entrusted = word.openings
                self._show_entrusted()
            case Paused():
                self.paused = word.paused
                self.updates.append(PauseChanged(word.paused, word.seat))
            case Clock():
                self._clock = ClockSet(word.seconds, word.gone)
                self._tell_clock()
            case Again():
                self._play_again(word)
            case Neighbours():
                others = [one for one in word.of if one.seat != self.seat]
                self.neighbours = tuple((str(ip_address(one.number)), one.port) for one in others)

    def _tell_clock(self) -> None:
        """The time is of the decision that the host waits for: told once the log has come to it."""
        if self._clock is not None and not self.behind:
            self.updates.append(self._clock)
            self._clock = None

    def _show_entrusted(self) -> None:
        """What stand-ins have sealed for this seat is its own to know and to break."""
        client_log, seat, state = self.records.client_log, self.records.seat, self._state
        if client_log is None or seat is None or state is None or not self.records.entrusted:
            return
        pending, game = dict(client_log.audit.sealed_for(seat)), self.records.game.id
        known = [(committed(game, one), one) for one in self.records.entrusted]
        mine = [one for commit, one in known if commit in pending and pending[commit].opened_by(game, commit, one)]
        self._state = with_markers(state, seat, mine)

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
        header = self.records.header
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
            self._tell_clock()
            self._send_again()
        self._show_entrusted()
        self._owe()

    def _owe(self) -> None:
        """Send what the seed or the next round needs of this seat, if it is time for it."""
        message = None if self.behind else owed(self.records, disputes=self._disputes)
        if isinstance(message, SeedCommit):
            header = self.records.header
            if self.company.lobby is None or header is None:  # it comes next, and says what is agreed to
                return
            self._check_agreed(header)
        if message is not None:
            self.ask(message)
        if not self.behind:
            self._take_back()
        if isinstance(message, Here | Beacon):
            self._given = message.n

    def _check_agreed(self, header: Header) -> None:
        """Before anything of one's own is given: whether the table is the one that the lobby has shown, as far as
        there was one. Raises Refusal: `not_agreed`, or that this program does not know the edition."""
        lobby = self.company.lobby
        what = disagreement(header, lobby, self.company.name) if lobby is not None else ""
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
        log = self.records.client_log
        if log is not None and log.hosts.current != self.records.host:
            return  # of a host that the log has not got to yet: it has to show that first
        if snapshot.n < self.records.n:
            raise Malformed("a snapshot of what is past")
        self._check_said(snapshot)
        self._shown, self._snapshot = view_in(snapshot, len(self.company.seats)), snapshot
        self._target = max(self._target, snapshot.n)
        self.updates.append(Waiting())
        self._compare()

    def _check_said(self, snapshot: Snapshot) -> None:
        """Raises Refusal `unsigned` where the host has not signed it for this seat."""
        if not shown_by_host(snapshot, self.records.game.id, self.records.host, self.seat):
            self.farewell = Refusal("unsigned", n=snapshot.n)
            raise self.farewell

    def _compare(self) -> None:
        """Hold the host's view against the own one, as soon as the log is there."""
        snapshot, shown = self._snapshot, self._shown
        if snapshot is None or shown is None or self._state is None or self.records.n != snapshot.n:
            return
        self.judge()
        self._check_said(snapshot)  # once more: the seat is that of the header by now
        if self.records.head != snapshot.head or comparable(shown) != comparable(self._state):
            self.records.keep_snapshot(pack(snapshot))
            self._alarm(snapshot.n, "snapshot")
        self._snapshot = None
