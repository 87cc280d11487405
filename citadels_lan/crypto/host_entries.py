"""The entries of a host: as its journal has them, and as each viewer is sent them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.engine import Event, encode_event, redact
from citadels_lan.engine.events import Revealed

from .commitments import WIDTH, Hash, Opening, Seat
from .delta import Delta, encode_delta, longest
from .log import OPENING_BYTES, OPENINGS, EndSignature, Signature, Told, encode_private
from .packing import pack, typed, unpack

KEPT: Final = 128
"""So many entries are kept as they are sent; older ones are made again for whoever comes back. What spectators are
sent is made again once, for all of them."""


class Written(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An entry as the host's journal has it. `private` are the private bytes by seat; `openings` came with a move
    or with the co-signatures after the game. `said` is the signature of the entry by the host before this one, if
    it is another one's; `parts` are the parts of the seed by seat, in the record of the first deal; `ends` are the
    signatures of an agreed end, in each record of *close*. It holds secrets of all seats: it never leaves the
    host."""

    n: int
    public: bytes
    private: tuple[tuple[Seat, bytes], ...] = ()
    openings: tuple[Opening, ...] = ()
    said: Signature | None = None
    parts: tuple[Hash, ...] = ()
    ends: tuple[EndSignature, ...] = ()


def encode_record(written: Written) -> bytes:
    """A journal record, without its length."""
    return pack(written)


def decode_record(data: bytes) -> Written:
    """The entry of a journal record; Malformed for everything else."""
    return typed(unpack(data), Written)


def told_to(seat: int, events: Sequence[Event], public: Sequence[Event]) -> list[Told]:
    """The events that a seat is told differently from a spectator, who is told the `public` ones."""
    pairs = enumerate(zip(events, public, strict=True))
    hiding = [(index, event, open_) for index, (event, open_) in pairs if event is not open_]
    own = ((index, redact(event, seat), open_) for index, event, open_ in hiding)
    return [Told(index, encode_event(event)) for index, event, open_ in own if event != open_]


def batches(openings: Sequence[Opening]) -> list[tuple[Opening, ...]]:
    """The openings in entries as few as their limits allow; at least one, which may be empty."""
    made: list[tuple[Opening, ...]] = [()]
    for opening in openings:
        longer = (*made[-1], opening)
        if len(longer) <= OPENINGS and len(pack(longer)) <= OPENING_BYTES:
            made[-1] = longer
        else:
            made.append((opening,))
    return made


def private_parts(seats: int, events: Sequence[Event], public: Sequence[Event]) -> tuple[tuple[int, bytes], ...]:
    """The private bytes by seat, of those that are told more than the `public` events."""
    told = {seat: told_to(seat, events, public) for seat in range(seats)}
    return tuple((seat, encode_private(own)) for seat, own in told.items() if own)


def by_commitment(what: str | bytes, openings: Sequence[Opening]) -> dict[bytes, Opening]:
    """The openings of a move, by the commitment that each of them opens."""
    if isinstance(what, str):
        return {}
    return {what[at * WIDTH : (at + 1) * WIDTH]: opening for at, opening in enumerate(openings)}


def openings_shown(held: Mapping[bytes, Opening], events: Sequence[Event], round_: int) -> tuple[Opening, ...]:
    """The openings of the picks that the events reveal."""
    lines = [f"pick {event.character}" for event in events if isinstance(event, Revealed)]
    return tuple(own for line in lines for own in held.values() if (own.round, own.line) == (round_, line))


class Bodies:
    """The bodies of the entries of one game. `delta` is what a viewer is told of an entry; those of the last
    entries are kept."""

    def __init__(self, seats: int, written: Sequence[Written], delta: Callable[[int, int | None], Delta]) -> None:
        self._seats = seats
        self._written = written
        self._delta = delta
        self._last: OrderedDict[int, dict[int | None, bytes]] = OrderedDict()
        self._history: dict[int, bytes] = {}

    def by_viewer(self, n: int) -> dict[int | None, bytes]:
        """The body of entry `n` for every seat and for spectators (None), all padded to the same length, which
        does not depend on what is hidden."""
        private = dict(self._written[n - 1].private)
        public = self._delta(n, None)
        size = longest(public, private.values())
        shared = encode_delta(public, size)
        own = {viewer: encode_delta(self._delta(n, viewer), size) for viewer in private}
        return dict.fromkeys((None, *range(self._seats)), shared) | own

    def of(self, n: int, viewer: int | None) -> bytes:
        """The body of entry `n` for one viewer."""
        if viewer is None and n not in self._last:
            return self._public(n)
        if n not in self._last:
            self._last[n] = self.by_viewer(n)
            if len(self._last) > KEPT:
                self._last.popitem(last=False)
        return self._last[n][viewer]

    def _public(self, n: int) -> bytes:
        """The body of an old entry for all spectators, who come late and are many."""
        if n not in self._history:
            public = self._delta(n, None)
            private = dict(self._written[n - 1].private).values()
            self._history[n] = encode_delta(public, longest(public, private))
        return self._history[n]
