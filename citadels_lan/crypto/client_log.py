"""A viewer's side of a log: takes deltas one by one and checks all of them. `Owner` is a seat's own client with
its secret: it makes hidden and sealed moves, opens them, and drafts. All of that follows from one 32-byte key
for the game and from the log, so a client can continue after a crash.

A snapshot is the host's view of the table for a viewer whose log is still catching up. The host signs it, so a
false one is proof, together with the entries up to there (docs/protocol.md, section 15).
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct, ValidationError
from msgspec.msgpack import encode

from citadels_lan.crypto import log
from citadels_lan.crypto.auditor import Auditor, Committed
from citadels_lan.crypto.codec import Field, Malformed, digest, pack, u8, u64, unpack
from citadels_lan.crypto.commitments import Hash, Opening, Seat, conceal, manner, recover, seal
from citadels_lan.crypto.draft.drafts import link_opening
from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.crypto.draft.secrets import LINKS, DraftSecret, own_link
from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.engine import HIDDEN, Event, State, decode_event, decode_state, encode_event, redact
from citadels_lan.engine.state import SECRET_MARKS


class FileHead(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The game and the viewer of a log, written at the head of the viewer's transcript. `host` is the key
    that has signed the first entries, `seat` is None for a spectator, and `key` signs the footer."""

    game_id: log.GameId
    rules: Hash
    fp: Hash
    host: Hash
    seat: Seat | None
    key: Hash


class LogStep(Struct, frozen=True):
    """An entry that this viewer has checked. `events` are the events as this viewer sees them, and `head` is
    the hash of the entry."""

    n: int
    entry: log.AnyEntry
    events: tuple[Event, ...]
    head: bytes


class Admitted(Struct, frozen=True):
    """A delta that the host has signed as the next entry; `head` is the hash of the entry. Its content is not
    checked so far. If the content is false, it is proof against the host."""

    delta: log.Delta
    head: bytes


class ClientLog:
    """The log of one game as one viewer receives it. `chain.n` and `chain.head` are the last entry and its
    hash. `audit` is the `Auditor` that has read the entries. `signature` is the host's signature of the last
    entry. If the viewer has a seat, the header must contain the viewer's key for that seat."""

    def __init__(self, head: FileHead) -> None:
        self.game = head.game_id
        self.seat = head.seat
        self.chain = log.Chain(head.game_id, head.rules, head.fp)
        self.audit = Auditor(head.game_id, head.rules, head.fp, head.host)
        self._key = head.key
        self.signature = b""

    def receive(self, body: bytes) -> LogStep:
        """Decode and check the padded delta `body`, and add it to the log. Raises what `admit` and `judge`
        raise."""
        return self.judge(self.admit(body))

    def admit(self, body: bytes) -> Admitted:
        """Decode the padded delta `body`, and check that the host has signed it as the next entry. Return it;
        the log is unchanged. Raises Malformed for bytes that are no delta, Gap if it is not the next entry,
        Unsaid if the host has not signed it."""
        delta = log.decode_delta(body)
        head = check_link(self.chain, self.audit.hosts.now.key, delta)
        check_leaf(self.game, self.seat, delta)
        return Admitted(delta, head)

    def judge(self, admitted: Admitted) -> LogStep:
        """Check the content of an entry that `admit` has returned. The chain contains the entry in any case.
        Raises Mismatch if the entry contradicts the log or cannot be decoded: that is proof against the host,
        and this `ClientLog` must not be used again."""
        delta, before = admitted.delta, self.chain.head
        # The chain grows first, so that the footer of the file covers a false entry, too.
        self.chain.grow(admitted.head)
        self.signature = delta.signature
        entry, public = audit_entry(self.audit, before, delta)
        events = private_events(delta, public, self.seat)
        if isinstance(entry, log.Open) and self.seat is not None:
            own = entry.header.players[self.seat : self.seat + 1]
            if [player.key for player in own] != [self._key]:
                raise log.Mismatch("own_key", delta.n)
        return LogStep(delta.n, entry, tuple(events), self.chain.head)


def check_link(chain: log.Chain, host: bytes, delta: log.Delta) -> bytes:
    """Return the hash of the entry in `delta`. Raises Gap if it is not the next entry of `chain`, Unsaid if
    the key `host` has not signed the hash."""
    if delta.n != chain.n + 1:
        raise log.Gap(chain.n + 1, delta.n)
    head = log.entry_hash(chain.head, delta.n, delta.public, delta.leaves)
    if not log.entry_signed(host, delta.signature, chain.game, delta.n, head):
        raise log.Unsaid(delta.n)
    return head


