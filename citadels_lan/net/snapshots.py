"""Snapshots: the view that a client shows until its log is there, and compares with its own then."""

from msgspec import convert
from msgspec.structs import replace

from citadels_lan.crypto.packing import Malformed, unpack
from citadels_lan.engine import HIDDEN, State, decisions
from citadels_lan.engine.state import SECRET_MARKS

from .messages import Snapshot


def view_in(snapshot: Snapshot, seats: int) -> State:
    """The view in a snapshot, of a table with so many seats. Raises Malformed."""
    try:
        shown = convert(unpack(b"".join(snapshot.parts)), State)
        decisions(shown)
    except Exception:
        # A view that cannot be shows in its own way, some of them only where somebody has to decide.
        raise Malformed("not a view") from None
    if len(shown.players) != seats:
        raise Malformed("the view of another table")
    return shown


def told(state: State) -> State:
    """A view without what only the seat's own client knows: the same from the host's view and from the own one."""
    seen = state.copy()
    seen.marks = [replace(mark, character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen
