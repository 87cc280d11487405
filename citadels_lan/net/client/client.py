"""One viewer's side of a table, without sockets: frames in, updates and frames out.

It follows the log and believes nothing, keeps the viewer's state and transcript, answers for its part of the seed
and its shares in the rounds, signs moves, and keeps what is sealed to itself: which warrant is signed and which
threat has the flower is filled into the own view from key and log.
"""

from collections.abc import Sequence

from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.faults import Gap
from citadels_lan.crypto.log import Header, Open
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import Action, Choice, State, decisions
from citadels_lan.net.discovery.found import Sought
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Ack,
    Again,
    Bye,
    Clock,
    Entrusted,
    Granted,
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
    Said,
    SayInDraft,
    SeedCommit,
    Snapshot,
    Standstill,
    Welcome,
    decode,
    encode,
)

from .answers import PASS
from .beside import Beside, Word
from .chronicle import TOLD, Chronicle
from .company import Company
from .draft.drafting import Drafting
from .duties import Duties
from .moves import OwnTurn, Sent
from .own_view import OwnView
from .records import DiskFull, Records
from .trust import Trust
from .updates import CaughtUp, Ended, Update, Waiting


class Client:
    """What one viewer knows of one table.

    `out` collects frames to send, `updates` what there is to tell, `answers` what the host says to what its person
    asked for; whoever runs the client empties them. In `past` is what happened in the transcript that was there
    already.
    """

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
        self.trust = Trust(records, self.chronicle, self.updates)
        self._acked = 0
        self._noise = False
        self._asked = -1
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
        """What the viewer may know; while the log is catching up, the host's snapshot."""
        return self.view.state

    @property
    def farewell(self) -> Refusal | None:
        """Why the connection is of no more use; None while it is."""
        return self.trust.farewell

    @property
    def behind(self) -> bool:
        """Whether the log has not yet reached where the host was when this connection began."""
        return self.records.n < self.trust.stated.target

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
        return [choice for choice in decisions(self.state).get(self.seat, ()) if self.drafting.may(choice)]

    @property
    def question(self) -> str:
        """The verb of the question about a sealed marker that this seat has to answer now, or empty."""
        steps = self.view.own.steps if self.view.own is not None else []
        return steps[-1].verb if steps and steps[-1].verb in PASS and self.may_move else ""

    @property
    def asked(self) -> int | None:
        """The entry that a call is to become to which this seat replies by itself; None where there is none."""
        return None if self.behind else self.drafting.asked(self.view.own)

    def reply(self) -> SayInDraft:
        """What this seat says to that call."""
        assert self.view.own is not None
        return self.drafting.reply(self.view.own)

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

    def say(self, text: str, number: int) -> None:
        """Put a line of chat into `out`; its number is at least `number`, and higher than the last one's."""
        self.ask(self.company.line(text, number))

    def ask(self, message: Message) -> None:
        """Put a message into `out`."""
        self.out.append(encode(message))

    def unsent(self) -> None:
        """What is in `out` has not gone out, and will not: the connection is gone."""
        if self.out:
            self.duties.unsent()
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
            case Said() as said:
                self.updates += self.company.hear(said)
            case Granted() | Refused() as answer:
                self._answered(answer)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case Entrusted() | Paused() | Clock() | Standstill() | Again() | Neighbours() as word:
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
        self._asked = -1
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

    def _heed(self, word: Entrusted | Word) -> None:
        """What the host says beside the log."""
        if isinstance(word, Entrusted):
            self.records.entrusted, self.records.entrusted_draft = word.openings, word.draft
            self.view.note_entrusted()
            self.updates.append(Waiting())
            return
        self.updates += self.beside.hear(word, self.seat)
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
        if self.records.n == self.trust.stated.target:
            self.updates.append(CaughtUp(self.records.n))
            self.updates += self.beside.clock()
            self._send_again()
        self.view.note_entrusted()
        self._owe()

    def _owe(self) -> None:
        """Send what the seed or the next round needs of this seat, if it is time for it."""
        if self.behind:
            return
        message, header = self.duties.owed(), self.records.header
        if isinstance(message, SeedCommit):
            if self.company.lobby is None or header is None:  # it comes next, and says what is agreed to
                return
            self._check_agreed(header)
        if message is not None:
            self.ask(message)
        if (claimed := self.duties.claimed()) is not None:
            self.ask(claimed)
        if (said := self.drafting.due()) is not None:
            self.ask(said)
        if message is not None:
            self.duties.note_given(message)

    def _check_agreed(self, header: Header) -> None:
        """Before anything of one's own is given. Raises Refusal."""
        try:
            self.company.check_agreed(header)
        except Refusal as reason:
            self.trust.farewell = reason
            raise

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        with self.trust.doubting():
            self.view.show(snapshot, self.seat, len(self.company.seats))
        self.trust.stated.target = max(self.trust.stated.target, snapshot.n)
        self.updates.append(Waiting())
        self._compare()

    def _compare(self) -> None:
        with self.trust.doubting():
            self.view.compare(self.seat)
