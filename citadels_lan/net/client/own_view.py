"""The state as one viewer sees it, from entry to entry, with what only that viewer knows.

While the log is catching up, the client shows the host's snapshot instead. It compares the snapshot with the
own view once that is there."""

import contextlib
from collections.abc import Iterable, Sequence

from citadels_lan import engine
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import LogStep, comparable, decode_view, unpacked_view, view_signed
from citadels_lan.crypto.codec import Malformed, pack, u8, u64
from citadels_lan.crypto.commitments import VERBS, starred
from citadels_lan.crypto.draft.drafting import DraftHand, Knowledge
from citadels_lan.crypto.draft.playing import KnownEvents, own_picks
from citadels_lan.crypto.draft.record import AnyDraftMessage, Drafts, encode_message
from citadels_lan.crypto.log import Header, Mismatch, Said, Unsaid
from citadels_lan.engine import HIDDEN, Action, Choice, Event, State, check_state, decisions
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.flow.sealed import with_picks
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.wire.messages import SayInDraft, Snapshot

from .records import Records


class Drafting:
    """One seat's part in the sealed drafts of a game: the messages that it sends without a choice and for its
    player, and what it knows. Everything follows from key and log, so it is the same after a crash."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._hands: dict[int, DraftHand | None] = {}

    @property
    def _drafts(self) -> Drafts | None:
        """The drafts, while one takes messages."""
        audit = self._records.log.audit
        return audit.drafts if audit.expects(Said) else None

    @property
    def _hand(self) -> DraftHand | None:
        """This seat's side of the draft of the round, while it takes messages."""
        drafts = self._drafts
        return self._hand_in(len(drafts.rounds)) if drafts is not None else None

    def _hand_in(self, round_: int) -> DraftHand | None:
        records = self._records
        if records.seat is not None and self._hands.get(round_) is None:
            self._hands[round_] = records.owner(records.seat).hand(records.log.audit, round_)
        return self._hands.get(round_)

    def known(self, round_: int) -> Knowledge | None:
        """Return this seat's knowledge of the draft of a round; None after a lie to it."""
        hand = self._hand_in(round_)
        return hand.known if hand is not None and hand.readable else None

    def own_view(self, view: State) -> State:
        """Return the view of the seat with the characters that it knows from its draft. Between its pick and
        the events of the pick, and after a lie of another seat that no one can prove yet, all characters stay
        hidden."""
        hand = self._hand_in(view.round)
        if hand is None or not hand.record.packets or not hand.readable:
            return view
        with contextlib.suppress(engine.Impossible):
            return with_picks(view, hand.seat, own_picks(hand))
        return view

    def due(self) -> SayInDraft | None:
        """Return the message of this seat that is due now without a choice."""
        hand = self._hand
        message = hand.due(self._records.head) if hand is not None else None
        return None if message is None else self._signed(message)

    @property
    def may_pick(self) -> bool:
        """Whether this seat has to pick, and knows from what."""
        hand = self._hand
        return hand is not None and hand.readable and hand.record.due == ("pick", (hand.seat,))

    def chosen(self, action: Action, view: State) -> SayInDraft | None:
        """Return the message for a pick or an exchange that the rules allow; None for any other move."""
        hand, head = self._hand, self._records.head
        match action:
            case Pick() if hand is not None:
                return self._signed(hand.pick(action.character, action.discarding, head))
            case Theater(seat=int(to)) if hand is not None:
                return self._signed(hand.give(to, action.giving or view.players[hand.seat].concealed[0], head))
        return None

    def asked(self) -> int | None:
        """Return the entry that has the replies to a call, if this seat has to reply to one; None otherwise."""
        what, seats = self._drafts.due if self._drafts is not None else ("", ())
        return self._records.n + 1 if what == "call" and self._records.seat in seats else None

    def reply(self) -> SayInDraft:
        """Return the reply of this seat to the call that waits for it."""
        hand, drafts = self._hand, self._drafts
        assert hand is not None
        assert drafts is not None
        return self._signed(hand.reply(drafts.place))

    def _signed(self, message: AnyDraftMessage) -> SayInDraft:
        records, n = self._records, self._records.n + 1
        assert records.seat is not None
        what = records.drafted(n, records.head, encode_message(message))
        signature = records.identity.sign("said", records.game.id, u64(n), records.head, u8(records.seat), what)
        return SayInDraft(n, what, signature)


