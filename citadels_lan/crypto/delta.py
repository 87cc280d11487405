"""What one viewer is sent of an entry."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from .chain import LEAF
from .packing import pack, pad, typed, unpad

CHECK = 4
"""So many bytes of the new head go along, to find a lost thread at once."""
MAX_ENTRIES: Final = 20_000
"""Entries of a game at most, and so of a transcript."""


class Delta(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Entry `n` for one viewer. `check` begins hash[n]; `leaves` are the leaves of all seats; `salt` and `private`
    are there when the viewer is told something of its own."""

    n: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)]
    check: Annotated[bytes, Meta(min_length=CHECK, max_length=CHECK)]
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
