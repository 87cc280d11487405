"""How somebody comes in: both greetings, the proofs of the keys, the code, the welcome."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from citadels_lan import PROTOCOL
from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.log import GameId, Signature

from .message import Message, Name, Number, SeatNumber

MAGIC: Final = "citadels-lan"
VERSIONS: Final = (PROTOCOL, PROTOCOL)
"""The lowest and the highest version of the protocol that this program speaks."""
GUEST: Final = "guest"
"""The capability of a client that runs on the host's computer for somebody elsewhere."""
Version = Annotated[int, Meta(ge=0, le=65535)]
Capability = Annotated[str, Meta(min_length=1, max_length=32)]
Capabilities = Annotated[tuple[Capability, ...], Meta(max_length=16)]
Role: TypeAlias = Literal["player", "spectator"]
Kind: TypeAlias = Literal["code", "token"]
"""What lets somebody in: the three words that are told, or the token of a link."""
PakeShare = Annotated[bytes, Meta(min_length=33, max_length=33)]


class Greeting(Message, frozen=True, array_like=True):
    """What both sides begin with. The first four fields stay the same in every version of the protocol."""

    magic: Literal["citadels-lan"]
    lowest: Version
    highest: Version
    rules: Annotated[str, Meta(max_length=64)]
    capabilities: Capabilities
    nonce: Hash


class Hello(Greeting, frozen=True, array_like=True):
    """C to H, first."""

    type = 1
    role: Role
    name: Name
    key: Hash
    bot: bool


class TableHello(Greeting, frozen=True, array_like=True):
    """H to C, the answer."""

    type = 2
    game: GameId
    key: Hash
    code: bool
    """Whether the key in the hello has to give the table's code."""


class HostProof(Message, frozen=True, array_like=True):
    """H to C: the host's signature of the handshake."""

    type = 3
    signature: Signature


class Join(Message, frozen=True, array_like=True):
    """C to H: the client's signature of the handshake, and how far its transcript is (0 entries: all zero); `said`
    is the host's signature of that entry, None of none."""

    type = 4
    signature: Signature
    n: Number
    head: Hash
    said: Signature | None = None


class CodeShare(Message, frozen=True, array_like=True):
    """C to H: the client's share of the PAKE, and what the password is."""

    type = 5
    kind: Kind
    share: PakeShare


class HostShare(Message, frozen=True, array_like=True):
    """H to C: the host's share."""

    type = 6
    share: PakeShare


class Confirm(Message, frozen=True, array_like=True):
    """Both ways: whoever sends it has the same key, so the same password and the same view of the handshake."""

    type = 7
    mac: Hash


class Welcome(Message, frozen=True, array_like=True):
    """H to C: joined. `seat` is None for spectators, `owner` who may configure and start, `n` the host's last
    entry, `name` the name as the table has it; `head` and `said` are the hash of that entry and the host's
    signature of it (0 entries: all zero, and None)."""

    type = 8
    seat: SeatNumber | None
    owner: bool
    n: Number
    name: Name
    head: Hash = bytes(32)
    said: Signature | None = None
