"""What is said beside the log: who is there, who is waited for and how long, the chat, pauses, noise."""

from typing import Annotated, Final

from msgspec import Meta, Struct, field

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.log import Signature
from citadels_lan.net.wire.clean import CHAT

from .message import LIKE_A_MOVE, MOST, Code, Details, Message, Name, Number, PortNumber, SeatNumber

LONGEST: Final = 3600
"""Seconds of the soft time for a decision, at most."""


class Bye(Message, frozen=True, array_like=True):
    """Both ways, last: why the connection ends, a code of `reasons`. The same in every version of the protocol."""

    type = 9
    code: Code
    details: Details = field(default_factory=dict)


class Ping(Message, frozen=True, array_like=True):
    """H to C: are you there? `n` is the host's last entry."""

    type = 10
    mark: Number
    n: Number


class Pong(Message, frozen=True, array_like=True):
    """C to H: the mark of the ping."""

    type = 11
    mark: Number


class Presence(Message, frozen=True, array_like=True):
    """H to C, during the game: the seats that are away, and those that the table waits for."""

    type = 24
    away: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]
    waiting: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]


class Say(Message, frozen=True, array_like=True):
    """C to H: a line of chat, numbered and signed by who says it."""

    type = 25
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class Said(Message, frozen=True, array_like=True):
    """H to C: somebody's line of chat, with the key that has signed it; `seat` is None for spectators."""

    type = 26
    seat: SeatNumber | None
    name: Name
    key: Hash
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class StandInFor(Message, frozen=True, array_like=True):
    """C to H, of the host's own person: let a bot of this level move for a seat whose player is gone."""

    type = 52
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=32)]
    """Empty for the table's own."""


class Pause(Message, frozen=True, array_like=True):
    """C to H, of anybody with a seat: begin or end a pause."""

    type = 54
    paused: bool


class Paused(Message, frozen=True, array_like=True):
    """H to C: whether there is a pause, and who has begun or ended it (None: the host)."""

    type = 55
    paused: bool
    seat: SeatNumber | None


class Clock(Message, frozen=True, array_like=True):
    """H to C: the soft time for each decision, and what of it is gone for this one, in seconds. Nothing is decided
    by it."""

    type = 56
    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    gone: Annotated[int, Meta(ge=0, le=LONGEST)]


class Noise(Message, frozen=True, array_like=True):
    """Both ways, during the game: nothing. From a client it looks like a move, from the host like what comes of
    one."""

    type = 28
    least = LIKE_A_MOVE


class Standstill(Message, frozen=True, array_like=True):
    """H to C: the game stands still for a reason of the host's, a code of `reasons`; empty once it goes on."""

    type = 42
    code: Annotated[str, Meta(max_length=40)]


AddressNumber = Annotated[bytes, Meta(min_length=4, max_length=16)]


class HeardAt(Message, frozen=True, array_like=True):
    """C to H, of a seat during the game: the UDP port at which the other clients reach this one."""

    type = 70
    port: PortNumber


class Neighbour(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where the client of a seat is reached by the others: `number` is an address of 4 or 16 bytes."""

    seat: SeatNumber
    number: AddressNumber
    port: PortNumber

    def __post_init__(self) -> None:
        if len(self.number) not in (4, 16):
            raise ValueError("an address has 4 or 16 bytes")


class Neighbours(Message, frozen=True, array_like=True):
    """H to C, to the seats during the game: where their clients are reached, as far as they have said it."""

    type = 71
    of: Annotated[tuple[Neighbour, ...], Meta(max_length=MOST)]
