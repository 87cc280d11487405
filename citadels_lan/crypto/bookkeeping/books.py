"""The books: the view of one viewer after each entry."""

from collections.abc import Sequence

from citadels_lan.crypto.draft.playing import DraftEntry, plays_of
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import EVENTFUL, AnyEntry, Header, Move, TableMove
from citadels_lan.crypto.replay import table_of
from citadels_lan.engine import Event, Impossible, State, acting, check_event, check_state, view
from citadels_lan.engine.events import GameEnded, Offered, RoundEnded

from .checks import SHOWING, check_called, check_copies, check_offer, check_scores


class Bookkeeping:
    """The table as `seat` sees it (None: a spectator); `state` is the view after the last entry.

    `follow` raises Mismatch for an entry that no honest host can have signed. Every other exception is an error of
    this program and accuses no one. After either, `state` is unchanged.
    """

    def __init__(self, header: Header, seat: int | None) -> None:
        self.seat = seat
        self.state: State = view(table_of(header), seat)

    def follow(self, n: int, entry: AnyEntry, public: Sequence[Event], own: Sequence[Event]) -> None:
        """Enter the events of entry `n`: `public` as a spectator sees them, `own` as this viewer does."""
        if not isinstance(entry, EVENTFUL):
            return
        _check_private(n, self.seat, public, own)
        _check_turn(n, entry, self.state, happened=bool(own))
        self.state = followed(n, self.state, own)


def followed(n: int, before: State, events: Sequence[Event]) -> State:
    """Return the view after the events of entry `n`; `before` stays as it is. Raises Mismatch."""
    seen = before.copy()
    try:
        for event in events:
            check_event(seen, event)
            if isinstance(event, Offered):
                check_offer(n, seen, event)
            elif isinstance(event, GameEnded):
                check_scores(n, seen, event)
            event.apply(seen)
            seen.tick += 1
        check_state(seen, before)
    except Impossible:
        raise Mismatch("impossible_event", n) from None
    kinds = set(map(type, events))
    if kinds & {RoundEnded, GameEnded}:
        check_called(n, seen)
    if kinds.intersection(SHOWING):
        check_copies(n, seen)
    return seen


def _check_private(n: int, seat: int | None, public: Sequence[Event], own: Sequence[Event]) -> None:
    """A viewer's events are the public ones, with only what this viewer may know added."""
    if len(public) != len(own):
        raise Mismatch("private_event", n, index=min(len(public), len(own)))
    for index, (shown, mine) in enumerate(zip(public, own, strict=True)):
        if mine.redact(None) != shown or mine.redact(seat) != mine:
            raise Mismatch("private_event", n, index=index)


def _check_turn(n: int, entry: Move | TableMove | DraftEntry, state: State, *, happened: bool) -> None:
    """A move is of a seat that has to decide, the table acts only if no seat has to, and either has a result."""
    if isinstance(entry, Move) and entry.seat not in acting(state):
        raise Mismatch("turn", n, seat=entry.seat)
    if isinstance(entry, TableMove) and (acting(state) or state.phase == "over"):
        raise Mismatch("no_table", n)
    if not happened and (isinstance(entry, Move | TableMove) or plays_of(entry, state, 0)):
        raise Mismatch("no_events", n)
