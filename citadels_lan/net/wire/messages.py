"""Every message, as a Struct that is checked when it comes in. The frame's type says which; the body is its array.

C to H is what a client sends, H to C what the host sends. Numbers of types are never reused.
"""

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from citadels_lan import PROTOCOL
from citadels_lan.crypto.chain import LEAF
from citadels_lan.crypto.commitments import MAX_LINE, Hash, Opening
from citadels_lan.crypto.delta import MAX_ENTRIES
from citadels_lan.crypto.log import NAME, GameId, Signature
from citadels_lan.crypto.packing import Malformed, pack, typed, unpad
from citadels_lan.engine import SEATS, TableConfig, from_scenario

from .clean import CHAT
from .frames import Frame, encode_frame, encode_packed

MAGIC: Final = "citadels-lan"
VERSIONS: Final = (PROTOCOL, PROTOCOL)
"""The lowest and the highest version of the protocol that this program speaks."""
ENTRY: Final = 16
"""The type of a frame with a log entry; its body is a delta of docs/protocol.md, section 3."""
LIKE_A_MOVE: Final = 1024
"""Bytes that a move, a share in a round and noise are padded to."""

LONGEST: Final = 3600
"""Seconds of the soft time for a decision, at most."""
MOST: Final = len(SEATS)
"""A table has at most so many."""

Version = Annotated[int, Meta(ge=0, le=65535)]
Number = Annotated[int, Meta(ge=0, le=2**32)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME)]
SeatKey = Annotated[bytes, Meta(max_length=32)]
Code = Annotated[str, Meta(min_length=1, max_length=40)]
DetailName = Annotated[str, Meta(max_length=32)]
Details = Annotated[dict[DetailName, Any], Meta(max_length=16)]
Capability = Annotated[str, Meta(min_length=1, max_length=32)]
Capabilities = Annotated[tuple[Capability, ...], Meta(max_length=16)]
AddressNumber = Annotated[bytes, Meta(min_length=4, max_length=16)]
PortNumber = Annotated[int, Meta(ge=1, le=65535)]
Role: TypeAlias = Literal["player", "spectator"]
Kind: TypeAlias = Literal["code", "token"]
"""What lets somebody in: the three words that are told, or the token of a link."""
PakeShare = Annotated[bytes, Meta(min_length=33, max_length=33)]


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all messages. `type` is the type of its frame, `least` the least length of its padded body."""

    type: ClassVar[int]
    least: ClassVar[int] = 0


GUEST: Final = "guest"
"""The capability of a client that runs on the host's computer for somebody elsewhere."""


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


class Bye(Message, frozen=True, array_like=True):
    """Both ways, last: why the connection ends, a code of `reasons`. The same in every version of the protocol."""

    type = 9
    code: Code
    details: Details = {}


class Ping(Message, frozen=True, array_like=True):
    """H to C: are you there? `n` is the host's last entry."""

    type = 10
    mark: Number
    n: Number


class Pong(Message, frozen=True, array_like=True):
    """C to H: the mark of the ping."""

    type = 11
    mark: Number


class Settings(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the table will play, how many of its seats are kept for bots of the host, and how many seats together
    can open what another machine needs to go on as the host: 0 for no number of them; and whether players may take
    hints."""

    config: TableConfig = from_scenario("first_game", 4)
    bots: Annotated[int, Meta(ge=0, le=MOST)] = 0
    migrate: Annotated[int, Meta(ge=0, le=MOST)] = 0
    hints: bool = True

    @property
    def players(self) -> int:
        """How many play."""
        return self.config.players


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One who sits in the lobby. `key` is whose the seat is, by the host's word; `guest`: who plays through the
    host's computer."""

    name: Name
    bot: bool = False
    ready: bool = False
    away: bool = False
    owner: bool = False
    key: SeatKey = b""
    guest: bool = False


class LobbyNews(Message, frozen=True, array_like=True):
    """H to C: the whole lobby, whenever something in it changes. `seat` is the receiver's own."""

    type = 12
    settings: Settings
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST)]
    seat: SeatNumber | None
    owner: bool


class Ready(Message, frozen=True, array_like=True):
    """C to H: ready, or not any more."""

    type = 13
    ready: bool


class Configure(Message, frozen=True, array_like=True):
    """C to H, from the owner: other settings."""

    type = 14
    settings: Settings


class Start(Message, frozen=True, array_like=True):
    """C to H, from the owner: begin."""

    type = 15


class Ack(Message, frozen=True, array_like=True):
    """C to H: all entries up to `n` are checked and in the transcript."""

    type = 17
    n: Number


class SeedCommit(Message, frozen=True, array_like=True):
    """C to H, after *open*: the commitment to the seat's part of the seed, the anchor of its beacons, and the
    seat's signature of both and of the header; where it is to get a share, the key to which that is sealed."""

    type = 18
    commit: Hash
    anchor: Hash
    signature: Signature
    box: Hash | None = None


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


