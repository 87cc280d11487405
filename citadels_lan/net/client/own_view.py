"""The state as one viewer sees it, from entry to entry, with what only that viewer knows.

While the log is catching up the host's snapshot is shown instead, and held against the own view once that is
there.
"""

from collections.abc import Iterable, Sequence

from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import ClientLog, LogStep, comparable, decode_view, unpacked_view, view_signed
from citadels_lan.crypto.commitments import VERBS, starred
from citadels_lan.crypto.draft.playing import KnownEvents
from citadels_lan.crypto.log import Header, Mismatch, Unsaid
from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.engine import (
    HIDDEN,
    Choice,
    Event,
    Impossible,
    State,
    Unplayable,
    check_state,
    decisions,
    edition_named,
)
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.wire.messages import Snapshot

from .drafting import Drafting
from .records import Records


class OwnView:
    """One viewer's state of a table, by the public bookkeeping.

    `own` follows from the log. `choices` are the legal choices of this seat in it, `beginning` is the
    state before anything had happened. `drafting` is this seat's part in the sealed drafts, None at a
    table with open ones. `snapshot` is the host's view until it is compared, `shown` its state while the
    log is catching up."""

    def __init__(self, records: Records) -> None:
        self.own: State | None = None
        self.choices: Sequence[Choice] = ()
        self.beginning: State | None = None
        self.drafting: Drafting | None = None
        self._records = records
        self._events: KnownEvents | None = None
        self._recalls = bool(records.steps)
        self._books: Bookkeeping | None = None
        self.shown: State | None = None
        self.snapshot: Snapshot | None = None

    def open(self, header: Header) -> None:
        """The game begins."""
        self._books = Bookkeeping(header, self._records.seat)
        self.own = self.beginning = self._books.state
        if header.config.draft != "open":
            self.drafting = Drafting(self._records)
            self._events = KnownEvents(self.drafting.known)

    def follow(self, step: LogStep) -> None:
        """Enter the next entry into the books. Raises Mismatch if it contradicts them."""
        if self._books is not None:
            self._books.follow(step.n, step.entry, step.events)

    def happened(self, client_log: ClientLog, step: LogStep) -> tuple[Event, ...]:
        """Apply the events of a move to the view. Return them as this viewer knows them."""
        assert self.own is not None
        assert self._books is not None
        events = with_own_secrets(self._records, client_log, step.events)
        if self._events is not None:
            events = self._events.own(events, self._records.seat)
        self._show_own(after(self.own, self._books.state, events))
        return events

    def _show_own(self, state: State) -> None:
        """Take a view that follows from the log, and add what only this seat knows of its draft."""
        if self.drafting is not None and not self._recalls:
            state = self.drafting.own_view(state)
        seat = self._records.seat
        deciding = decisions(state)  # if this program cannot go on from here, better now than on the screen
        self.own, self.choices = state, () if seat is None else deciding.get(seat, ())

    def recall(self) -> None:
        """The whole transcript has been read: add what this seat holds now."""
        self._recalls = False
        if self.own is not None:
            self._show_own(self.own)

    # Snapshots

    def show(self, snapshot: Snapshot, seat: int | None, seats: int) -> None:
        """Show the host's view for this seat until the log has caught up. Raises Malformed, Unsaid."""
        if snapshot.n < self._records.n:
            raise Malformed("a snapshot of what is past")
        self._check_said(snapshot, seat)
        self.shown, self.snapshot = view_in(snapshot, seats), snapshot

    def compare(self, seat: int | None) -> None:
        """Compare the host's view with the own one, once the log has caught up. Raises Unsaid, Mismatch."""
        snapshot, state, books = self.snapshot, self.shown, self._books
        if snapshot is None or state is None or books is None or self._records.n != snapshot.n:
            return
        self._check_said(snapshot, seat)  # once more: the seat is that of the header by now
        if self._records.head != snapshot.head or comparable(state) != comparable(books.state):
            self._records.keep_snapshot(pack(snapshot))
            raise Mismatch("snapshot", snapshot.n)
        self.snapshot = None

    def _check_said(self, snapshot: Snapshot, seat: int | None) -> None:
        """Raises Unsaid where the host has not signed it for this seat."""
        host = self._records.hosts.at(snapshot.n + 1).key
        if not view_signed(host, self._records.game.id, seat, decode_view(pack(snapshot))):
            raise Unsaid(snapshot.n)

    def forget(self) -> None:
        """A connection begins: there will be another snapshot, or none."""
        self.shown = self.snapshot = None


def after(before: State, seen: State, events: Sequence[Event]) -> State:
    """The own state after an entry: the view `seen` of the bookkeeping, with the own sealed markers, which
    were in the state `before` or come with the entry's events `with_own_secrets`."""
    secrets = {(mark.kind, mark.by): mark.character for mark in before.marks if mark.kind in SECRET_MARKS}
    secrets |= {(SECRET[event.kind], event.by): event.chosen for event in events if isinstance(event, Placed)}
    marks = [
        mark.but(character=secrets.get((mark.kind, mark.by), HIDDEN)) if mark.character == HIDDEN else mark
        for mark in seen.marks
    ]
    return seen if marks == seen.marks else seen.but(marks=marks)


def with_own_secrets(records: Records, client_log: ClientLog, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events, with the sealed markers that only this seat knows."""
    return tuple(
        event.but(chosen=_own_secret(records, client_log, event.kind))
        if isinstance(event, Placed) and (event.by, event.chosen) == (records.seat, HIDDEN)
        else event
        for event in events
    )


def _own_secret(records: Records, client_log: ClientLog, kind: str) -> str:
    """The character that has the own marker that counts, in this round."""
    for opening in records.sealed():
        if opening.round == client_log.audit.round and opening.kind == VERBS.get(kind):
            return starred(opening)
    return HIDDEN


def view_in(snapshot: Snapshot, seats: int) -> State:
    """The view in a snapshot, of a table with so many seats. Raises Malformed."""
    shown = unpacked_view(b"".join(snapshot.parts))
    if len(shown.players) != seats:
        raise Malformed("the view of another table")
    try:
        edition_named(shown.edition, shown.options)
        check_state(shown)
    except (Impossible, Unplayable):
        raise Malformed("not a view") from None
    decisions(shown)  # if this program cannot show it, better now than on the screen
    return shown
