"""What seats say in a sealed draft, and how they sign it (docs/protocol.md, section 17).

Every message of one kind, at one place of one plan, has one length, whatever is in it.
"""

from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash, Seat
from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.crypto.packing import pack, typed, unpack

from .boxes import SEALED

Sealed = Annotated[bytes, Meta(min_length=SEALED, max_length=SEALED)]
Small = Annotated[int, Meta(ge=0, lt=128)]
"""One byte in every case."""
NO_NONCE: Final = bytes(32)


class DraftMessage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of what a seat says in a sealed draft; the first element of the array is the kind."""


class Dealt(DraftMessage, frozen=True, array_like=True, tag=0):
    """The dealer has laid the characters out: the face-up ones in order, a byte for the place of each in the cast,
    and the commitments to the face-down one and to the packet. Where the face-down one goes back, `back` is a box
    with it for the last seat, and `token` the commitment to what opens it."""

    face_up: Annotated[bytes, Meta(max_length=8)]
    face_down: Hash | None
    packet: Hash
    back: Sealed | None
    token: Hash | None


class PassedOn(DraftMessage, frozen=True, array_like=True, tag=1):
    """A seat has picked, and maybe laid one aside: commitments to both and to what is left. `box` has that for the
    next seat; after the last step there is none."""

    pick: Hash
    aside: Hash | None
    packet: Hash
    box: Sealed | None


class PassedAgain(DraftMessage, frozen=True, array_like=True, tag=2):
    """The seat that the packet was for is left out: the same packet in a box for the next one."""

    box: Sealed


class Complained(DraftMessage, frozen=True, array_like=True, tag=3):
    """A box of this draft, by its number, does not hold for this seat what it should."""

    box: Small


class KeyShown(DraftMessage, frozen=True, array_like=True, tag=4):
    """The answer to that: the secret key that has sealed the box, and the token if it opens with one."""

    secret: Hash
    token: Hash


class HandedOver(DraftMessage, frozen=True, array_like=True, tag=5):
    """An exchange: a character for another seat, committed to and boxed. Who is given one gives one back so."""

    to: Seat
    given: Hash
    box: Sealed


class CallReply(DraftMessage, frozen=True, array_like=True, tag=6):
    """Whether this seat holds the character that is called: 0 for no, else the number, from 1, of the commitment
    among those of this seat that the nonce opens."""

    held: Small
    nonce: Hash


NOT_HELD: Final = CallReply(0, NO_NONCE)

AnyDraftMessage: TypeAlias = Dealt | PassedOn | PassedAgain | Complained | KeyShown | HandedOver | CallReply
_MESSAGE: Any = AnyDraftMessage  # a union is a type to msgspec only


def encode_message(message: AnyDraftMessage) -> bytes:
    """The bytes that are signed and published."""
    return pack(message)


def decode_message(what: bytes) -> AnyDraftMessage:
    """The message that these bytes say; Malformed for everything else."""
    message: AnyDraftMessage = typed(unpack(what), _MESSAGE)
    return message


def sign_draft(identity: Identity, game: bytes, n: int, before: bytes, seat: int, what: bytes) -> bytes:
    """A seat's signature of a message in entry `n`; `before` is hash[n-1]."""
    return identity.sign("draft-said", game, u64(n), before, u8(seat), what)


def draft_signed(key: bytes, signature: bytes, game: bytes, n: int, before: bytes, seat: int, what: bytes) -> bool:
    """Whether `key` has signed that."""
    return verify(key, signature, "draft-said", game, u64(n), before, u8(seat), what)
