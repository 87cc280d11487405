"""What a client hands back to a host that has come back with less of the log than the client has.

It is all the host's own: entries that it has signed, and the moves and openings that it had had. Only what is in
the log is handed over; a move that is not, nobody but its seat has seen.
"""

from typing import Final

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.log import Beacons, Move, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged
from citadels_lan.net.wire.messages import Handed

from .records import Records

BATCH: Final = 64
"""So many entries are handed over at a time."""


class Handing:
    """What one connection has handed over so far: each entry once at most, whatever is asked."""

    def __init__(self) -> None:
        self._last = -1

    def answer(self, records: Records, after: int) -> list[Handed]:
        """The entries after one of them; nothing where that was asked before, or the file cannot be read now."""
        if after <= self._last:
            return []
        self._last = after
        try:
            return [_handed(records, decode_delta(body)) for body in records.bodies(after, BATCH)]
        except (OSError, Damaged, Malformed):
            return []


def _handed(records: Records, delta: Delta) -> Handed:
    entry = decode_entry(delta.public)
    own: bytes | None = None
    openings: tuple[Opening, ...] = ()
    if isinstance(entry, Move) and entry.seat == records.seat:
        found = records.moves.find(delta.n, entry.what)
        if found is not None:
            own, openings = found
    elif isinstance(entry, Beacons) and records.over:
        openings = tuple(records.sealed())
    return Handed(delta.n, delta.signature, delta.public, delta.leaves, own, openings)
