"""What a seat gives to the log, and what it and the host say of how far that is. The entries themselves are
deltas."""

from typing import Annotated, Any, Final

from msgspec import Meta, field

from citadels_lan.crypto.commitments import MAX_LINE, Hash, Opening
from citadels_lan.crypto.log import DRAFT_BYTES, Signature

from .message import LIKE_A_MOVE, Code, Details, Message, Number

ENTRY: Final = 16
"""The type of a frame with a log entry; its body is a delta of docs/protocol.md, section 3."""


class Ack(Message, frozen=True, array_like=True):
    """C to H: all entries up to `n` are checked and in the transcript."""

    type = 17
    n: Number


class SeedCommit(Message, frozen=True, array_like=True):
    """C to H, after *open*: the commitment to the seat's part of the seed, the anchor of its beacons, and the
    seat's signature of both and of the header; where the draft is sealed, its box and the anchor of its second
    chain."""

    type = 18
    commit: Hash
    anchor: Hash
    signature: Signature
    box: Hash | None = None
    draft: Hash | None = None


class SeedPart(Message, frozen=True, array_like=True):
    """C to H, after *commits*: the part, and the signature of the head."""

    type = 19
    part: Hash
    signature: Signature


class Play(Message, frozen=True, array_like=True):
    """C to H: a move as entry `n`. `what` is the line, a sealed line, or commitments whose openings go to the host
    alone; with an open line, `openings` break a seal for everybody."""

    type = 20
    least = LIKE_A_MOVE
    n: Number
    what: Any
    signature: Signature
    openings: Annotated[tuple[Opening, ...], Meta(max_length=2)]

    def __post_init__(self) -> None:
        if not isinstance(self.what, str | bytes) or not 1 <= len(self.what) <= MAX_LINE:
            raise ValueError("neither a line nor commitments")


class SayInDraft(Message, frozen=True, array_like=True):
    """C to H, in a sealed draft: what the seat says in entry `n`, or its reply to the call that is to become entry
    `n` (see `crypto.draft.messages`)."""

    type = 32
    least = LIKE_A_MOVE
    n: Number
    what: Annotated[bytes, Meta(min_length=1, max_length=DRAFT_BYTES)]
    signature: Signature


class Granted(Message, frozen=True, array_like=True):
    """H to C: what a person asked for is done, and what came of it was sent before. `about` is the type of the
    message."""

    type = 31
    about: Annotated[int, Meta(ge=0, le=255)]


class Refused(Message, frozen=True, array_like=True):
    """H to C: what was asked for is not done. `about` is the type of the message, `n` the entry a move was for."""

    type = 21
    about: Annotated[int, Meta(ge=0, le=255)]
    n: Number
    code: Code
    details: Details = field(default_factory=dict)


class Snapshot(Message, frozen=True, array_like=True):
    """H to C: what the viewer may know after entry `n`, to be shown until its log is there; then compared.
    `parts` joined are the msgpack map of the view, and the host signs it (see `crypto.signed_view`)."""

    type = 22
    n: Number
    head: Hash
    parts: Annotated[tuple[Annotated[bytes, Meta(max_length=4096)], ...], Meta(max_length=15)]
    signature: Signature


class Resync(Message, frozen=True, array_like=True):
    """C to H: send the entries after `n` again; `head` is hash[n]."""

    type = 23
    n: Number
    head: Hash


class Here(Message, frozen=True, array_like=True):
    """C to H, between rounds: the seat takes part in the one to come, with the history that ends with hash[n].
    `disputes`: it was left out before although it had sent its part."""

    type = 27
    least = LIKE_A_MOVE
    n: Number
    signature: Signature
    disputes: bool


class Beacon(Message, frozen=True, array_like=True):
    """C to H, once entry `n` has said who takes part: the seat's link, and after the game its own openings; after
    one with sealed drafts also the last link of its second chain."""

    type = 29
    least = LIKE_A_MOVE
    n: Number
    link: Hash
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]
    draft: Hash | None = None


class Return(Message, frozen=True, array_like=True):
    """C to H: the owner of the seat is back, and moves itself again; `n` is the entry with the stand-in that ends
    here (see `crypto.stand_ins`)."""

    type = 50
    n: Number
    signature: Signature
    disputes: bool


class Entrusted(Message, frozen=True, array_like=True):
    """H to C: the openings of what stand-ins have sealed for this seat; with what key one drafts for it in this
    round."""

    type = 51
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]
    draft: Hash | None = None

    def __repr__(self) -> str:
        return "Entrusted()"
