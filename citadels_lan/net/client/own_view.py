"""The state as one viewer sees it, from entry to entry, with what only that viewer knows.

While the log is catching up the host's snapshot is shown instead, and held against the own view once that is
there.
"""

from collections.abc import Iterable, Sequence

from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import ClientLog, LogStep
from citadels_lan.crypto.draft.playing import KnownEvents
from citadels_lan.crypto.faults import Mismatch, Unsaid
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.crypto.sealed_moves import VERBS, starred
from citadels_lan.crypto.signed_view import comparable, decode, unpacked, view_signed
from citadels_lan.engine import HIDDEN, Event, Impossible, State, Unplayable, check_state, decisions, edition_named
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.wire.messages import Snapshot

from .drafting import Drafting
from .records import Records


class OwnView:
    """What one viewer may know of a table, by the public bookkeeping. `own` is what follows from the log;
    `beginning` is what that was before anything had happened."""

    def __init__(self, records: Records, drafting: Drafting) -> None:
        self.own: State | None = None
        self.beginning: State | None = None
        self._records = records
        self._drafting = drafting
        self._events = KnownEvents(drafting.known)
        self._recalls = bool(records.steps)
        self._books: Bookkeeping | None = None
        self._shown: State | None = None
        self._snapshot: Snapshot | None = None

    @property
    def state(self) -> State | None:
        """What is to be shown."""
        return self._shown or self.own

    def open(self, header: Header) -> None:
        """The game begins."""
        self._books = Bookkeeping(header, self._records.seat)
        self.own = self.beginning = self._books.state

    def follow(self, step: LogStep) -> None:
        """Enter the next entry into the books. Raises Mismatch if it contradicts them."""
        if self._books is not None:
            self._books.follow(step.n, step.entry, step.public, step.events)

    def happened(self, client_log: ClientLog, step: LogStep) -> tuple[Event, ...]:
        """What has come of a move, as this viewer is told it; it is part of the view from now on."""
        assert self.own is not None
        assert self._books is not None
        events = with_own_secrets(self._records, client_log, step.events)
        events = self._events.own(events, self._records.seat)
        self.own = self._with_own_draft(after(self.own, self._books.state, events))
        return events

    def recall(self) -> None:
        """The transcript that was there has been followed: what the own seat holds now is known from it."""
        self._recalls = False
        if self.own is not None:
            self.own = self._with_own_draft(self.own)

    def _with_own_draft(self, state: State) -> State:
        """A view with what only this seat knows of its own draft."""
        return state if self._recalls else self._drafting.own_view(state)

    # Snapshots

    def show(self, snapshot: Snapshot, seat: int | None, seats: int) -> None:
        """The host's view, for this seat, is shown until the log is there. Raises Malformed, Unsaid."""
        if snapshot.n < self._records.n:
            raise Malformed("a snapshot of what is past")
        self._check_said(snapshot, seat)
        self._shown, self._snapshot = view_in(snapshot, seats), snapshot

    def compare(self, seat: int | None) -> None:
        """Hold the host's view against the own one, as soon as the log is there. Raises Unsaid, Mismatch."""
        snapshot, shown, books = self._snapshot, self._shown, self._books
        if snapshot is None or shown is None or books is None or self._records.n != snapshot.n:
            return
        self._check_said(snapshot, seat)  # once more: the seat is that of the header by now
        if self._records.head != snapshot.head or comparable(shown) != comparable(books.state):
            self._records.keep_snapshot(pack(snapshot))
            raise Mismatch("snapshot", snapshot.n)
        self._snapshot = None

    def _check_said(self, snapshot: Snapshot, seat: int | None) -> None:
        """Raises Unsaid where the host has not signed it for this seat."""
        if not shown_by_host(snapshot, self._records.game.id, self._records.hosts.at(snapshot.n + 1).key, seat):
            raise Unsaid(snapshot.n)

    def caught_up(self) -> None:
        """The log is there: the own view is shown."""
        self._shown = None

    def forget(self) -> None:
        """A connection begins: there will be another snapshot, or none."""
        self._shown = self._snapshot = None


def after(before: State, seen: State, events: Sequence[Event]) -> State:
    """The own state after an entry: the view `seen` of the bookkeeping, with the own sealed markers, which
    were in the state `before` or come with the entry's events `with_own_secrets`."""
    known = {(mark.kind, mark.by): mark.character for mark in before.marks if mark.kind in SECRET_MARKS}
    known |= {(SECRET[event.kind], event.by): event.chosen for event in events if isinstance(event, Placed)}
    marks = [
        mark.but(character=known.get((mark.kind, mark.by), HIDDEN)) if mark.character == HIDDEN else mark
        for mark in seen.marks
    ]
    state = seen if marks == seen.marks else seen.but(marks=marks)
    decisions(state)  # if this program cannot go on from here, better now than on the screen
    return state


def with_own_secrets(records: Records, client_log: ClientLog, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with what only this seat knows of its own sealed markers."""
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
    shown = unpacked(b"".join(snapshot.parts))
    if len(shown.players) != seats:
        raise Malformed("the view of another table")
    try:
        edition_named(shown.edition, shown.options)
        check_state(shown)
    except (Impossible, Unplayable):
        raise Malformed("not a view") from None
    decisions(shown)  # if this program cannot show it, better now than on the screen
    return shown


def shown_by_host(snapshot: Snapshot, game: bytes, host: bytes, seat: int | None) -> bool:
    """Whether the host with this key has signed it, for this seat. Raises Malformed."""
    return view_signed(host, game, seat, decode(pack(snapshot)))