def check_leaf(game: bytes, seat: int | None, delta: log.Delta) -> None:
    """Check the private part of a delta. If the entry has a leaf for `seat`, the private part must be present
    and have this hash. Otherwise, and for a spectator (`seat` None), there must be none. Raises Unsaid."""
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
    """Let `audit` read the entry in `delta`; `before` is hash[n-1]. Return the entry and its public events.
    Raises Mismatch for an entry that cannot be decoded, that contradicts the log, that has leaves but no
    events, or that has leaves for seats that do not exist."""
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
    """Return the events of an entry as `seat` sees them: the `public` events, some of them replaced by the
    private events in `delta`. Raises Mismatch: `private_event` if a public event shows what a spectator may
    not see, or a private event differs from its public form in what this seat may not see; `malformed` for
    bytes that are no events."""
    events, wrong = list(public), log.Mismatch("private_event", delta.n)
    try:
        told = log.decode_private(delta.private) if delta.private is not None else []
        indices = [private.index for private in told]
        # A public event with hidden values would show them to all viewers.
        shows = any(redact(event, None) != event for event in public)
        if shows or indices != sorted(set(indices)) or any(index >= len(events) for index in indices):
            raise wrong
        for index, event in zip(indices, decode_events([private.event for private in told]), strict=True):
            if redact(event, None) != events[index] or redact(event, seat) != event:
                raise wrong
            events[index] = event
    except Malformed:
        raise log.Mismatch("malformed", delta.n) from None
    return events


def decode_events(raw: list[log.RawEvent]) -> list[Event]:
    """Decode events of the engine from plain arrays. Raises Malformed if an array is no event, or is not the
    shortest encoding of the event."""
    try:
        events = [decode_event(event) for event in raw]
    except (ValidationError, RecursionError):
        raise Malformed("no event") from None
    # Two encodings of one event would give two hashes of one history.
    if encode([encode_event(event) for event in events]) != encode(raw):
        raise Malformed("an event in another form than its own")
    return events


def private_parts(seats: int, events: Sequence[Event], public: Sequence[Event]) -> dict[int, bytes]:
    """Return the packed private events by seat. `events` are complete, and `public` are the same events as
    spectators see them. A seat gets the events that it sees in another form than spectators. Seats without
    such events are left out."""
    pairs = enumerate(zip(events, public, strict=True))
    hiding = [(index, event, open_) for index, (event, open_) in pairs if event is not open_]
    parts: dict[int, bytes] = {}
    for seat in range(seats) if hiding else ():
        own = ((index, redact(event, seat), open_) for index, event, open_ in hiding)
        if told := [log.Told(index, encode_event(event)) for index, event, open_ in own if event != open_]:
            parts[seat] = pack(told)
    return parts


SPECTATOR = 255
"""The number that is signed in place of a seat if the viewer is a spectator."""


