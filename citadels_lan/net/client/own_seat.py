"""One viewer's seat: what the viewer sees, and what its client signs.

The view follows from the entries of the log, with what only this viewer knows. While the log is catching up,
the client shows the host's snapshot instead. When the log has reached the snapshot's entry, the client
compares both.

A seat signs its part of the seed, its co-signatures, its moves (open, hidden or sealed), and its return after
a substitute bot has played."""

import contextlib
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from citadels_lan import engine
from citadels_lan.crypto import log
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import ClientLog, LogStep, comparable, unpacked_view, view_signed
from citadels_lan.crypto.codec import Malformed, pack, u8, u64
from citadels_lan.crypto.commitments import VERBS, starred
from citadels_lan.crypto.draft.drafts import AnyDraftMessage, Drafts
from citadels_lan.crypto.draft.knowledge import DraftHand, Knowledge, KnownEvents, own_picks
from citadels_lan.crypto.seed import part_commitment
from citadels_lan.crypto.signatures import Absence, agree_fields, cosign, sign_back, word_commitment
from citadels_lan.engine import HIDDEN, Action, Choice, Event, State, acting, check_state, decisions, refusal
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.events import SECRET, Placed
from citadels_lan.engine.flow.sealed_draft import with_picks
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.client.records import Records, keep_number, number_in
from citadels_lan.net.client.updates import BackAgain, Cosigned, SubstituteBegan, Update
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal, Rejected


class Drafting:
    """One seat's part in the sealed drafts of a game: the messages that its client sends, and the characters
    that it knows. Everything follows from the client's secret and the log, so a crash loses nothing."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._hands: dict[int, DraftHand | None] = {}

    @property
    def _drafts(self) -> Drafts | None:
        """The sealed drafts of the game; None if no message of a draft is possible now."""
        audit = self._records.log.audit
        return audit.drafts if audit.expects(log.Said) else None

    @property
    def _hand(self) -> DraftHand | None:
        """This seat's side of the draft of the present round; None if no message of a draft is possible
        now."""
        drafts = self._drafts
        return self._hand_in(len(drafts.rounds)) if drafts is not None else None

    def _hand_in(self, round_: int) -> DraftHand | None:
        records = self._records
        if records.seat is not None and self._hands.get(round_) is None:
            self._hands[round_] = records.owner(records.seat).hand(records.log.audit, round_)
        return self._hands.get(round_)

    def known(self, round_: int) -> Knowledge | None:
        """Return what this seat knows of the draft of round `round_`. None: no such draft, or another seat is
        proven to have lied to this one."""
        hand = self._hand_in(round_)
        return hand.known if hand is not None and hand.readable else None

    def own_view(self, view: State) -> State:
        """Return `view` with the characters that this seat knows from its draft. All characters stay hidden
        between this seat's pick and the events of the pick, and after a lie of another seat that is not
        proven."""
        hand = self._hand_in(view.round)
        if hand is None or not hand.record.packets or not hand.readable:
            return view
        with contextlib.suppress(engine.Impossible):
            return with_picks(view, hand.seat, own_picks(hand))
        return view

    def due(self) -> wire.SayInDraft | None:
        """Return the signed message that this seat has to send without a choice of its player; None if there
        is none."""
        hand = self._hand
        message = hand.due(self._records.head) if hand is not None else None
        return None if message is None else self._signed(message)

    @property
    def may_pick(self) -> bool:
        """Whether this seat has to pick now, and the characters that it is offered are known."""
        hand = self._hand
        return hand is not None and hand.readable and hand.record.due == ("pick", (hand.seat,))

    def chosen(self, action: Action, view: State) -> wire.SayInDraft | None:
        """Return the signed message for `action` if that is a pick or an exchange in a draft; None for any
        other move. The rules must allow the action in `view`."""
        hand, head = self._hand, self._records.head
        match action:
            case Pick() if hand is not None:
                return self._signed(hand.pick(action.character, action.discarding, head))
            case Theater(seat=int(to)) if hand is not None:
                return self._signed(hand.give(to, action.giving or view.players[hand.seat].concealed[0], head))
        return None

    def asked(self) -> int | None:
        """Return the number of the entry for which this seat has to reply to a call; None if it need not
        reply."""
        what, seats = self._drafts.due if self._drafts is not None else ("", ())
        return self._records.n + 1 if what == "call" and self._records.seat in seats else None

    def reply(self) -> wire.SayInDraft:
        """Return this seat's signed reply to the present call. Call this only if `asked()` is not None."""
        hand, drafts = self._hand, self._drafts
        assert hand is not None
        assert drafts is not None
        return self._signed(hand.reply(drafts.place))

    def _signed(self, message: AnyDraftMessage) -> wire.SayInDraft:
        records, n = self._records, self._records.n + 1
        assert records.seat is not None
        what = records.drafted(n, records.head, pack(message))
        signature = records.identity.sign("said", records.game.id, u64(n), records.head, u8(records.seat), what)
        return wire.SayInDraft(n, what, signature)


