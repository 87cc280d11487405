"""What every message is, and the fields that several messages have."""

from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta, Struct

from citadels_lan.crypto.log import NAME
from citadels_lan.engine import SEATS

LIKE_A_MOVE: Final = 1024
"""Bytes that a move, a share in a round and noise are padded to."""
MOST: Final = len(SEATS)
"""A table has at most so many."""
Number = Annotated[int, Meta(ge=0, le=2**32)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME)]
Code = Annotated[str, Meta(min_length=1, max_length=40)]
DetailName = Annotated[str, Meta(max_length=32)]
Details = Annotated[dict[DetailName, Any], Meta(max_length=16)]
PortNumber = Annotated[int, Meta(ge=1, le=65535)]


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all messages. `type` is the type of its frame, `least` the least length of its padded body."""

    type: ClassVar[int]
    least: ClassVar[int] = 0
