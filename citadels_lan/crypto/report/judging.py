"""What contradicts in a chain: from entry to entry, in the game played again, or, while that is not open, in the
public bookkeeping. The host has signed every entry, so the first contradiction is proof against it."""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import decode_events, merge, misplaced
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import AnyEntry, Header, Open, decode_entry, decode_private, events_of
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.replay import Counts, compare, knows_edition
from citadels_lan.crypto.signed_view import SignedView, comparable, unpacked, view_signed
from citadels_lan.crypto.signed_view import decode as decode_view
from citadels_lan.engine import Event, State

from .examined import Examined
from .model import Finding

MAX_KNOWN: Final = 20_000
"""Of so many entries together it is kept what they say."""


class Judged(Struct, frozen=True):
    """What a whole chain says, whoever received it: the header in its first entry, the first contradiction, if
    there is one, what a replay has compared, and the error with which this program failed to replay it."""

    header: Header | None
    audit: Auditor
    fault: Mismatch | None
    counts: Counts = Counts()
    failed: str = ""


class Judgements:
    """What is known of whole chains by who has signed them and their last heads, so that the same one is not read
    twice. The oldest are forgotten where it would be too much to hold."""

    def __init__(self) -> None:
        self._judged: dict[tuple[bytes, bytes], tuple[int, Judged]] = {}

    def get(self, host: bytes, head: bytes) -> Judged | None:
        """What is known of the chain that ends with `head`, signed by the key `host`."""
        return self._judged[host, head][1] if (host, head) in self._judged else None

    def add(self, host: bytes, head: bytes, entries: int, judged: Judged) -> None:
        """Note what a chain of so many entries says."""
        self._judged[host, head] = entries + 1, judged
        while sum(size for size, _ in self._judged.values()) > MAX_KNOWN:
            del self._judged[next(iter(self._judged))]


def judge(one: Examined) -> Judged:
    """Read the whole chain, and play the game again if it is closed."""
    fault = _audit(one)
    header = _header(one)
    opened = one.audit.header
    if fault is not None and opened is not None and not knows_edition(opened):
        fault = Mismatch("edition", 1)  # what contradicts here may be right there
    if fault is not None or one.audit.secret is None:
        return Judged(header, one.audit, fault)
    try:
        counts = compare(one.audit, one.entries, [delta.leaves for delta in one.deltas])
    except Mismatch as contradiction:
        return Judged(header, one.audit, contradiction)
    except Exception as error:
        return Judged(header, one.audit, None, failed=type(error).__name__)
    return Judged(header, one.audit, None, counts)


def _header(one: Examined) -> Header | None:
    """What the first entry says of the table, whatever contradicts it; unless it is the table of another host than
    the one that has signed this, who would be accused of what it has not said."""
    try:
        entry = one.entries[0]
    except (IndexError, Malformed):
        return None
    if not isinstance(entry, Open) or entry.header.hostkey != one.transcript.head.host:
        return None
    return entry.header


def _audit(one: Examined) -> Mismatch | None:
    """The first contradiction from entry to entry, if there is one."""
    for delta in one.deltas:
        try:
            entry = decode_entry(delta.public)
            events = decode_events(events_of(entry))
            one.audit.read(delta.n, one.heads[delta.n - 1], entry, events)
        except Malformed:
            return Mismatch("malformed", delta.n)
        except Mismatch as fault:
            return fault
        if misplaced(entry, delta.leaves, len(one.audit.table.players)):
            return Mismatch("leaves", delta.n)
    return None


def told_otherwise(one: Examined) -> Mismatch | None:
    """The first entry that tells this viewer something else than it tells everybody; each file has its own."""
    try:
        for delta in one.deltas:
            if delta.private is not None:
                _as_told(delta)
    except Mismatch as fault:
        return fault
    return None


def check_books(one: Examined, fault: Mismatch | None) -> Mismatch | None:
    """Return the first contradiction in a game that is not open and cannot be replayed: the public bookkeeping
    checks the events and the snapshot of this viewer. `fault` is a contradiction that was found before."""
    assert one.header is not None
    seat = one.transcript.head.seat
    snapshot = snapshot_in(one)
    try:
        books = Bookkeeping(one.header, seat if seat is not None and seat < len(one.header.players) else None)
        for delta in one.deltas[: fault.n - 1 if fault is not None else None]:
            books.follow(delta.n, *_as_told(delta))
            if snapshot is not None and snapshot.n == delta.n and not _shows(snapshot, one, books.state):
                return Mismatch("snapshot", delta.n)
    except Mismatch as contradiction:
        return contradiction
    except Exception as error:
        # A fault of this program: it accuses nobody, and what was found without it stays.
        if fault is None:
            one.say(Finding("failed", "damaged", {"error": type(error).__name__}))
    return fault


def _shows(snapshot: SignedView, one: Examined, state: State) -> bool:
    """Whether a snapshot shows the view after its entry. One of another version says nothing here."""
    try:
        view = unpacked(snapshot.packed)
    except Malformed:
        return True
    return snapshot.head == one.heads[snapshot.n] and comparable(view) == comparable(state)


def _as_told(delta: Delta) -> tuple[AnyEntry, list[Event], list[Event]]:
    """An entry, its events as everybody is told them, and as the file's viewer is. Raises Mismatch."""
    try:
        entry = decode_entry(delta.public)
        public = decode_events(events_of(entry))
        told = decode_private(delta.private) if delta.private is not None else []
        return entry, public, merge(delta.n, public, told)
    except Malformed:
        raise Mismatch("malformed", delta.n) from None


def snapshot_in(one: Examined) -> SignedView | None:
    """The snapshot in a file, if the host has signed it for the file's seat."""
    head, packed = one.transcript.head, one.transcript.snapshot
    try:
        shown = decode_view(packed) if packed is not None else None
    except Malformed:
        return None
    if shown is None or not view_signed(one.hosts.at(shown.n + 1).key, head.game_id, head.seat, shown):
        return None
    return shown
