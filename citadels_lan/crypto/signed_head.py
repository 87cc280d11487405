"""What clients tell each other without the host: which head it signed for them (docs/protocol.md, section 13).

A datagram carries the host's own signature, so whoever has another history holds two of them: proof of a fork.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from .chain import entry_signed
from .commitments import Hash, Seat
from .frames import u8, u64
from .identity import Identity, verify
from .log import GameId, Header, Signature
from .packing import Malformed, pack, typed, unpack

MAGIC: Final = "citadels-lan"
MAX_DATAGRAM: Final = 512
"""Bytes; a longer datagram is none of ours."""

Number = Annotated[int, Meta(ge=1, le=2**63 - 1)]


class SignedHead(Struct, frozen=True):
    """An entry that the host has signed: `head` is hash[n], and `hostsig` the host's signature of it."""

    n: int
    head: bytes
    hostsig: bytes


class Heard(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A datagram: a signed head (see `SignedHead`), and who says so. `sig` is that of the seat; empty for a
    spectator, whose `seat` is None."""

    magic: Literal["citadels-lan"]
    version: Literal[2]
    game_id: GameId
    n: Number
    head: Hash
    hostsig: Signature
    seat: Seat | None
    sig: Annotated[bytes, Meta(max_length=64)]

    def __post_init__(self) -> None:
        if len(self.sig) != (0 if self.seat is None else 64):
            raise ValueError("a seat signs, and a spectator does not")

    @property
    def sealed(self) -> SignedHead:
        """What it says that the host has signed."""
        return SignedHead(self.n, self.head, self.hostsig)


def make(game: bytes, sealed: SignedHead, seat: int | None, identity: Identity | None) -> Heard:
    """What the client of a seat, whose key is `identity`, says of its last seal; a spectator needs no key."""
    sig = b""
    if seat is not None:
        assert identity is not None
        sig = identity.sign("heard", game, u8(seat), u64(sealed.n), sealed.head)
    return Heard(MAGIC, 2, game, sealed.n, sealed.head, sealed.hostsig, seat, sig)


def encode(heard: Heard) -> bytes:
    """The datagram."""
    return pack(heard)


def decode(datagram: bytes) -> Heard:
    """What a datagram says, its signatures unchecked; Malformed for everything else, of another game too."""
    if len(datagram) > MAX_DATAGRAM:
        raise Malformed("a datagram that is too long")
    return typed(unpack(datagram), Heard)


def beginning(game: bytes) -> bytes:
    """The bytes with which every datagram of a game begins, so that others cost next to nothing."""
    return pack((MAGIC, 2, game)).replace(b"\x93", b"\x98", 1)


def valid(heard: Heard, header: Header) -> bool:
    """Whether it is of this game, and both the seat's signature and that of the host are genuine.

    The seat's comes first: the host may sign what it likes, but cannot speak for a seat.
    """
    ours = heard.game_id == header.game_id
    return ours and _seat_signed(heard, header) and host_signed(heard.sealed, header.game_id, header.hostkey)


def host_signed(sealed: SignedHead, game: bytes, host: bytes) -> bool:
    """Whether the host with this key has signed this head (docs/protocol.md, section 3)."""
    return entry_signed(host, sealed.hostsig, game, sealed.n, sealed.head)


def _seat_signed(heard: Heard, header: Header) -> bool:
    if heard.seat is None:
        return True
    if heard.seat >= len(header.players):
        return False
    fields = (header.game_id, u8(heard.seat), u64(heard.n), heard.head)
    return verify(header.players[heard.seat].key, heard.sig, "heard", *fields)
