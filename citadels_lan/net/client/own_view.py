"""The state as one viewer sees it, from entry to entry, with what only that viewer knows."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.sealed_moves import VERBS, starred
from citadels_lan.engine import HIDDEN, Event, State, decisions
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.state import SECRET_MARKS

from .records import Records


def after(before: State, seen: State, events: Sequence[Event]) -> State:
    """The own state after an entry: the view `seen` that the referee has of it, with the own sealed markers, which
    were in the state `before` or come with the entry's events `with_own_secrets`."""
    known = {(mark.kind, mark.by): mark.character for mark in before.marks if mark.kind in SECRET_MARKS}
    known |= {(SECRET[event.kind], event.by): event.chosen for event in events if isinstance(event, Placed)}
    marks = [
        replace(mark, character=known.get((mark.kind, mark.by), HIDDEN)) if mark.character == HIDDEN else mark
        for mark in seen.marks
    ]
    state = seen if marks == seen.marks else replace(seen, marks=marks)
    decisions(state)  # if this program cannot go on from here, better now than on the screen
    return state


def with_own_secrets(records: Records, client_log: ClientLog, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with what only this seat knows of its own sealed markers."""
    return tuple(
        replace(event, chosen=_own_secret(records, client_log, event.kind))
        if isinstance(event, Placed) and event.by == records.seat
        else event
        for event in events
    )


def _own_secret(records: Records, client_log: ClientLog, kind: str) -> str:
    """The character that has the own marker that counts, in this round."""
    for opening in records.sealed():
        if opening.round == client_log.audit.round and opening.kind == VERBS.get(kind):
            return starred(opening)
    return HIDDEN