class OwnView:
    """The state of a table as one viewer sees it, computed by the public bookkeeping.

    `own` is the state that follows from the log, and `beginning` the first one; `choices` are the legal
    choices of this seat in `own`. `books` checks each entry; None before the first one. `drafting` is this
    seat's part in sealed drafts; None if the draft is open. `snapshot` is the host's snapshot until it was
    compared, and `shown` the state in it, which is shown while the log is catching up."""

    def __init__(self, records: Records) -> None:
        self.own: State | None = None
        self.choices: Sequence[Choice] = ()
        self.beginning: State | None = None
        self.drafting: Drafting | None = None
        self.shown: State | None = None
        self.snapshot: wire.Snapshot | None = None
        self._records = records
        self._events: KnownEvents | None = None
        self._recalls = bool(records.steps)
        self.books: Bookkeeping | None = None

    def open(self, header: log.Header) -> None:
        """Create the bookkeeping and the first state from the header."""
        self.books = Bookkeeping(header, self._records.seat)
        self.own = self.beginning = self.books.state
        if header.config.draft != "open":
            self.drafting = Drafting(self._records)
            self._events = KnownEvents(self.drafting.known)

    def happened(self, step: LogStep) -> tuple[Event, ...]:
        """Apply the events of an entry to the view. Return the events as this viewer knows them. Raises
        Mismatch."""
        assert self.own is not None
        assert self.books is not None
        events = tuple(self._with_own_secret(event) for event in step.events)
        if self._events is not None:
            events = self._events.own(events, self._records.seat)
        self._show_own(after(self.own, self.books.state, events))
        return events

    def _with_own_secret(self, event: Event) -> Event:
        """Return `event`. If it places a sealed marker of this seat, return it with the character of the
        signed marker."""
        records = self._records
        if isinstance(event, Placed) and (event.by, event.chosen) == (records.seat, HIDDEN):
            for opening in records.sealed():
                if opening.round == records.log.audit.round and opening.kind == VERBS.get(event.kind):
                    return event.but(chosen=starred(opening))
        return event

    def _show_own(self, state: State) -> None:
        """Set `own` to `state`, which follows from the log, together with what only this seat knows of its
        draft. Compute `choices` from it."""
        if self.drafting is not None and not self._recalls:
            state = self.drafting.own_view(state)
        seat = self._records.seat
        # A state that this program cannot play is an error here, and not later on the screen.
        deciding = decisions(state)
        self.own, self.choices = state, () if seat is None else deciding.get(seat, ())

    def recall(self) -> None:
        """Add this seat's own secrets to the view. Called once, after the whole transcript was read."""
        self._recalls = False
        if self.own is not None:
            self._show_own(self.own)

    # Snapshots

    def show(self, snapshot: wire.Snapshot, seat: int | None, seats: int) -> None:
        """Show the host's snapshot for this seat until the log has caught up. `seats` is the number of seats
        at the table. Raises Malformed; Unsaid if the host has not signed the snapshot."""
        if snapshot.n < self._records.n:
            raise Malformed("a snapshot of an earlier entry")
        self._check_said(snapshot, seat)
        self.shown, self.snapshot = view_in(snapshot, seats), snapshot

    def compare(self, seat: int | None) -> None:
        """If the log has just reached the entry of the host's snapshot, compare the snapshot with the view
        that follows from the log. Otherwise, or without a snapshot, do nothing. Raises Unsaid if the host has
        not signed the snapshot for `seat`, Mismatch if the views differ: that is proof against the host."""
        snapshot, state, books = self.snapshot, self.shown, self.books
        if snapshot is None or state is None or books is None or self._records.n != snapshot.n:
            return
        self._check_said(snapshot, seat)  # once more: now the header says which seat this is
        if self._records.head != snapshot.head or comparable(state) != comparable(books.state):
            self._records.keep_snapshot(pack(snapshot))
            raise log.Mismatch("snapshot", snapshot.n)
        self.snapshot = None

    def _check_said(self, snapshot: wire.Snapshot, seat: int | None) -> None:
        """Raises Unsaid if the host of the next entry has not signed the snapshot for this seat."""
        host = self._records.hosts.at(snapshot.n + 1).key
        if not view_signed(host, self._records.game.id, seat, snapshot):
            raise log.Unsaid(snapshot.n)

    def forget(self) -> None:
        """Drop the snapshot, because the connection that sent it has ended."""
        self.shown = self.snapshot = None