class Refused(Message, frozen=True, array_like=True):
    """H to C: what was asked for is not done. `about` is the type of the message, `n` the entry a move was for."""

    type = 21
    about: Annotated[int, Meta(ge=0, le=255)]
    n: Number
    code: Code
    details: Details = {}


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


class Here(Message, frozen=True, array_like=True):
    """C to H, between rounds: the seat takes part in the one to come, with the history that ends with hash[n].
    `disputes`: it was left out before although it had sent its part."""

    type = 27
    least = LIKE_A_MOVE
    n: Number
    signature: Signature
    disputes: bool


class Beacon(Message, frozen=True, array_like=True):
    """C to H, once entry `n` has said who takes part: the seat's link, and after the game its own openings."""

    type = 29
    least = LIKE_A_MOVE
    n: Number
    link: Hash
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class Claim(Message, frozen=True, array_like=True):
    """C to H, in the lobby: the seat's signature of its name at this table (see `crypto.claims`)."""

    type = 30
    name: Name
    signature: Signature


class Return(Message, frozen=True, array_like=True):
    """C to H: the owner of the seat is back, and moves itself again; `n` is the entry with the stand-in that ends
    here (see `crypto.stand_ins`)."""

    type = 50
    n: Number
    signature: Signature
    disputes: bool


class Entrusted(Message, frozen=True, array_like=True):
    """H to C: the openings of what stand-ins have sealed for this seat."""

    type = 51
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class StandInFor(Message, frozen=True, array_like=True):
    """C to H, of the host's own person: let a bot of this level move for a seat whose player is gone."""

    type = 52
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=32)]
    """Empty for the table's own."""


class Remove(Message, frozen=True, array_like=True):
    """C to H, of the owner, in the lobby: send whoever has this key away."""

    type = 53
    key: Hash


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


class TakesOver(Message, frozen=True, array_like=True):
    """H to C, to seats: a bot moves for a player who is gone `after` so many seconds, None for only where the
    host's person says so; `level` is which, empty where none ever does. Whoever becomes the host goes on so."""

    type = 57
    after: Annotated[int, Meta(ge=0, le=86_400)] | None
    level: Annotated[str, Meta(max_length=32)]


class Noise(Message, frozen=True, array_like=True):
    """Both ways, during the game: nothing. From a client it looks like a move, from the host like what comes of
    one."""

    type = 28
    least = LIKE_A_MOVE


class Lack(Message, frozen=True, array_like=True):
    """H to C, of a host that has come back with a shorter log: hand me the entries after `n`."""

    type = 40
    n: Number


class Handed(Message, frozen=True, array_like=True):
    """C to H, the answer to *lack*, once for each entry: entry `n` as the host has signed it, without what was for
    this seat alone. With a move of one's own go its signature and the openings that the host had with it; with the
    last links of a game the openings that came with them. Else they are nil and empty."""

    type = 41
    least = LIKE_A_MOVE
    n: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)]
    signature: Signature
    public: Annotated[bytes, Meta(max_length=4096)]
    leaves: Annotated[bytes, Meta(max_length=MOST * LEAF)]
    own: Signature | None
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class Standstill(Message, frozen=True, array_like=True):
    """H to C: the game stands still for a reason of the host's, a code of `reasons`; empty once it goes on."""

    type = 42
    code: Annotated[str, Meta(max_length=40)]


class Again(Message, frozen=True, array_like=True):
    """H to C, after the game: the same people play again, at a table of the same host. It listens at `port`, is
    known by `game` and `fp`, and keeps the seats of those who sat here."""

    type = 60
    port: Annotated[int, Meta(ge=1, le=65535)]
    game: GameId
    fp: Hash


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


FROM_CLIENT: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        Hello, Join, CodeShare, Confirm, Bye, Pong, Ready, Configure, Start, Ack, SeedCommit, SeedPart, Play,
        Resync, Say, Here, Beacon, Claim, Noise, Return, StandInFor, Remove, Pause, Handed, HeardAt,
    )
}  # fmt: skip
FROM_HOST: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        TableHello, HostProof, HostShare, Confirm, Welcome, Bye, Ping, LobbyNews, Refused, Snapshot, Presence,
        Said, Noise, Entrusted, Paused, Clock, TakesOver, Lack, Standstill, Again, Neighbours,
    )
}  # fmt: skip


def encode(message: Message, least: int | None = None) -> bytes:
    """The whole frame of a message, its body at least that long."""
    return encode_packed(message.type, pack(message), message.least if least is None else least)


def encode_entry(body: bytes) -> bytes:
    """The frame around a delta's padded body."""
    return encode_frame(ENTRY, body)


def decode(frame: Frame, known: dict[int, type[Message]]) -> Message:
    """The message in a frame; `known` are those that the other side may send. Raises Malformed."""
    kind = known.get(frame.type)
    if kind is None:
        raise Malformed("no such message from this side")
    message = typed(unpad(frame.body), kind)
    if isinstance(message, Bye | Refused):
        _check_details(message.details)
    return message


def _check_details(details: dict[str, Any]) -> None:
    for value in details.values():
        if not (isinstance(value, str) and len(value) <= 256) and not isinstance(value, int):
            raise Malformed("details of another kind")
