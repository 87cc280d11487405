"""The view after an entry, from the told events alone: whether they can happen one after another at this table."""

from collections.abc import Sequence

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.engine import Event, Impossible, State, check_event, check_state
from citadels_lan.engine.events import Offered

from .counting import check_offer


def followed(n: int, before: State, told: Sequence[Event]) -> State:
    """The view after entry `n`; `before` stays as it is. Raises Mismatch."""
    seen = before.copy()
    try:
        for event in told:
            if isinstance(event, Offered):
                check_offer(n, seen, event)
            check_event(seen, event)
            event.apply(seen)
            seen.tick += 1
        check_state(seen, before)
    except Impossible:
        raise Mismatch("impossible_event", n) from None
    return seen
