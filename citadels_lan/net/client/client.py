"""One viewer's side of a table, without sockets: frames in, updates and frames out.

It follows the log and believes nothing, keeps the viewer's state and transcript, gives its part of the seed
and its co-signatures, signs moves, and keeps what is sealed to itself: which warrant is signed and which
threat has the flower is filled into the own view from key and log.
"""

from collections.abc import Sequence

from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.faults import Gap
from citadels_lan.crypto.log import EVENTFUL, Header, Open
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import Action, Choice, State, decisions
from citadels_lan.net.discovery.found import Address, Sought
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Bye,
    ChatSaid,
    Copy,
    Granted,
    LobbyNews,
    Message,
    Noise,
    Ping,
    Play,
    Pong,
    Presence,
    Refused,
    Resync,
    SayInDraft,
    Snapshot,
    TryPort,
    Welcome,
    decode,
    encode,
)

from .answers import PASS
from .chronicle import TOLD, Chronicle
from .company import Beside, Company, Word
from .drafting import Drafting
from .duties import COMMITTED, Duties
from .moves import OwnTurn, Sent
from .own_view import OwnView
from .records import DiskFull, GameIdentity, Records
from .succession import Succession
from .trust import Trust
from .updates import CaughtUp, Ended, Update, Waiting


class Client:
    """What one viewer knows of one table.

    `host` is where the host is reached. `out` collects frames to send, `updates` what there is to tell, `answers`
    what the host says to what its person asked for; whoever runs the client empties them. In `past` is what
    happened in the transcript that was there already."""

    def __init__(self, records: Records) -> None:
        """Takes up whatever the transcript has already."""
        self.records = records
        self.company = Company(records)
        self.beside = Beside()
        self.drafting = Drafting(records)
        self.view = OwnView(records, self.drafting)
        self.duties = Duties(records)
        self.turn = OwnTurn(records, self.view, self.drafting)
        self.chronicle = Chronicle(records, self.view, self.duties)
        self.out: list[bytes] = []
        self.updates: list[Update] = []
        self.answers: list[Granted | Refused] = []
        self.trust = Trust(records, self.updates)
        self.succession = Succession(records, self.ask)
        self.host: Address | None = None
        self._acked = 0
        self._noise = False
        self._asked = -1
        self._ends = False
        self._ended = 0
        for step in records.steps:
            self._apply(step)
        records.steps = []
        self.view.recall()
        self.past = tuple(update for update in self.updates if isinstance(update, TOLD))
        self.updates.clear()

    # What is known

    @property
    def sought(self) -> Sought:
        """Who this client looks for when it has lost its host."""
        return Sought(self.records.game.id)

    @property
    def seat(self) -> int | None:
        """The own seat; None for spectators and before one has it."""
        if self.records.client_log is not None:
            return self.records.seat
        lobby = self.company.lobby
        return lobby.seat if lobby else None

    @property
    def state(self) -> State | None:
        """What the viewer may know; while the log is catching up, the host's snapshot. None before the first deal:
        until then the start may be called off."""
        return self.view.state if self.begun or self.behind else None

    @property
    def begun(self) -> bool:
        """Whether the log has the first deal."""
        return self.records.n > COMMITTED

    def begins_again(self, game: GameIdentity) -> bool:
        """Whether this may be the next start of the same table, after one that was called off."""
        known = self.records.game
        return not self.begun and (known.fp, known.host) == (game.fp, game.host)

    @property
    def farewell(self) -> Refusal | None:
        """Why the connection is of no more use; None while it is."""
        return self.trust.farewell

    @property
    def behind(self) -> bool:
        """Whether the log has not yet reached where the host was when this connection began."""
        return self.records.n < self.trust.target

    @property
    def closed(self) -> bool:
        """Whether the last entry is there."""
        return self.chronicle.closed

    @property
    def may_move(self) -> bool:
        """Whether this seat has to decide now and nothing it decided is on its way."""
        return self.turn.due and not self.behind and not self.beside.paused

    def choices(self) -> Sequence[Choice]:
        """What this seat may do now; () where it is not asked, or a move is on its way."""
        if not self.may_move or self.seat is None or self.state is None:
            return ()
        return decisions(self.state).get(self.seat, ())

    @property
    def question(self) -> str:
        """The verb of the question about a sealed marker that this seat has to answer now, or empty."""
        steps = self.view.own.steps if self.view.own is not None else []
        return steps[-1].verb if steps and steps[-1].verb in PASS and self.may_move else ""

    @property
    def asked(self) -> int | None:
        """The entry that a call is to become to which this seat replies by itself; None where there is none."""
        return None if self.behind else self.drafting.asked()

    def reply(self) -> SayInDraft:
        """What this seat says to that call."""
        return self.drafting.reply()

    # What the person does

    def move(self, action: Action) -> Sent:
        """Sign a move and put it into `out`. Raises Rejected."""
        if self.behind:
            raise Rejected("catching_up")
        if not self.may_move:
            raise Rejected("not_your_turn")
        self.ask(self.turn.sign(action))
        assert self.turn.sent is not None
        return self.turn.sent

    def take_back(self) -> None:
        """Take the seat back from a bot of the host. Raises Rejected: `stale` where none plays it."""
        message = self.duties.returning(asked=True)
        if message is None:
            raise Rejected("stale")
        self.ask(message)

    def end(self, *, agrees: bool) -> None:
        """Agree to end the game without a result, or not any more; until someone plays on. Raises Rejected."""
        log = self.records.client_log
        if self.seat is None or log is None or not log.audit.may_end:
            raise Rejected("not_playing")
        self._ends = agrees
        self._owe()

    def say(self, text: str, number: int) -> None:
        """Put a line of chat into `out`; its number is at least `number`, and higher than the last one's."""
        self.ask(self.company.line(text, number))

    def ask(self, message: Message) -> None:
        """Put a message into `out`."""
        self.out.append(encode(message))

    def unsent(self) -> None:
        """What is in `out` has not gone out, and will not: the connection is gone."""
        self.duties.lost(unsent=bool(self.out))
        self.out.clear()

    # What comes in

    def receive(self, frame: Frame) -> None:
        """Take a frame of a joined connection. Raises Malformed, or Refusal: `storage`, `entry`, and for
        an edition that this program does not know. Only these are
        the host's doing or the disk's; any other error is a mistake of this program."""
        if frame.type == ENTRY:
            if not self.beside.full:  # what comes meanwhile is asked for again
                self._entry(frame.body)
            return
        match decode(frame, FROM_HOST):
            case Ping() | Noise() as sign:
                self._sign_of_life(sign)
            case Welcome() as welcome:
                self._welcome(welcome)
            case LobbyNews() as news:
                self._hear_lobby(news)
            case Presence() as presence:
                self.updates += self.company.attend(presence)
            case ChatSaid() as said:
                self.updates += self.company.hear(said)
            case Granted() | Refused() as answer:
                self._answered(answer)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case word if isinstance(word, Word | Copy | TryPort):
                self._heed(word)
            case Bye() as bye:
                self.trust.farewell = Refusal(bye.code, **bye.details)
            case _:
                raise Malformed("not a message to a joined client")

    def _sign_of_life(self, sign: Ping | Noise) -> None:
        if isinstance(sign, Ping):
            self._ping(sign)
        else:
            self._noise = True

    @property
    def owes_ack(self) -> bool:
        """Whether `settle` has anything to acknowledge."""
        return self._noise or self.records.n > self._acked

    def settle(self) -> None:
        """Acknowledge the entries in the transcript, some time after they came, and noise in the same way."""
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

    def _welcome(self, welcome: Welcome) -> None:
        if not self.trust.welcomed(welcome):
            return
        if (claim := self.company.claim(welcome)) is not None:
            self.ask(claim)
        self.duties.welcomed(welcome.n)
        self.beside.welcomed()
        self.view.forget()
        self._acked = self.records.n
        self._asked, self._ended = -1, 0
        self._owe()
        self._send_again()

    def _send_again(self) -> None:
        """A move that was on its way when the connection broke: the host knows whether it has it."""
        if not self.behind and (play := self.turn.again()) is not None:
            self.ask(play)

    def _hear_lobby(self, news: LobbyNews) -> None:
        first = self.company.lobby is None
        self.updates += self.company.change(news)
        if first:
            self._owe()

    def _answered(self, answer: Granted | Refused) -> None:
        if answer.about not in (Play.type, SayInDraft.type):
            self.answers.append(answer)
        elif isinstance(answer, Refused) and self.turn.refused(answer):
            self.updates.append(Waiting())

    def _heed(self, word: Word | Copy | TryPort) -> None:
        """What the host says beside the log."""
        if isinstance(word, Copy | TryPort):
            self.succession.hear(word, self.host)
            return
        self.updates += self.beside.hear(word)
        if not self.behind:
            self.updates += self.beside.clock()

    # The log

    def _entry(self, body: bytes) -> None:
        try:
            with self.trust.doubting():
                self._apply(self.records.receive(body))
        except DiskFull:
            self.updates.append(self.beside.note_full())
            return
        except Gap as gap:
            self._missed(gap, body)
            return
        self._compare()
        if not self.behind:
            self._arrived()
        self.updates += self.beside.note_room()

    def _missed(self, gap: Gap, body: bytes) -> None:
        """An entry that is not the next one: those between are missing, or it is here already."""
        if gap.got < gap.expected:
            self.trust.repeated(body)
        elif self._asked != self.records.n:
            self._asked = self.records.n
            self._resync()

    def _apply(self, step: LogStep) -> None:
        if isinstance(step.entry, Open):
            self._check_agreed(step.entry.header)
            self.chronicle.open(step.entry.header)
        elif step.n == COMMITTED + 1:
            self.records.begin()
        if isinstance(step.entry, EVENTFUL):
            self._ends = False
        self.trust.reached(step)
        self.updates += self.chronicle.tell(step, self.turn.line)
        if self.closed:
            self._finish()

    def _finish(self) -> None:
        try:
            self.records.finish()
        except DiskFull:
            self.updates.append(self.beside.note_full())
            return
        if self.records.path is not None:
            self.updates.append(Ended(self.records.path))

    def try_again(self) -> None:
        """Some time after the own disk was full: ask for what it had no place for."""
        self.beside.full = False
        if self.closed:
            self._finish()
        else:
            self._resync()

    def _arrived(self) -> None:
        self.view.caught_up()
        if self.records.n == self.trust.target:
            self.updates.append(CaughtUp(self.records.n))
            self.updates += self.beside.clock()
            self._send_again()
        elif self.turn.overtaken:
            self._send_again()
        self._owe()

    def _owe(self) -> None:
        """Send what the seed or the next round needs of this seat, if it is time for it."""
        if self.behind:
            return
        header = self.records.header
        if header is not None and not self.begun:
            if self.company.lobby is None:  # it comes next, and says what is agreed to
                return
            self._check_agreed(header)
        try:
            message = self.duties.owed()
        except Refusal as reason:
            self.trust.farewell = reason
            raise
        if message is not None:
            self.ask(message)
        if (returning := self.duties.returning()) is not None:
            self.ask(returning)
        if (said := self.drafting.due()) is not None:
            self.ask(said)
        if message is not None:
            self.duties.note_given(message)
        if self._ends and self._ended != self.records.n:
            self._ended = self.records.n
            self.ask(self.duties.ending())

    def _check_agreed(self, header: Header) -> None:
        """Before anything of one's own is given. Raises Refusal."""
        try:
            self.company.check_agreed(header)
            self.records.check_start(header)
        except Refusal as reason:
            self.trust.farewell = reason
            raise

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        with self.trust.doubting():
            self.view.show(snapshot, self.seat, len(self.company.seats))
        self.trust.target = max(self.trust.target, snapshot.n)
        self.updates.append(Waiting())
        self._compare()

    def _compare(self) -> None:
        with self.trust.doubting():
            self.view.compare(self.seat)
