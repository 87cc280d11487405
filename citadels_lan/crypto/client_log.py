"""The viewer's side of a log: takes deltas one by one and believes nothing."""

import hmac
from typing import Any

from msgspec import Struct
from msgspec.msgpack import encode

from citadels_lan.engine import EVENTS, Event

from .audit import Auditor
from .chain import Chain, leaf_hash, split_leaves
from .delta import CHECK, Delta, decode_delta
from .faults import Gap, Mismatch
from .log import (
    AnyEntry,
    Commits,
    Move,
    Open,
    Parts,
    RawEvent,
    TableMove,
    Told,
    decode_entry,
    decode_private,
    events_of,
)
from .packing import Malformed, typed
from .seed import part_commitment

_EVENTS: Any = list[EVENTS]


class LogStep(Struct, frozen=True):
    """An entry that was taken: `events` as this viewer is told them, `head` the hash after it."""

    n: int
    entry: AnyEntry
    events: tuple[Event, ...]
    head: bytes


class ClientLog:
    """One viewer of one game. `chain.n` and `chain.head` say how far it is, `audit` what it has learned.

    `seat` is None for a spectator. `key` is the viewer's public key: the header must have it at the seat. `part`
    and `anchor` are its own part of the seed and the end of its beacons, which must go into the game as they were.
    `host` is the host's key if known.
    """

    def __init__(
        self,
        game: bytes,
        rules: str,
        fp: bytes,
        seat: int | None = None,
        *,
        key: bytes | None = None,
        part: bytes | None = None,
        anchor: bytes | None = None,
        host: bytes | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self.chain = Chain(game, rules, fp)
        self.audit = Auditor(game, rules, fp)
        self._key = key
        self._part = part
        self._anchor = anchor
        self._host = host

    def receive(self, body: bytes) -> LogStep:
        """Take a delta as it came in a frame. Raises Malformed, Gap or Mismatch.

        A Gap changes nothing. After Malformed or Mismatch there is nothing left to follow.
        """
        return self.take(decode_delta(body))

    def take(self, delta: Delta) -> LogStep:
        """Take a decoded delta; see `receive`."""
        head = check_link(self.chain, delta)
        check_leaf(self.game, self.seat, delta)
        entry = decode_entry(delta.public)
        public = decode_events(events_of(entry))
        told = decode_private(delta.private) if delta.private is not None else []
        events = merge(public, told)
        self.audit.read(delta.n, self.chain.head, entry, public)
        if misplaced(entry, delta.leaves):
            raise Malformed("leaves in an entry that tells nobody anything")
        self._check_own(delta.n, entry)
        return LogStep(delta.n, entry, tuple(events), self.chain.grow(head))

    def _check_own(self, n: int, entry: AnyEntry) -> None:
        if isinstance(entry, Open):
            if self._host not in (None, entry.header.hostkey):
                raise Mismatch("host", n)
            if self.seat is not None and self._key is not None:
                players = entry.header.players
                if self.seat >= len(players) or players[self.seat].key != self._key:
                    raise Mismatch("own_key", n)
        elif isinstance(entry, Commits) and self.seat is not None:
            part, anchor = self._part, self._anchor
            if part is not None and entry.commits[self.seat] != part_commitment(self.game, self.seat, part):
                raise Mismatch("own_part", n)
            if anchor is not None and entry.anchors[self.seat] != anchor:
                raise Mismatch("own_part", n)
        elif (
            isinstance(entry, Parts)
            and self.seat is not None
            and self._part is not None
            and entry.parts[self.seat] != self._part
        ):
            raise Mismatch("own_part", n)


def check_link(chain: Chain, delta: Delta) -> bytes:
    """The head that the delta brings. Gap unless it is the next one, Mismatch unless its bytes give the head that
    it announces."""
    if delta.n != chain.n + 1:
        raise Gap(chain.n + 1, delta.n)
    head = chain.next_head(delta.public, delta.leaves)
    if not hmac.compare_digest(head[:CHECK], delta.check):
        raise Mismatch("hash", delta.n)
    return head


def check_leaf(game: bytes, seat: int | None, delta: Delta) -> None:
    """Mismatch unless the viewer has its private part exactly where the chain has a leaf for it."""
    try:
        leaves = split_leaves(delta.leaves)
    except ValueError:
        raise Malformed("the leaves are not in order") from None
    expected = None if seat is None else leaves.get(seat)
    if expected is None:
        if delta.salt is not None or delta.private is not None:
            raise Mismatch("leaf", delta.n)
        return
    if delta.salt is None or delta.private is None:
        raise Mismatch("leaf", delta.n)
    assert seat is not None
    if leaf_hash(game, delta.n, seat, delta.salt, delta.private) != expected:
        raise Mismatch("leaf", delta.n)


def misplaced(entry: AnyEntry, leaves: bytes) -> bool:
    """Whether an entry has leaves that may have none. In a seal or close they would be the only bytes that the
    host's signature there does not cover."""
    return bool(leaves) and not isinstance(entry, (Move, TableMove))


def decode_events(raw: list[RawEvent]) -> list[Event]:
    """Events of the engine from plain arrays; Malformed if one is none, or leaves out what it could leave out."""
    events: list[Event] = typed(raw, _EVENTS)
    if encode(events) != encode(raw):
        raise Malformed("an event in another form than its own")
    return events


def merge(public: list[Event], told: list[Told]) -> list[Event]:
    """The events of an entry with those that the viewer is told differently in their places."""
    events = list(public)
    indices = [private.index for private in told]
    if indices != sorted(set(indices)) or any(index >= len(events) for index in indices):
        raise Malformed("private events without their places")
    for private, event in zip(told, decode_events([private.event for private in told]), strict=True):
        if type(event) is not type(events[private.index]):
            raise Malformed("a private event of another kind")
        events[private.index] = event
    return events