class OwnView:
    """One viewer's state of a table, by the public bookkeeping.

    `own` follows from the log. `choices` are the legal choices of this seat in it, `beginning` is the first
    state. `drafting` is this seat's part in the sealed drafts, None at a table with open ones. `snapshot` is
    the host's view until it is compared, `shown` its state while the log is catching up."""

    def __init__(self, records: Records) -> None:
        self.own: State | None = None
        self.choices: Sequence[Choice] = ()
        self.beginning: State | None = None
        self.drafting: Drafting | None = None
        self.shown: State | None = None
        self.snapshot: Snapshot | None = None
        self._records = records
        self._events: KnownEvents | None = None
        self._recalls = bool(records.steps)
        self._books: Bookkeeping | None = None

    def open(self, header: Header) -> None:
        """Begin the game."""
        self._books = Bookkeeping(header, self._records.seat)
        self.own = self.beginning = self._books.state
        if header.config.draft != "open":
            self.drafting = Drafting(self._records)
            self._events = KnownEvents(self.drafting.known)

    def follow(self, step: LogStep) -> None:
        """Enter the next entry into the books. Raises Mismatch if it contradicts them."""
        if self._books is not None:
            self._books.follow(step.n, step.entry, step.events)

    def happened(self, step: LogStep) -> tuple[Event, ...]:
        """Apply the events of a move to the view. Return them as this viewer knows them."""
        assert self.own is not None
        assert self._books is not None
        events = with_own_secrets(self._records, step.events)
        if self._events is not None:
            events = self._events.own(events, self._records.seat)
        self._show_own(after(self.own, self._books.state, events))
        return events

    def _show_own(self, state: State) -> None:
        """Take a view that follows from the log, and add what only this seat knows of its draft."""
        if self.drafting is not None and not self._recalls:
            state = self.drafting.own_view(state)
        seat = self._records.seat
        # A state that this program cannot play is an error here, and not later on the screen.
        deciding = decisions(state)
        self.own, self.choices = state, () if seat is None else deciding.get(seat, ())

    def recall(self) -> None:
        """Add what this seat holds now, after the whole transcript has been read."""
        self._recalls = False
        if self.own is not None:
            self._show_own(self.own)

    # Snapshots

    def show(self, snapshot: Snapshot, seat: int | None, seats: int) -> None:
        """Show the host's view for this seat until the log has caught up. Raises Malformed, Unsaid."""
        if snapshot.n < self._records.n:
            raise Malformed("a snapshot of an earlier entry")
        self._check_said(snapshot, seat)
        self.shown, self.snapshot = view_in(snapshot, seats), snapshot

    def compare(self, seat: int | None) -> None:
        """Compare the host's view with the own one, once the log has caught up. Raises Unsaid, Mismatch."""
        snapshot, state, books = self.snapshot, self.shown, self._books
        if snapshot is None or state is None or books is None or self._records.n != snapshot.n:
            return
        self._check_said(snapshot, seat)  # once more: now the header says which seat this is
        if self._records.head != snapshot.head or comparable(state) != comparable(books.state):
            self._records.keep_snapshot(pack(snapshot))
            raise Mismatch("snapshot", snapshot.n)
        self.snapshot = None

    def _check_said(self, snapshot: Snapshot, seat: int | None) -> None:
        """Raises Unsaid if the host has not signed the snapshot for this seat."""
        host = self._records.hosts.at(snapshot.n + 1).key
        if not view_signed(host, self._records.game.id, seat, decode_view(pack(snapshot))):
            raise Unsaid(snapshot.n)

    def forget(self) -> None:
        """Drop the snapshot of the last connection."""
        self.shown = self.snapshot = None


def after(before: State, seen: State, events: Sequence[Event]) -> State:
    """Return the own state after an entry: the view `seen` of the bookkeeping, with the own sealed markers.
    They were in the state `before`, or come with the entry's events `with_own_secrets`."""
    secrets = {(mark.kind, mark.by): mark.character for mark in before.marks if mark.kind in SECRET_MARKS}
    secrets |= {(SECRET[event.kind], event.by): event.chosen for event in events if isinstance(event, Placed)}
    marks = [
        mark.but(character=secrets.get((mark.kind, mark.by), HIDDEN)) if mark.character == HIDDEN else mark
        for mark in seen.marks
    ]
    return seen if marks == seen.marks else seen.but(marks=marks)


def with_own_secrets(records: Records, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events, with the sealed markers that only this seat knows."""
    return tuple(
        event.but(chosen=_own_secret(records, event.kind))
        if isinstance(event, Placed) and (event.by, event.chosen) == (records.seat, HIDDEN)
        else event
        for event in events
    )


def _own_secret(records: Records, kind: str) -> str:
    """Return the character that has the own marker that counts, in this round."""
    for opening in records.sealed():
        if opening.round == records.log.audit.round and opening.kind == VERBS.get(kind):
            return starred(opening)
    return HIDDEN


def view_in(snapshot: Snapshot, seats: int) -> State:
    """Return the view in a snapshot, of a table with so many seats. Raises Malformed."""
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