class SignedView(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot as received: the packed view after entry `n`, cut into `parts`. `head` is hash[n], the head
    of the log after that entry."""

    n: Annotated[int, Meta(ge=1, le=log.MAX_ENTRIES)]
    head: Hash
    parts: Annotated[tuple[Annotated[bytes, Meta(max_length=4096)], ...], Meta(max_length=15)]
    signature: log.Signature

    @property
    def packed(self) -> bytes:
        """All `parts` joined: the packed view."""
        return b"".join(self.parts)


def sign_view(host: Identity, game: bytes, n: int, head: bytes, seat: int | None, packed: bytes) -> bytes:
    """Sign the packed view after entry `n` that the host sends to a seat, or to spectators (`seat` None).
    `head` is hash[n]."""
    return host.sign("snapshot", *view_fields(game, n, head, seat, packed))


def view_signed(host: bytes, game: bytes, seat: int | None, shown: SignedView) -> bool:
    """Return whether the key `host` has signed the snapshot `shown` for this seat (None: for spectators)."""
    fields = view_fields(game, shown.n, shown.head, seat, shown.packed)
    return verify(host, shown.signature, "snapshot", *fields)


def view_fields(game: bytes, n: int, head: bytes, seat: int | None, packed: bytes) -> tuple[Field, ...]:
    """Return the fields that the host signs for a snapshot, under the tag `snapshot`: the game, the entry,
    its head, the seat, and the SHA-256 of the packed view."""
    return game, u64(n), head, u8(SPECTATOR if seat is None else seat), hashlib.sha256(packed).digest()


def unpacked_view(packed: bytes) -> State:
    """Return the view that `packed` encodes. Raises Malformed."""
    try:
        return decode_state(unpack(packed))
    except (ValidationError, RecursionError):
        raise Malformed("not a view") from None


def comparable(state: State) -> State:
    """Return a copy of a view in which the character under each sealed marker is hidden. The host does not
    know these characters, so its view can be compared with that of a client only in this form."""
    seen = state.copy()
    seen.marks = [mark.but(character=HIDDEN) if mark.kind in SECRET_MARKS else mark for mark in seen.marks]
    return seen


WORD: Final = 16
"""Length in bytes of the random word in a co-signature."""


class Owner(Struct, frozen=True):
    """The client that owns a seat in a game. `key` is the client's 32-byte secret for this game, from which
    its nonces, words and draft secrets follow."""

    key: bytes
    game: bytes
    seat: int

    def __repr__(self) -> str:
        return f"Owner({self.game.hex()}, {self.seat})"

    def anchors(self, header: log.Header) -> tuple[bytes, ...]:
        """Return the two chain commitments that this seat publishes in *commits*; () if the draft of the game
        is open."""
        return tuple(own_link(self.key, self.game, self.seat, chain, 0) for chain in "xy" if header.draft)

    def hand(self, audit: Auditor, round_: int) -> DraftHand | None:
        """Return this seat's side of the sealed draft of round `round_`. None: the draft is open, the round
        has not begun, or the hash chain has no link for it."""
        rounds = audit.drafts.rounds if audit.drafts is not None else []
        # A chain has one link for each round. After the last one no one can begin a draft.
        if not 0 < round_ <= min(len(rounds), LINKS):
            return None
        x, y = (own_link(self.key, self.game, self.seat, chain, round_) for chain in "xy")
        record = rounds[round_ - 1]
        return DraftHand(record, DraftSecret(record.table, self.seat, y), x, {})

    def opened_at_the_end(self, audit: Auditor) -> list[Opening]:
        """Return the openings that this seat gives after the game: those of its sealed moves that the log has
        not opened, and one with the secret of its last sealed draft (the last used link of its second hash
        chain)."""
        hand = self.hand(audit, len(audit.drafts.rounds)) if audit.drafts is not None else None
        link = [] if hand is None else [link_opening(hand.record.table.number, self.seat, hand.secret.y)]
        return [*self.sealed(audit), *link]

    def word(self, head: bytes) -> bytes:
        """Return the 16-byte word to which this seat's co-signature of `head` commits. No one else can
        predict the word, and it is the same after a crash."""
        return digest("own-word", self.key, self.game, head)[:WORD]

    def prepare(self, audit: Auditor, head: bytes, line: str) -> tuple[str | bytes, tuple[Opening, ...]]:
        """Prepare `line` as this seat's move in the entry after `head`. Return the text or commitments to
        sign and publish, and the openings to send:
        - hidden move: commitments, and their openings for the host alone;
        - sealed move: the sealed line, and no openings;
        - open move: the line; if it reveals a sealed marker, also the opening of that sealed move, which all
          players receive.
        """
        place = (head, audit.round, self.seat, audit.concealed.slot(self.seat))
        match manner(line):
            case "hidden":
                return conceal(self.key, self.game, *place, line)
            case "sealed":
                return seal(self.key, self.game, *place, line), ()
        breaking = audit.concealed.breaks(self.seat, line)
        return line, () if breaking is None else tuple(self._opened([breaking[1]]))

    def sealed(self, audit: Auditor) -> list[Opening]:
        """Return the openings of this seat's sealed moves that the log has not opened."""
        return self._opened(place for _, place in audit.concealed.sealed_by(self.seat))

    def _opened(self, sealed: Iterable[Committed]) -> list[Opening]:
        found = (
            recover(self.key, self.game, place.before, place.round, self.seat, place.slot, place.sealed)
            for place in sealed
            if place.sealed is not None
        )
        return [opening for opening in found if opening is not None]