def after(before: State, seen: State, events: Sequence[Event]) -> State:
    """Return this seat's state after an entry: `seen`, the state of the bookkeeping, with the characters of
    this seat's own sealed markers. These are known from the state `before`, or from `events`."""
    secrets = {(mark.kind, mark.by): mark.character for mark in before.marks if mark.kind in SECRET_MARKS}
    secrets |= {(SECRET[event.kind], event.by): event.chosen for event in events if isinstance(event, Placed)}
    marks = [
        mark.but(character=secrets.get((mark.kind, mark.by), HIDDEN)) if mark.character == HIDDEN else mark
        for mark in seen.marks
    ]
    return seen if marks == seen.marks else seen.but(marks=marks)


def view_in(snapshot: wire.Snapshot, seats: int) -> State:
    """Return the state in a snapshot. Raises Malformed, also if it does not have this number of seats."""
    shown = unpacked_view(b"".join(snapshot.parts))
    if len(shown.players) != seats:
        raise Malformed("the view of another table")
    try:
        engine.edition_named(shown.edition, shown.options)
        check_state(shown)
    except (engine.Impossible, engine.Unplayable):
        raise Malformed("not a view") from None
    # A state that this program cannot play is an error here, and not later on the screen.
    decisions(shown)
    return shown


def commitment(records: Records, client_log: ClientLog, seat: int) -> wire.SeedCommit:
    """Return the seat's agreement to the header, with the commitment to its part of the seed. The part is
    stored on the disk first. Raises Refusal: `storage`."""
    header, agreed = client_log.audit.table, client_log.chain.head
    commit = part_commitment(agreed, seat, records.starts.part(header, agreed))
    anchors = records.owner(seat).anchors(header)
    signature = records.identity.sign("agree", *agree_fields(agreed, seat, commit, anchors))
    return wire.SeedCommit(log.Agreement(commit, anchors, signature))


def part(records: Records, client_log: ClientLog, seat: int) -> wire.SeedPart:
    """Return the message with the seat's part of the seed. Raises Refusal: `not_agreed` if *commits* does not
    contain the seat's commitment to it, `storage`."""
    given = records.starts.release(records.agreed, records.head)
    if part_commitment(records.agreed, seat, given) != client_log.audit.commits[seat]:
        raise Refusal("not_agreed", what="part")
    return wire.SeedPart(given)


def cosignature(records: Records, client_log: ClientLog, seat: int, *, protest: bool) -> wire.Cosign:
    """Return the seat's co-signature of the last entry. After the game it also has the openings of the seat's
    sealed moves."""
    chain, audit, game = client_log.chain, client_log.audit, records.game.id
    commit = word_commitment(game, chain.n, seat, records.owner(seat).word(chain.head))
    signed = cosign(records.identity, game, chain.n, chain.head, seat, commit, protest=protest)
    openings = records.owner(seat).opened_at_the_end(audit) if audit.over else ()
    return wire.Cosign(chain.n, signed, tuple(openings))


def check_word(records: Records, client_log: ClientLog, seat: int) -> wire.CheckWord | None:
    """Return the message with the seat's random word; None if the last entry does not contain the seat's
    co-signature."""
    chain, signed = client_log.chain, client_log.audit.signed
    word = records.owner(seat).word(client_log.audit.cosigned[-1].head)
    commit = word_commitment(client_log.game, chain.n - 1, seat, word)
    given = any((signer.seat, signer.commit) == (seat, commit) for signer in signed.seats)
    return wire.CheckWord(chain.n, word) if given else None


COMMITTED: Final = 2
"""The number of entries after which all seats have committed to their parts of the seed, and have to give
them."""


