"""The viewer's side of a log: takes deltas one by one and believes nothing.

A snapshot is the view of the table that a host shows a viewer whose log is not there yet. The host signs it, so a
false one is proof, together with the entries up to there (docs/protocol.md, section 15).
"""

import hashlib
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct, ValidationError
from msgspec.msgpack import encode

from citadels_lan.engine import HIDDEN, Event, State, decode_event, decode_state, encode_event, redact
from citadels_lan.engine.state import SECRET_MARKS

from . import log
from .audit import Auditor
from .codec import Field, Malformed, typed, u8, u64, unpack
from .commitments import Hash
from .identity import Identity, verify


class LogStep(Struct, frozen=True):
    """An entry that was taken: `events` as this viewer sees them, `public` as a spectator does, `head` the hash
    after it, `signature` the host's of that."""

    n: int
    entry: log.AnyEntry
    events: tuple[Event, ...]
    public: tuple[Event, ...]
    head: bytes
    signature: bytes


class Admitted(Struct, frozen=True):
    """An entry that the host has signed, as the next one: `head` is the hash after it. What it says is not judged
    yet, and whatever that is, it is the host's word."""

    delta: log.Delta
    head: bytes


class ClientLog:
    """One viewer of one game. `chain.n` and `chain.head` are its last entry and hash, `audit` is its knowledge of
    the game.

    `host` is the host's key. `seat` is None for a spectator. `key` is the viewer's public key: the header must
    have it at the seat. `signature` is the host's of the last head.
    """

    def __init__(
        self,
        game: bytes,
        rules: bytes,
        fp: bytes,
        host: bytes,
        seat: int | None = None,
        *,
        key: bytes | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self.chain = log.Chain(game, rules, fp)
        self.audit = Auditor(game, rules, fp, host)
        self._key = key
        self.signature = b""

    def receive(self, body: bytes) -> LogStep:
        """Take a delta as it came in a frame. Raises what `admit` and `judge` raise."""
        return self.judge(self.admit(body))

    def admit(self, body: bytes) -> Admitted:
        """Whether the host has said this, as the next entry. Raises Malformed, Gap or Unsaid: it has not."""
        delta = log.decode_delta(body)
        head = check_link(self.chain, self.audit.hosts.now.key, delta)
        check_leaf(self.game, self.seat, delta)
        return Admitted(delta, head)

    def judge(self, admitted: Admitted) -> LogStep:
        """Take an entry. Raises Mismatch where it contradicts what came before it, or says nothing: that is proof
        against the host. After that there is nothing left to follow. The chain has the entry in any case."""
        delta, before = admitted.delta, self.chain.head
        # The chain grows first, so that the footer of the file covers a false entry, too.
        self.chain.grow(admitted.head)
        self.signature = delta.signature
        entry, public = audit_entry(self.audit, before, delta)
        events = private_events(delta, public, self.seat)
        if isinstance(entry, log.Open):
            self._check_own(delta.n, entry)
        return LogStep(delta.n, entry, tuple(events), tuple(public), self.chain.head, delta.signature)

    def _check_own(self, n: int, entry: log.Open) -> None:
        if self.seat is not None and self._key is not None:
            players = entry.header.players
            if self.seat >= len(players) or players[self.seat].key != self._key:
                raise log.Mismatch("own_key", n)


def check_link(chain: log.Chain, host: bytes, delta: log.Delta) -> bytes:
    """The head that the delta brings. Gap unless it is the next one, Unsaid unless the key `host` has signed that
    head."""
    if delta.n != chain.n + 1:
        raise log.Gap(chain.n + 1, delta.n)
    head = chain.next_head(delta.public, delta.leaves)
    if not log.entry_signed(host, delta.signature, chain.game, delta.n, head):
        raise log.Unsaid(delta.n)
    return head


def check_leaf(game: bytes, seat: int | None, delta: log.Delta) -> None:
    """Unsaid unless the viewer has its private part exactly where the chain has a leaf for it."""
    expected = None if seat is None else log.split_leaves(delta.leaves).get(seat)
    if expected is None:
        if delta.salt is not None or delta.private is not None:
            raise log.Unsaid(delta.n)
        return
    if delta.salt is None or delta.private is None:
        raise log.Unsaid(delta.n)
    assert seat is not None
    if log.leaf_hash(game, delta.n, seat, delta.salt, delta.private) != expected:
        raise log.Unsaid(delta.n)


def audit_entry(audit: Auditor, before: bytes, delta: log.Delta) -> tuple[log.AnyEntry, list[Event]]:
    """Read the next entry, after hash[n-1] `before`; return it with its public events. Raises Mismatch for an
    entry that cannot be decoded, that contradicts what came before it, or that has leaves without private parts or
    for seats that do not exist."""
    try:
        entry = log.decode_entry(delta.public)
        public = decode_events(log.events_of(entry))
        audit.read(delta.n, before, entry, public)
    except Malformed:
        raise log.Mismatch("malformed", delta.n) from None
    leaves = log.split_leaves(delta.leaves)
    may_have = isinstance(entry, log.EVENTFUL) and leaves and max(leaves) < len(audit.table.players)
    # A leaf where nothing is private could carry a message to one player.
    if delta.leaves and not may_have:
        raise log.Mismatch("leaves", delta.n)
    return entry, public


def private_events(delta: log.Delta, public: list[Event], seat: int | None) -> list[Event]:
    """The events of an entry as this viewer sees them. Raises Mismatch."""
    try:
        told = log.decode_private(delta.private) if delta.private is not None else []
        return merge(delta.n, public, told, seat)
    except Malformed:
        raise log.Mismatch("malformed", delta.n) from None


def decode_events(raw: list[log.RawEvent]) -> list[Event]:
    """Events of the engine from plain arrays; Malformed if one is none, or leaves out what it could leave out."""
    try:
        events = [decode_event(event) for event in raw]
    except (ValidationError, RecursionError):
        raise Malformed("no event") from None
    # Two encodings of one event would give two hashes of one history.
    if encode([encode_event(event) for event in events]) != encode(raw):
        raise Malformed("an event in another form than its own")
    return events


def merge(n: int, public: list[Event], told: list[log.Told], seat: int | None) -> list[Event]:
    """The events of entry `n`, with the private ones of the viewer in their places. Mismatch `private_event`
    unless the public ones show only what a spectator may see, and each private one adds only what this seat may
    see."""
    # A public event with hidden values would show them to all viewers.
    if any(redact(event, None) != event for event in public):
        raise log.Mismatch("private_event", n)
    events, indices = list(public), [private.index for private in told]
    if indices != sorted(set(indices)) or any(index >= len(events) for index in indices):
        raise log.Mismatch("private_event", n)
    for index, event in zip(indices, decode_events([private.event for private in told]), strict=True):
        if redact(event, None) != events[index] or redact(event, seat) != event:
            raise log.Mismatch("private_event", n)
        events[index] = event
    return events


def told_to(seat: int, events: Sequence[Event], public: Sequence[Event]) -> list[log.Told]:
    """The events that a seat sees in another form than a spectator, who sees the `public` ones."""
    pairs = enumerate(zip(events, public, strict=True))
    hiding = [(index, event, open_) for index, (event, open_) in pairs if event is not open_]
    own = ((index, redact(event, seat), open_) for index, event, open_ in hiding)
    return [log.Told(index, encode_event(event)) for index, event, open_ in own if event != open_]


SPECTATOR = 255
"""The number of a spectator in the place of a seat."""


class SignedView(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot as it came: the view after entry `n`, whose hash is `head`, in `parts` of its packed bytes."""

    n: Annotated[int, Meta(ge=1, le=log.MAX_ENTRIES)]
    head: Hash
    parts: Annotated[tuple[Annotated[bytes, Meta(max_length=4096)], ...], Meta(max_length=15)]
    signature: log.Signature

    @property
    def packed(self) -> bytes:
        """The packed view."""
        return b"".join(self.parts)


def decode_view(packed: bytes) -> SignedView:
    """The snapshot in an `S` record, its signature unchecked. Raises Malformed."""
    return typed(unpack(packed), SignedView)


def sign_view(host: Identity, game: bytes, n: int, head: bytes, seat: int | None, packed: bytes) -> bytes:
    """The host's signature of the view that it shows a seat, or spectators (None)."""
    return host.sign("snapshot", *view_fields(game, n, head, seat, packed))


def view_signed(host: bytes, game: bytes, seat: int | None, shown: SignedView) -> bool:
    """Whether the host has shown just this to this seat."""
    fields = view_fields(game, shown.n, shown.head, seat, shown.packed)
    return verify(host, shown.signature, "snapshot", *fields)


def view_fields(game: bytes, n: int, head: bytes, seat: int | None, packed: bytes) -> tuple[Field, ...]:
    """The fields that the host signs of a snapshot, under the tag `snapshot`."""
    return game, u64(n), head, u8(SPECTATOR if seat is None else seat), hashlib.sha256(packed).digest()


def unpacked_view(packed: bytes) -> State:
    """The view in a snapshot. Raises Malformed."""
    try:
        return decode_state(unpack(packed))
    except (ValidationError, RecursionError):
        raise Malformed("not a view") from None


def comparable(state: State) -> State:
    """A view without what only the seat's own client knows: the same from the host's view and from the own one."""
    seen = state.copy()
    seen.marks = [mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen
