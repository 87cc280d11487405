"""Snapshots: the view that a client shows until its log is there, and compares with its own then."""

from citadels_lan.crypto.packing import Malformed, pack
from citadels_lan.crypto.signed_view import decode, unpacked, view_signed
from citadels_lan.engine import Impossible, State, Unplayable, check_state, decisions, edition_named
from citadels_lan.net.wire.messages import Snapshot


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