class PendingSignatures:
    """The signatures of one seat except those of moves. `given` is the last entry of the history that the
    seat co-signed last. `protest`: since then a bot has moved for this seat while its client was
    connected."""

    def __init__(self, records: Records) -> None:
        self.given = 0
        self.protest = False
        self._records = records
        self._protested = number_in(records.protest)
        self._since: int | None = None
        self._returned = 0

    def welcomed(self, n: int) -> None:
        """Note that a connection begins, and that the host is at entry `n`."""
        self._since, self._returned = n, 0

    def lost(self, *, unsent: bool) -> None:
        """Note that the connection has ended. `unsent`: messages of this seat were not sent, so they have to
        be made again."""
        self._since = None
        if unsent:
            self.given = self._returned = 0

    def due(self) -> wire.SeedCommit | wire.SeedPart | wire.Cosign | wire.CheckWord | None:
        """Return the signed message that the host needs from this seat now (for the seed, or after a round);
        None if it needs none. Raises Refusal: `not_agreed`, `storage`."""
        records = self._records
        client_log, seat = records.client_log, records.seat
        if client_log is None or seat is None:
            return None
        audit = client_log.audit
        if audit.expects(log.Commits):
            return commitment(records, client_log, seat)
        if client_log.chain.n == COMMITTED:
            return part(records, client_log, seat)
        if audit.expects(log.CoSigned):
            self.given = client_log.chain.n
            return cosignature(records, client_log, seat, protest=self.protest)
        return check_word(records, client_log, seat) if audit.expects(log.CheckWords) else None

    def ending(self) -> wire.EndGame:
        """Return the seat's agreement to end the game without a result after the last entry."""
        records = self._records
        signature = records.identity.sign("end", records.game.id, u64(records.n), records.head)
        return wire.EndGame(records.n, signature)

    # A bot plays the seat

    @property
    def taken_over(self) -> bool:
        """Whether a bot plays this seat although its client is connected. The player can take the seat
        back."""
        absence = self._absence
        if absence is None or absence.bot is None or absence.n == self._returned:
            return False
        return self._connected_at(absence.n)

    def returning(self, *, asked: bool = False) -> wire.Return | None:
        """Return the message that ends this seat's absence, once for each connection; otherwise None. If the
        client was connected all the time, the player has to ask for it (`asked`). A bot that owns its seat
        need not be asked."""
        records, absence = self._records, self._absence
        if absence is None or absence.n == self._returned:
            return None
        connected = self._connected_at(absence.n) and records.profile.kind != log.SeatKind.BOT
        if connected and not asked and (absence.bot is not None or absence.n == records.n):
            return None
        head = absence.head or records.head
        self._returned = absence.n
        return wire.Return(absence.n, sign_back(records.identity, records.game.id, absence, head).sig)

    @property
    def _absence(self) -> Absence | None:
        client_log, seat = self._records.client_log, self._records.seat
        return client_log.audit.absences.now(seat) if client_log is not None and seat is not None else None

    def _connected_at(self, n: int) -> bool:
        """Return whether entry `n` was made while this client was connected. False for entries that were sent
        to catch up."""
        return self._since is not None and n > self._since

    # Entries of the log

    def note_substitute(self, n: int, entry: log.Move) -> None:
        """Record the move of a substitute bot in entry `n`. If it moved for this seat while its client was
        connected, the next co-signature protests, even after a restart of the program."""
        if entry.seat != self._records.seat:
            return
        if self._connected_at(n) and not self.protest:
            keep_number(self._records.protest, n)
        self.protest |= self._connected_at(n) or n == self._protested

    def cosigned(self) -> Cosigned:
        """Return the update for the last co-signatures."""
        audit, own = self._records.log.audit, self._records.seat
        last = audit.cosigned[-1]
        missing = tuple(seat for seat in range(len(audit.table.players)) if seat not in last.seats)
        if own in last.seats:
            self.protest = False
        omitted = own in missing and self.given == last.n - 1
        return Cosigned(
            last.round, last.words, last.seats, missing, last.over, own=omitted, protests=last.protests
        )

    def note_seat(self, n: int, entry: log.SeatChange) -> list[Update]:
        """Return the updates about entry `n`, a change of a seat. Only a bot that begins, or a player who
        returns after a bot has played, gives an update."""
        own = entry.seat == self._records.seat
        if entry.what == log.BOT:
            return [SubstituteBegan(entry.seat, entry.level, own=own and self._connected_at(n))]
        if entry.what != log.BACK:
            return []
        (ended,) = [absence for absence in self._records.log.audit.absences.all if absence.until == n]
        if ended.bot is None:
            return []
        return [BackAgain(entry.seat, len(ended.moves), here=own and self._connected_at(ended.bot))]


