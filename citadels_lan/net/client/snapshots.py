"""Snapshots: the view that a client shows until its log is there, and compares with its own then."""

from msgspec.structs import replace

from citadels_lan.crypto.packing import Malformed, typed, unpack
from citadels_lan.engine import HIDDEN, Impossible, State, Unplayable, check_state, decisions, edition_named
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.wire.messages import Snapshot


def view_in(snapshot: Snapshot, seats: int) -> State:
    """The view in a snapshot, of a table with so many seats. Raises Malformed."""
    shown = typed(unpack(b"".join(snapshot.parts)), State)
    if len(shown.players) != seats:
        raise Malformed("the view of another table")
    try:
        edition_named(shown.edition, shown.options)
        check_state(shown)
    except (Impossible, Unplayable):
        raise Malformed("not a view") from None
    decisions(shown)  # if this program cannot show it, better now than on the screen
    return shown


def comparable(state: State) -> State:
    """A view without what only the seat's own client knows: the same from the host's view and from the own one."""
    seen = state.copy()
    seen.marks = [replace(mark, character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen
