"""What seats tell each other of going on without a host that is gone, by multicast (docs/protocol.md, section 17).

A datagram is an array [magic, version, game, what], told apart from the heads of section 13 by its length.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash, Seat
from citadels_lan.crypto.frames import Field, u8, u64
from citadels_lan.crypto.log import GameId, Signature
from citadels_lan.crypto.migration.agreement import Proposal
from citadels_lan.crypto.packing import pack, typed, unpack
from citadels_lan.crypto.signed_head import MAGIC, Number, SignedHead

MAX_TELLING: Final = 1024
"""Bytes of such a datagram at most."""
Sealed = Annotated[bytes, Meta(min_length=49, max_length=49)]


class Telling(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of what is told; the first element of the array says what."""


class Willing(Telling, frozen=True, array_like=True, tag=1):
    """This seat would go on without the host; its log ends with entry `n`, as the host's signature shows. `able`:
    its machine can be the host."""

    n: Number
    head: Hash
    hostsig: Signature
    able: bool
    seat: Seat
    signature: Signature

    @property
    def end(self) -> SignedHead:
        """The end of its log."""
        return SignedHead(self.n, self.head, self.hostsig)

    def fields(self, game: bytes) -> tuple[Field, ...]:
        """What is signed of it, under the tag `willing`."""
        return game, u64(self.n), self.head, u8(self.able), u8(self.seat)


class Proposed(Telling, frozen=True, array_like=True, tag=2):
    """The machine of this seat is to be the host after entry `n`; it has signed that itself."""

    n: Number
    head: Hash
    seat: Seat
    host: Hash
    fp: Hash
    signature: Signature

    @property
    def proposal(self) -> Proposal:
        """What is proposed."""
        return Proposal(self.n, self.head, self.seat, self.host, self.fp)


class Consent(Telling, frozen=True, array_like=True, tag=3):
    """A seat agrees to what the seat `to` has proposed with the key `host`, and gives it its share."""

    n: Number
    to: Seat
    host: Hash
    seat: Seat
    signature: Signature
    share: Sealed


class Moved(Telling, frozen=True, array_like=True, tag=4):
    """The host is another one: `entry` is the public part of the entry after entry `n` by which it has begun. It
    listens on `port` of the machine that this comes from."""

    n: Number
    head: Hash
    entry: Annotated[bytes, Meta(max_length=900)]
    port: Annotated[int, Meta(ge=1, le=65535)]


AnyTelling: TypeAlias = Willing | Proposed | Consent | Moved
_TELLING: Any = AnyTelling


class Envelope(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A datagram."""

    magic: Literal["citadels-lan"]
    version: Literal[2]
    game_id: GameId
    what: list[Any]


def wrap(game: bytes, what: AnyTelling) -> bytes:
    """The datagram."""
    return pack((MAGIC, 2, game, what))


def unwrap(game: bytes, datagram: bytes) -> AnyTelling | None:
    """What a datagram tells, its signatures unchecked; None where it is of another game, or none of these. Raises
    Malformed."""
    if len(datagram) > MAX_TELLING or not datagram.startswith(pack((MAGIC, 2, game)).replace(b"\x93", b"\x94", 1)):
        return None
    told: AnyTelling = typed(typed(unpack(datagram), Envelope).what, _TELLING)
    return told
