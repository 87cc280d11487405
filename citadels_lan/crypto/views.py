"""The table as one viewer sees it: what a snapshot is held against, by clients and by verification."""

from collections.abc import Iterable

from msgspec.structs import replace

from citadels_lan.engine import HIDDEN, Event, Impossible, State, check_event, check_state, evolve, view
from citadels_lan.engine.state import SECRET_MARKS

from .faults import Mismatch
from .log import Open
from .packing import typed, unpack
from .replay import table_of


def beginning(entry: Open, seat: int | None) -> State:
    """The table of a header, as a viewer sees it. Raises Mismatch."""
    return view(table_of(entry.header), seat)


def evolved(state: State, events: Iterable[Event], n: int) -> State:
    """The state after the events of entry `n`. Raises Mismatch for what cannot be at any table."""
    try:
        for event in events:
            check_event(state, event)
            state = evolve(state, event)
        check_state(state)
    except Impossible:
        raise Mismatch("impossible_event", n) from None
    return state


def unpacked(packed: bytes) -> State:
    """The view in a snapshot. Raises Malformed."""
    return typed(unpack(packed), State)


def comparable(state: State) -> State:
    """A view without what only the seat's own client knows: the same from the host's view and from the own one."""
    seen = state.copy()
    seen.marks = [replace(mark, character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen
