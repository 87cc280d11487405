"""What one viewer is sent of an entry."""

from collections.abc import Iterable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS

from .chain import LEAF
from .log import Signature, Told, decode_entry, decode_private, encode_private, events_of
from .packing import pack, pad, typed, unpad

SALT: Final = 16
LONGEST: Final = max((*DISTRICTS, *CHARACTERS), key=len)
"""The longest name that a hidden card can have."""
MAX_ENTRIES: Final = 10_000
"""Entries of a game at most, and so of a transcript."""


class Delta(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Entry `n` for one viewer. `signature` is the host's of hash[n]; `leaves` are the leaves of all seats; `salt`
    and `private` are there when the viewer is told something of its own."""

    n: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)]
    signature: Signature
    public: Annotated[bytes, Meta(max_length=4096)]
    leaves: Annotated[bytes, Meta(max_length=9 * LEAF)]
    salt: Annotated[bytes, Meta(min_length=16, max_length=16)] | None
    private: Annotated[bytes, Meta(max_length=4096)] | None


def encode_delta(delta: Delta, size: int = 0) -> bytes:
    """The padded body of a frame; `size` is the longest packed delta of this entry for any viewer."""
    return pad(pack(delta), size)


def decode_delta(body: bytes) -> Delta:
    """The delta in a padded body; Malformed for everything else."""
    return typed(unpad(body), Delta)


def longest(delta: Delta, private: Iterable[bytes]) -> int:
    """How long the longest delta of an entry would be if all names hidden in it were the longest there are: what
    was drawn or picked must not show in a frame's length. `delta` is that of spectators."""
    sizes = [len(pack(delta))]
    told = [decode_private(data) for data in private]
    events = events_of(decode_entry(delta.public)) if told else []
    for seat in told:
        widest = [Told(event.index, _widest(events[event.index])) for event in seat]
        sizes.append(len(pack(replace(delta, salt=bytes(SALT), private=encode_private(widest)))))
    return max(sizes)


def _widest(plain: Any) -> Any:
    if isinstance(plain, list | tuple):
        return [_widest(part) for part in plain]
    return LONGEST if plain == HIDDEN else plain
