"""The state as one viewer sees it, from entry to entry, with what only that viewer knows."""

from collections.abc import Iterable

from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.sealed_moves import VERBS, starred
from citadels_lan.crypto.views import evolved
from citadels_lan.engine import HIDDEN, Event, State, decisions
from citadels_lan.engine.events import Placed

from .records import Records


def after(state: State, events: Iterable[Event], n: int) -> State:
    """The state after the events of entry `n`. Raises Mismatch for what cannot be at any table."""
    state = evolved(state, events, n)
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