class Sent(Struct, eq=False):
    """A move that was sent to the host. `taken` is set once the log contains it, and `refusal` once it cannot
    be added to the log."""

    play: wire.Play | wire.SayInDraft
    line: str
    taken: bool = False
    refusal: Rejected | None = None

    @property
    def settled(self) -> bool:
        """Whether the log contains the move, or the move was rejected."""
        return self.taken or self.refusal is not None


def signed(records: Records, client_log: ClientLog, seat: int, line: str) -> wire.Play:
    """Sign `line` as this seat's move in the next entry. Return the message, with the commitments or openings
    that the line needs."""
    what, openings = records.owner(seat).prepare(client_log.audit, client_log.chain.head, line)
    signature = log.sign_move(records.identity, records.game.id, client_log.chain, seat, what)
    return wire.Play(client_log.chain.n + 1, what, signature, openings)


class OwnTurn:
    """The moves of one seat: when it may move, and `sent`, its last move, or None."""

    def __init__(self, records: Records, view: OwnView) -> None:
        self.sent: Sent | None = None
        self._records = records
        self._view = view

    @property
    def _pending(self) -> Sent | None:
        """The last move if it is neither in the log nor rejected; otherwise None."""
        return self.sent if self.sent is not None and not self.sent.settled else None

    @property
    def due(self) -> bool:
        """Whether this seat has to decide according to the log, and the host has answered its last move."""
        return self._pending is None and self._may_move

    @property
    def _may_move(self) -> bool:
        client_log, state, seat = self._records.client_log, self._view.own, self._records.seat
        if client_log is None or state is None or seat is None:
            return False
        if client_log.audit.absences.substitute(seat) is not None or seat not in acting(state):
            return False
        drafting = self._view.drafting
        if drafting is not None and state.steps and state.steps[-1].verb == Pick.verb:
            return drafting.may_pick
        return client_log.audit.expects(log.Move)

    def sign(self, action: Action) -> Sent:
        """Sign `action` as this seat's next move and store it in `sent`. Call this only while `due` is True.
        In a sealed draft the host cannot check a pick or an exchange, so this method checks it: raises
        Rejected if the rules forbid it. The host checks all other moves."""
        records, line = self._records, str(action)
        assert records.seat is not None
        message = self._draft_message(records.seat, action) if self._view.drafting is not None else None
        self.sent = Sent(message or signed(records, records.log, records.seat, line), line)
        return self.sent

    def _draft_message(self, seat: int, action: Action) -> wire.SayInDraft | None:
        view, drafting = self._view.own, self._view.drafting
        if drafting is None or view is None or not isinstance(action, Pick | Theater):
            return None
        if (reason := refusal(view, seat, action)) is not None:
            raise Rejected(reason.code, **reason.details)
        return drafting.chosen(action, view)

    def again(self, *, lost: bool) -> wire.Play | wire.SayInDraft | None:
        """Return the pending move if it has to be sent again; otherwise None. `lost`: the connection over
        which it was sent has ended. If another entry came first, the move is signed again for the new last
        entry. If this seat does not have to move any more, it counts as rejected."""
        sent, records = self._pending, self._records
        if sent is None:
            return None
        if sent.play.n == records.n + 1:
            return sent.play if lost else None
        if isinstance(sent.play, wire.SayInDraft) or records.seat is None or not self._may_move:
            sent.refusal = Rejected("stale")
            return None
        sent.play = signed(records, records.log, records.seat, sent.line)
        return sent.play

    def refused(self, refused: wire.Refused) -> bool:
        """Handle the host's rejection of a move. Return False if it is not about the pending move."""
        sent = self._pending
        if sent is None or refused.n != sent.play.n:
            return False
        sent.refusal = Rejected(refused.code, **refused.details)
        return True

    def line(self, n: int, entry: log.Move | log.SaidItem) -> str | None:
        """Return the line of the move, or of the choice in a sealed draft, in entry `n`. None: this viewer
        does not know it."""
        sent, what = self._pending, entry.what if isinstance(entry, log.Move) else entry.message
        if sent is not None and sent.play.n == n:
            if (entry.seat, what) == (self._records.seat, sent.play.what):
                sent.taken = True
                return sent.line
            sent.refusal = Rejected("stale")
        return what if isinstance(what, str) else None
