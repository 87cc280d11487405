"""One viewer's side of a table, without sockets: frames in, updates and frames out.

The client follows the log and checks everything in it. It keeps the viewer's state and transcript, signs moves
and co-signatures, and gives its part of the seed. It never sends which warrant is signed and which threat has
the flower: it computes these from its key and the log."""

from collections.abc import Callable, Sequence
from typing import Final

from citadels_lan.crypto import log
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.draft.knowledge import speaker
from citadels_lan.engine import Action, Choice, State, acting
from citadels_lan.engine.actions import Confiscate, Reveal
from citadels_lan.net.client.own_seat import COMMITTED, OwnTurn, OwnView, PendingSignatures, Sent
from citadels_lan.net.client.records import DiskFull, Records, Trust
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Frame

from . import updates
from .roster import HostNotices, Notice, Roster

PASS: Final[dict[str, Action]] = {"confiscate": Confiscate(False), "reveal": Reveal(False)}
"""The answer ("no") that the client sends if the player has not chosen one in time, by the verb of the
question."""
QUIET: Final = frozenset({wire.Ping.type, wire.Noise.type})
"""Types of messages that cannot change the view of the table."""


class Client:
    """One viewer's knowledge of one table.

    `host` is the address of the host. The session empties three lists: `out` (frames to send), `updates` (for
    the reader of the session) and `answers` (the host's answers to requests). `changed` is set when the view
    of the table may have changed. `cosigned` is the update about the last co-signatures, or None. `past` are
    the updates from the part of the transcript that was written before this program started. `hear_handing`
    is called with the host's messages about a handover."""

    def __init__(self, records: Records) -> None:
        """Read the transcript in `records` up to the last valid entry."""
        self.records = records
        self.roster = Roster(records)
        self.notices = HostNotices()
        self.view = OwnView(records)
        self.signatures = PendingSignatures(records)
        self.turn = OwnTurn(records, self.view)
        self.out: list[bytes] = []
        self.updates: list[updates.Update] = []
        self.answers: list[wire.Granted | wire.Refused] = []
        self.changed = True
        self.trust = Trust(records, self.updates)
        self.hear_handing: Callable[[wire.Copy | wire.TryPort], None] = lambda _: None
        self.host: Address | None = None
        self.closed = False
        self.cosigned: updates.Cosigned | None = None
        self._words_follow = False
        self._acked = 0
        self._noise = False
        self._asked = -1
        self._ends = False
        self._ended = 0
        for step in records.steps:
            self._apply(step)
        records.steps = []
        self.view.recall()
        # Notices of the transcript's replay that do not follow from the log are of no use now.
        self.past = tuple(update for update in self.updates if isinstance(update, updates.LogUpdate))
        self.updates.clear()

    # The view of the table

    @property
    def seat(self) -> int | None:
        """The seat of this viewer; None for spectators and before the host has given one."""
        if self.records.client_log is not None:
            return self.records.seat
        lobby = self.roster.lobby
        return lobby.seat if lobby is not None else None

    @property
    def state(self) -> State | None:
        """The state as the viewer knows it; while the log is catching up, that in the host's snapshot, if it
        sent one. None before the first deal: until then the start may be called off."""
        n, view = self.records.n, self.view
        return (view.shown or view.own) if n > COMMITTED or n < self.trust.target else None

    @property
    def behind(self) -> bool:
        """Whether the log still lacks entries that the host had when this connection began."""
        return self.records.n < self.trust.target

    @property
    def may_move(self) -> bool:
        """Whether this seat has to decide now, and has sent no move that is not answered yet."""
        return self.turn.due and not self.behind and not self.notices.paused

    def table(
        self,
        addresses: tuple[Address, ...] = (),
        *,
        up: bool = True,
        reason: Refusal | None = None,
        answer: updates.HeldAnswer | None = None,
    ) -> updates.TableView:
        """Return the table as this viewer sees it now. `up`: the host can be reached. `addresses`, `reason`
        and `answer` are the fields of `TableView` with these names."""
        records, roster, notices = self.records, self.roster, self.notices
        state, seat, news, client_log = self.state, self.seat, roster.lobby, records.client_log
        substituted = client_log.audit.absences.substituted if client_log is not None else ()
        # Programs are awaited before players, and only the host knows for which.
        waiting = roster.awaited or (acting(state) if state is not None else ())
        status: updates.Status = "lobby" if state is None else "playing"
        if self.closed or reason is not None or not up:
            status = "over" if self.closed else "lost" if reason is not None else "connecting"
        return updates.TableView(
            status=status,
            reason=reason,
            seat=seat,
            lobby=roster.seats,
            names=tuple(place.name for place in roster.seats),
            owner=news is not None and (news.owner if roster.host is None else seat == roster.host),
            settings=roster.settings or wire.Settings(),
            called_off=news.called_off if news is not None else 0,
            away=roster.away,
            substituted=substituted,
            taken_over=seat in substituted and self.signatures.taken_over,
            state=state,
            beginning=self.view.beginning,
            waiting=() if self.closed else waiting,
            choices=self.choices if up else (),
            answer=answer,
            paused=notices.paused,
            ending=notices.ending,
            halted=notices.halted,
            words=self.cosigned.words if self.cosigned is not None else (),
            record_closed=self.closed,
            transcript=records.path,
            again=notices.again,
            head=updates.LogHead(records.n, records.head),
            game_id=records.game.id,
            fp=records.game.fp,
            addresses=addresses,
        )

    @property
    def choices(self) -> Sequence[Choice]:
        """The legal choices of this seat now. Empty if the seat has nothing to decide, or the host has not
        answered its last move."""
        return self.view.choices if self.may_move else ()

    @property
    def question(self) -> str:
        """The verb of the question about a sealed marker that this seat has to answer now, such as
        `confiscate`; "" if there is none."""
        # The view from the log is used, not the snapshot, because the answer needs the log.
        steps = self.view.own.steps if self.view.own is not None else []
        return steps[-1].verb if steps and steps[-1].verb in PASS and self.may_move else ""

    @property
    def asked(self) -> int | None:
        """The number of the entry for which this client has to reply to a call in a sealed draft, without its
        player; None if it need not reply."""
        drafting = self.view.drafting
        return None if drafting is None or self.behind else drafting.asked()

    # Requests of the player

    def move(self, action: Action) -> Sent:
        """Sign a move and put it into `out`. Raises Rejected."""
        if self.behind:
            raise Rejected("catching_up")
        if not self.may_move:
            raise Rejected("not_your_turn")
        sent = self.turn.sign(action)
        self.ask(sent.play)
        self.changed = True
        return sent

    def take_back(self) -> None:
        """Take the seat back from a bot of the host. Raises Rejected: `stale` if no bot plays it."""
        message = self.signatures.returning(asked=True)
        if message is None:
            raise Rejected("stale")
        self.ask(message)
        self.changed = True

    def end(self, *, agrees: bool) -> None:
        """Agree to end the game without a result, or withdraw that. The next move withdraws it, too. Raises
        Rejected."""
        records = self.records
        if self.seat is None or records.client_log is None or not records.log.audit.may_end:
            raise Rejected("not_playing")
        self._ends = agrees
        self._owe()

    def ask(self, message: wire.Message) -> None:
        """Put a message into `out`."""
        self.out.append(wire.encode(message))

    def unsent(self) -> None:
        """Handle the end of a connection. Frames still in `out` are dropped, and their signatures will be
        sent again."""
        self.changed = True
        self.signatures.lost(unsent=bool(self.out))
        self.out.clear()

    # Frames from the host

    def receive(self, frame: Frame) -> None:
        """Take a frame of a joined connection. Raises Malformed, or Refusal: `storage`, `entry`, and for an
        edition that this program does not know. The host or the disk causes these; any other error is a
        mistake of this program."""
        self.changed |= frame.type not in QUIET
        if frame.type == wire.ENTRY:
            self._entry(frame.body)
            return
        match wire.decode(frame, wire.FROM_HOST):
            case wire.Ping() | wire.Noise() as sign:
                self._sign_of_life(sign)
            case wire.Welcome() as welcome:
                self._welcome(welcome)
            case wire.LobbyNews() as news:
                self._hear_lobby(news)
            case wire.Presence() as presence:
                self.updates += self.roster.attend(presence)
            case wire.ChatSaid() as line:
                self.updates += self.roster.hear(line)
            case wire.Granted() | wire.Refused() as answer:
                self._answered(answer)
            case wire.Snapshot() as snapshot:
                self._take_snapshot(snapshot)
            case wire.Copy() | wire.TryPort() as handing:
                self.hear_handing(handing)
            case notice if isinstance(notice, Notice):
                self.updates += self.notices.hear(notice, behind=self.behind)
            case wire.Bye() as bye:
                self.trust.farewell = Refusal(bye.code, **bye.details)
            case _:
                raise Malformed("not a message to a joined client")

    def _sign_of_life(self, sign: wire.Ping | wire.Noise) -> None:
        if isinstance(sign, wire.Noise):
            self._noise = True
            return
        self.ask(wire.Pong(sign.mark))
        # Each ping is an occasion to try the disk again.
        if self.notices.full:
            self.try_again()
        # The host has more entries: a frame was lost with an earlier connection.
        elif sign.n > self.records.n and not self.behind:
            self._resync()

    @property
    def owes_ack(self) -> bool:
        """Whether there is an entry or noise that `settle` has to acknowledge."""
        return self._noise or self.records.n > self._acked

    def settle(self) -> None:
        """Acknowledge the entries in the transcript. Called a short time after they arrived. Noise is
        acknowledged in the same way, so that observers cannot tell it from entries."""
        if self.owes_ack:
            self.ask(wire.Ack(self.records.n))
            self._acked, self._noise = self.records.n, False

    def _resync(self) -> None:
        """Ask the host for the missing entries. The request also acknowledges all entries before them."""
        self.ask(wire.Resync(self.records.n, self.records.head))
        self._acked = self.records.n

    def _welcome(self, welcome: wire.Welcome) -> None:
        self.trust.welcomed(welcome)
        if (claim := self.roster.claim(welcome)) is not None:
            self.ask(claim)
        self.signatures.welcomed(welcome.n)
        self.notices.welcomed()
        # A snapshot of the last connection may be older than the log is now.
        self.view.forget()
        self._acked = self.records.n
        self._asked, self._ended = -1, 0
        self._owe()
        self._send_again(lost=True)

    def _send_again(self, *, lost: bool) -> None:
        """Send the pending move again, if the connection over which it was sent is `lost`, or if another
        entry came first. The host recognizes a move that its log already contains."""
        if not self.behind and (play := self.turn.again(lost=lost)) is not None:
            self.ask(play)

    def _hear_lobby(self, news: wire.LobbyNews) -> None:
        first = self.roster.lobby is None
        self.updates += self.roster.change(news)
        # Before this entry there was no header to compare with the lobby.
        if first:
            self._owe()

    def _answered(self, answer: wire.Granted | wire.Refused) -> None:
        # Moves have no answer of their own: the entry in the log is the answer.
        if answer.about not in (wire.Play.type, wire.SayInDraft.type):
            self.answers.append(answer)
        elif isinstance(answer, wire.Refused) and self.turn.refused(answer):
            self.updates.append(updates.Waiting())

    # The log

    def _entry(self, body: bytes) -> None:
        if self.notices.full:  # the client asks for the entry again later
            return
        try:
            with self.trust.doubting():
                self._apply(self.records.receive(body))
        except DiskFull:
            self.updates += self.notices.note_disk(full=True)
            return
        except log.Gap as gap:
            self._missed(gap, body)
            return
        if self.view.snapshot is not None:
            self._compare()
        # While the log is catching up, the screen shows the host's snapshot.
        if not self.behind:
            arrived = self.records.n == self.trust.target
            self.view.shown = None
            if arrived:
                self.updates += self.notices.clock()
            self._send_again(lost=arrived)
            self._owe()
        if self.notices.was_full:
            self.updates += self.notices.note_disk(full=False)

    def _missed(self, gap: log.Gap, body: bytes) -> None:
        """Handle an entry that is not the next one. If its number is too high: ask for the missing entries.
        If the log already has that number: check that it is the same entry."""
        if gap.got < gap.expected:
            self.trust.repeated(body)
        # One request is enough: the host also sends all later entries of the gap.
        elif self._asked != self.records.n:
            self._asked = self.records.n
            self._resync()

    def _apply(self, step: LogStep) -> None:
        if isinstance(step.entry, log.Open):
            self._check_agreed(step.entry.header)
            self.view.open(step.entry.header)
            self.roster.refresh()
        elif step.n == COMMITTED + 1:
            self.records.starts.begin(self.records.agreed)
        # The game continues, so an agreement to end it has lapsed.
        if isinstance(step.entry, log.EVENTFUL):
            self._ends = False
        self.trust.reached(step)
        self._note(step)
        if self.closed:
            self._finish()

    def _note(self, step: LogStep) -> None:
        """Create the updates of an entry that was just added to the log. Raises Mismatch if it contradicts
        the public bookkeeping."""
        entry = step.entry
        self.closed = self.records.log.audit.secret is not None
        if self.view.books is not None:
            self.view.books.follow(step.n, entry, step.events)
        if isinstance(entry, log.Move) and entry.by == log.SUBSTITUTE:
            self.signatures.note_substitute(step.n, entry)
        # Co-signatures wait for their check words, which may come with the next entry.
        if self._words_follow:
            self.cosigned = self.signatures.cosigned()
            self.updates.append(self.cosigned)
        self._words_follow = isinstance(entry, log.CoSigned)
        if isinstance(entry, log.EVENTFUL):
            self.updates.append(self._happened(step, entry))
            return
        if isinstance(entry, log.SeatChange):
            self.updates += self.signatures.note_seat(step.n, entry)
        if isinstance(entry, log.Handover):
            self.roster.refresh()
            self.updates.append(self._host_changed(step.n, entry))
        if self.view.own is not None and not self.closed:
            self.updates.append(updates.Waiting())

    def _happened(self, step: LogStep, entry: log.AnyEntry) -> updates.Happened:
        made = speaker(entry) if isinstance(entry, log.Said) else entry if isinstance(entry, log.Move) else None
        line, seat = (None, None) if made is None else (self.turn.line(step.n, made), made.seat)
        events = self.view.happened(step)
        openings = entry.openings if isinstance(entry, log.Move) else ()
        return updates.Happened(step.n, seat, line, events, openings)

    def _host_changed(self, n: int, entry: log.Handover) -> updates.HostChanged:
        """Return the update about the handover in entry `n`. If there was no handover before, the former host
        is the player whose seat has the kind HOST."""
        audit = self.records.log.audit
        former = audit.hosts.at(n).seat
        # The first host is not a seat by itself; its player is marked in the header.
        if former is None:
            kinds = [player.kind for player in audit.table.players]
            former = kinds.index(log.SeatKind.HOST) if log.SeatKind.HOST in kinds else None
        return updates.HostChanged(n, entry.seat, former)

    def _finish(self) -> None:
        try:
            self.records.finish()
        except DiskFull:
            self.updates += self.notices.note_disk(full=True)
            return
        if self.records.path is not None:
            self.updates.append(updates.Ended(self.records.path))

    def try_again(self) -> None:
        """Ask the host again for the entry that could not be stored because this computer's disk was full."""
        self.notices.full, self.changed = False, True
        if self.closed:
            self._finish()
        else:
            self._resync()

    def _owe(self) -> None:
        """Put the messages into `out` that the host now needs from this seat without a choice: for the seed,
        the co-signatures, a sealed draft, or the return from an absence."""
        if self.behind:
            return
        if self.records.n <= COMMITTED and (header := self.records.header) is not None:
            if self.roster.lobby is None:  # the lobby arrives next, and the header has to agree with it
                return
            with self.trust.doubting():
                self._check_agreed(header)
        with self.trust.doubting():
            message = self.signatures.due()
        drafting = self.view.drafting
        for owed in (message, self.signatures.returning(), drafting.due() if drafting is not None else None):
            if owed is not None:
                self.ask(owed)
        if self._ends and self._ended != self.records.n:
            self._ended = self.records.n
            self.ask(self.signatures.ending())

    def _check_agreed(self, header: log.Header) -> None:
        """Check a header before this seat signs it and commits to its part of the seed. Raises Refusal."""
        self.roster.check_agreed(header)
        self.records.starts.check(header, self.records.agreed)

    def _take_snapshot(self, snapshot: wire.Snapshot) -> None:
        with self.trust.doubting():
            self.view.show(snapshot, self.seat, len(self.roster.seats))
        # The log must reach the snapshot before it can be compared.
        self.trust.target = max(self.trust.target, snapshot.n)
        self.updates.append(updates.Waiting())
        self._compare()

    def _compare(self) -> None:
        with self.trust.doubting():
            self.view.compare(self.seat)
