"""The messages of seats in a sealed draft (docs/protocol.md, section on sealed drafts).

Every message of one kind, at one place of one plan, has one length, whatever is in it.
"""

from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash, Seat
from citadels_lan.crypto.packing import pack, typed, unpack

from .secrets import SEALED

Sealed = Annotated[bytes, Meta(min_length=SEALED, max_length=SEALED)]


class DraftMessage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of what a seat says in a sealed draft; the first element of the array is the kind."""


class Begun(DraftMessage, frozen=True, array_like=True, tag=0):
    """At the beginning of a round, from every seat: the link of its first chain, and its box key."""

    link: Hash
    box: Hash


class Dealt(DraftMessage, frozen=True, array_like=True, tag=1):
    """The dealer's layout: the face-up characters in order, a byte for the place of each in the cast, and the
    commitments to the face-down one and to the packet."""

    face_up: Annotated[bytes, Meta(max_length=8)]
    face_down: Hash | None
    packet: Hash


class PassedOn(DraftMessage, frozen=True, array_like=True, tag=2):
    """A pick: commitments to the character, to the one that is laid aside, and to what is left. `box` has that for
    the next seat; there is none after the last step."""

    pick: Hash
    aside: Hash | None
    packet: Hash
    box: Sealed | None


class GivenBack(DraftMessage, frozen=True, array_like=True, tag=3):
    """The dealer's box with the face-down character for the last seat, once that seat is to pick."""

    box: Sealed


class Complained(DraftMessage, frozen=True, array_like=True, tag=4):
    """The box of an entry does not hold for this seat what it should; `secret` is the seat's box secret of this
    round, with which everyone opens the box."""

    entry: Annotated[int, Meta(ge=0, lt=2**32)]
    secret: Hash


class HandedOver(DraftMessage, frozen=True, array_like=True, tag=5):
    """An exchange: a character for another seat. The seat that receives it gives one back in the same way."""

    to: Seat
    given: Hash
    box: Sealed


class CallReply(DraftMessage, frozen=True, array_like=True, tag=6):
    """The nonce that opens one of the seat's commitments to the character that is called; zeros for no."""

    nonce: Hash


TOGETHER: Final = (Begun, CallReply)
"""What all seats that have to say it say in one entry."""
NOT_HELD: Final = CallReply(bytes(32))

AnyDraftMessage: TypeAlias = Begun | Dealt | PassedOn | GivenBack | Complained | HandedOver | CallReply
_MESSAGE: Any = AnyDraftMessage  # a union is a type to msgspec only


def encode_message(message: AnyDraftMessage) -> bytes:
    """Return the bytes that are signed and published."""
    return pack(message)


def decode_message(what: bytes) -> AnyDraftMessage:
    """Return the message of these bytes; Malformed for everything else."""
    message: AnyDraftMessage = typed(unpack(what), _MESSAGE)
    return message
