"""The viewer's side of a log: takes deltas one by one and believes nothing."""

from msgspec import Struct, ValidationError
from msgspec.msgpack import encode

from citadels_lan.engine import Event, decode_event, encode_event, redact

from .audit import Auditor
from .chain import Chain, entry_signed, leaf_hash, split_leaves
from .delta import Delta, decode_delta
from .faults import Gap, Mismatch, Unsaid
from .log import EVENTFUL, AnyEntry, Open, RawEvent, Told, decode_entry, decode_private, events_of
from .packing import Malformed


class LogStep(Struct, frozen=True):
    """An entry that was taken: `events` as this viewer is told them, `public` as everybody is, `head` the hash
    after it, `signature` the host's of that."""

    n: int
    entry: AnyEntry
    events: tuple[Event, ...]
    public: tuple[Event, ...]
    head: bytes
    signature: bytes


class Admitted(Struct, frozen=True):
    """An entry that the host has signed, as the next one: `head` is the hash after it. What it says is not judged
    yet, and whatever that is, it is the host's word."""

    delta: Delta
    head: bytes


class ClientLog:
    """One viewer of one game. `chain.n` and `chain.head` say how far it is, `audit` what it has learned.

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
        self.chain = Chain(game, rules, fp)
        self.audit = Auditor(game, rules, fp, host)
        self._key = key
        self.signature = b""

    def receive(self, body: bytes) -> LogStep:
        """Take a delta as it came in a frame. Raises what `admit` and `judge` raise."""
        return self.judge(self.admit(body))

    def admit(self, body: bytes) -> Admitted:
        """Whether the host has said this, as the next entry. Raises Malformed, Gap or Unsaid: it has not."""
        delta = decode_delta(body)
        head = check_link(self.chain, self.audit.hosts.now.key, delta)
        check_leaf(self.game, self.seat, delta)
        return Admitted(delta, head)

    def judge(self, admitted: Admitted) -> LogStep:
        """Take an entry. Raises Mismatch where it contradicts what came before it, or says nothing: that is proof
        against the host. After that there is nothing left to follow. The chain has the entry in any case."""
        before = self.chain.head
        self.chain.grow(admitted.head)
        self.signature = admitted.delta.signature
        try:
            return self._judge(admitted.delta, before)
        except Malformed:
            raise Mismatch("malformed", admitted.delta.n) from None

    def _judge(self, delta: Delta, before: bytes) -> LogStep:
        entry = decode_entry(delta.public)
        header = entry.header if isinstance(entry, Open) else self.audit.header
        if header is not None and misplaced(entry, delta.leaves, len(header.players)):
            raise Mismatch("leaves", delta.n)
        public = decode_events(events_of(entry))
        told = decode_private(delta.private) if delta.private is not None else []
        events = merge(delta.n, public, told)
        self.audit.read(delta.n, before, entry, public)
        self._check_own(delta.n, entry)
        return LogStep(delta.n, entry, tuple(events), tuple(public), self.chain.head, delta.signature)

    def _check_own(self, n: int, entry: AnyEntry) -> None:
        if isinstance(entry, Open) and self.seat is not None and self._key is not None:
            players = entry.header.players
            if self.seat >= len(players) or players[self.seat].key != self._key:
                raise Mismatch("own_key", n)


def check_link(chain: Chain, host: bytes, delta: Delta) -> bytes:
    """The head that the delta brings. Gap unless it is the next one, Unsaid unless the key `host` has signed that
    head."""
    if delta.n != chain.n + 1:
        raise Gap(chain.n + 1, delta.n)
    head = chain.next_head(delta.public, delta.leaves)
    if not entry_signed(host, delta.signature, chain.game, delta.n, head):
        raise Unsaid(delta.n)
    return head


def check_leaf(game: bytes, seat: int | None, delta: Delta) -> None:
    """Unsaid unless the viewer has its private part exactly where the chain has a leaf for it."""
    expected = None if seat is None else leaves_in(delta.leaves).get(seat)
    if expected is None:
        if delta.salt is not None or delta.private is not None:
            raise Unsaid(delta.n)
        return
    if delta.salt is None or delta.private is None:
        raise Unsaid(delta.n)
    assert seat is not None
    if leaf_hash(game, delta.n, seat, delta.salt, delta.private) != expected:
        raise Unsaid(delta.n)


def misplaced(entry: AnyEntry, leaves: bytes, seats: int) -> bool:
    """Whether an entry has leaves that tells nobody anything in private, or some that are none of these seats."""
    found = leaves_in(leaves)
    return bool(leaves) and not (isinstance(entry, EVENTFUL) and found and max(found) < seats)


def leaves_in(joined: bytes) -> dict[int, bytes]:
    """The leaves of an entry by seat; none where they are not in order."""
    try:
        return split_leaves(joined)
    except ValueError:
        return {}


def decode_events(raw: list[RawEvent]) -> list[Event]:
    """Events of the engine from plain arrays; Malformed if one is none, or leaves out what it could leave out."""
    try:
        events = [decode_event(event) for event in raw]
    except (ValidationError, RecursionError):
        raise Malformed("no event") from None
    if encode([encode_event(event) for event in events]) != encode(raw):
        raise Malformed("an event in another form than its own")
    return events


def merge(n: int, public: list[Event], told: list[Told]) -> list[Event]:
    """The events of entry `n` with those that the viewer is told differently in their places. Mismatch
    `private_event` unless each of these is the public one with what is hidden there."""
    events = list(public)
    if not told:
        return events
    indices = [private.index for private in told]
    if indices != sorted(set(indices)) or any(index >= len(events) for index in indices):
        raise Mismatch("private_event", n)
    for private, event in zip(told, decode_events([private.event for private in told]), strict=True):
        if redact(event, None) != events[private.index]:
            raise Mismatch("private_event", n)
        events[private.index] = event
    return events
