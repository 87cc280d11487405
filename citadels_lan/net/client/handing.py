"""What a client hands back to a host that has come back with less of the log than the client has.

It is all the host's own: entries that it has signed, and the moves and openings that it had had. Only what is in
the log is handed over; a move that is not, nobody but its seat has seen.
"""

from collections.abc import Iterator
from typing import Final

from citadels_lan.crypto.commitments import Opening, nonce
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.log import Beacons, Close, DraftSaid, Move, Opened, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.sealed_moves import SEALED
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
    draft: bytes | None = None
    if isinstance(entry, Move | DraftSaid) and entry.seat == records.seat:
        found = records.moves.find(delta.n, entry.what)
        if found is not None:
            own, openings = found
    elif isinstance(entry, Beacons) and records.over:
        openings, draft = tuple(_given_at_the_end(records, delta.n)), _link_at_the_end(records)
    return Handed(delta.n, delta.signature, delta.public, delta.leaves, own, openings, draft)


def _link_at_the_end(records: Records) -> bytes | None:
    """The link of the second chain that this seat has given with its last link."""
    if records.client_log is None or records.seat is None:
        return None
    return records.owner(records.seat).draft_link(records.client_log.audit)


def _given_at_the_end(records: Records, n: int) -> Iterator[Opening]:
    """The openings that this seat has given with its last link, in entry `n`: what the log still has sealed, and
    what it shows since."""
    yield from records.sealed()
    for body in records.bodies(n, BATCH):
        entry = decode_entry(decode_delta(body).public)
        if isinstance(entry, Opened | Close):
            yield from (one for one in entry.openings if one.kind in SEALED and _is_own(records, one))


def _is_own(records: Records, one: Opening) -> bool:
    """Whether this seat has sealed that, and no stand-in for it."""
    return one.seat == records.seat and one.nonce == nonce(
        records.key, records.game.id, one.kind, one.round, one.seat, one.slot
    )
