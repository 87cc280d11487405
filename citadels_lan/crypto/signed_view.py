"""A view of the table that a host shows somebody whose log is not there yet, and signs (docs/protocol.md,
section 15): so a false one is proof, together with the entries up to there.
"""

import hashlib
from typing import Annotated

from msgspec import Meta, Struct, ValidationError

from citadels_lan.engine import HIDDEN, State, decode_state
from citadels_lan.engine.state import SECRET_MARKS

from .commitments import Hash
from .delta import MAX_ENTRIES
from .frames import Field, u8, u64
from .identity import Identity, verify
from .log import Signature
from .packing import Malformed, typed, unpack

SPECTATOR = 255
"""What stands for the seat of somebody who has none."""


class SignedView(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot as it came: the view after entry `n`, whose hash is `head`, in `parts` of its packed bytes."""

    n: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)]
    head: Hash
    parts: Annotated[tuple[Annotated[bytes, Meta(max_length=4096)], ...], Meta(max_length=15)]
    signature: Signature

    @property
    def packed(self) -> bytes:
        """The packed view."""
        return b"".join(self.parts)


def decode(packed: bytes) -> SignedView:
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
    """What the host signs of a snapshot, under the tag `snapshot`."""
    return game, u64(n), head, u8(SPECTATOR if seat is None else seat), hashlib.sha256(packed).digest()


def unpacked(packed: bytes) -> State:
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
