"""Every message, as a Struct that is checked when it comes in. The frame's type says which; the body is its array.

C to H is what a client sends, H to C what the host sends. Numbers of types are never reused. The entries of the
log are deltas; docs/protocol.md has the order of the messages that hand a game over.
"""

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from citadels_lan import PROTOCOL
from citadels_lan.crypto.commitments import MAX_LINE, Hash, Opening
from citadels_lan.crypto.handover import MOST as HANDOVERS
from citadels_lan.crypto.handover import Passed
from citadels_lan.crypto.log import (
    CALLED_OFF,
    DRAFT_BYTES,
    NAME,
    Agreement,
    CoSignature,
    GameId,
    Handover,
    SeatKind,
    Signature,
    Word,
)
from citadels_lan.crypto.packing import Malformed, pack, typed, unpad
from citadels_lan.engine import SEATS, TableConfig, from_scenario

from .clean import CHAT
from .frames import Frame, encode_frame, encode_packed

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


# Joining


MAGIC: Final = "citadels-lan"
VERSIONS: Final = (PROTOCOL, PROTOCOL)
"""The lowest and the highest version of the protocol that this program speaks."""
Version = Annotated[int, Meta(ge=0, le=65535)]
Capability = Annotated[str, Meta(min_length=1, max_length=32)]
Capabilities = Annotated[tuple[Capability, ...], Meta(max_length=16)]
Role: TypeAlias = Literal["player", "spectator"]
Kind: TypeAlias = Literal["code", "token"]
"""What lets somebody in: the three words that are told, or the token of a link."""
PakeShare = Annotated[bytes, Meta(min_length=33, max_length=33)]


class Greeting(Message, frozen=True, array_like=True):
    """What both sides begin with. The first five fields stay the same in every version of the protocol.
    `rules` is one digest of the rules of all editions, `program` the name and version of the sender."""

    magic: Literal["citadels-lan"]
    lowest: Version
    highest: Version
    rules: Hash
    program: Annotated[str, Meta(max_length=64)]
    capabilities: Capabilities
    nonce: Hash


class Hello(Greeting, frozen=True, array_like=True):
    """C to H, first."""

    type = 1
    role: Role
    name: Name
    key: Hash
    kind: SeatKind


class TableHello(Greeting, frozen=True, array_like=True):
    """H to C, the answer."""

    type = 2
    game: GameId
    key: Hash
    code: bool
    """Whether the key in the hello has to give the table's code."""


class HostProof(Message, frozen=True, array_like=True):
    """H to C: the host's signature of the handshake. If it took the game over: the key and the fingerprint of the
    host that the game began with, and every handover since then."""

    type = 3
    signature: Signature
    first: tuple[Hash, Hash] | None = None
    passed: Annotated[tuple[Passed, ...], Meta(max_length=HANDOVERS)] = ()


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


# Before a game and after it


SeatKey = Annotated[bytes, Meta(max_length=32)]


class Settings(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the table will play, how many of its seats are kept for bots of the host, and whether players may take
    hints."""

    config: TableConfig = from_scenario("first_game", 4)
    bots: Annotated[int, Meta(ge=0, le=MOST)] = 0
    hints: bool = True

    @property
    def players(self) -> int:
        """How many play."""
        return self.config.players


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the lobby. `key` is its player's key, as the host says."""

    name: Name
    kind: SeatKind = SeatKind.PLAYER
    ready: bool = False
    away: bool = False
    owner: bool = False
    key: SeatKey = b""

    @property
    def bot(self) -> bool:
        """Whether a bot plays this seat."""
        return self.kind == SeatKind.BOT

    @property
    def guest(self) -> bool:
        """Whether the seat's client runs on the host's computer, for a player in a browser."""
        return self.kind == SeatKind.GUEST


class LobbyNews(Message, frozen=True, array_like=True):
    """H to C: the whole lobby, whenever something in it changes. `seat` is the receiver's own, `called_off` counts
    the starts of this table that ended after *commits*."""

    type = 12
    settings: Settings
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST)]
    seat: SeatNumber | None
    owner: bool
    called_off: Annotated[int, Meta(ge=0, le=CALLED_OFF)] = 0


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


class Claim(Message, frozen=True, array_like=True):
    """C to H, in the lobby: the seat's signature of its name at this table (see `crypto.seats`)."""

    type = 30
    name: Name
    signature: Signature


class Remove(Message, frozen=True, array_like=True):
    """C to H, of the owner, in the lobby: send whoever has this key away."""

    type = 53
    key: Hash


class Again(Message, frozen=True, array_like=True):
    """H to C, after the game: the same people play again, at a table of the same host. It listens at `port`, is
    known by `game` and `fp`, and keeps the seats of those who sat here."""

    type = 60
    port: Annotated[int, Meta(ge=1, le=65535)]
    game: GameId
    fp: Hash


# In a game: what a seat gives to the log, and how far the log is


ENTRY: Final = 16
"""The type of a frame with a log entry; its body is a delta of docs/protocol.md, section 3."""


class Ack(Message, frozen=True, array_like=True):
    """C to H: all entries up to `n` are checked and in the transcript."""

    type = 17
    n: Number


class SeedCommit(Message, frozen=True, array_like=True):
    """C to H, after *open*: the seat agrees to the header and commits to its part of the seed."""

    type = 18
    agreement: Agreement


class SeedPart(Message, frozen=True, array_like=True):
    """C to H, after *commits*, to the host alone: the part."""

    type = 19
    part: Hash


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
    """C to H, in a sealed draft: what the seat says in entry `n` (see `crypto.draft.record`)."""

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
    `parts` joined are the msgpack map of the view, and the host signs it (see `crypto.client_log`)."""

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


class Cosign(Message, frozen=True, array_like=True):
    """C to H, after a round and after the game: the seat signs the history that ends with entry `n`; after the
    game also its own openings, with its last secret link of sealed drafts."""

    type = 33
    least = LIKE_A_MOVE
    n: Number
    signed: CoSignature
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class EndGame(Message, frozen=True, array_like=True):
    """C to H: the seat's player agrees to end the game without a result after entry `n`. It opens nothing:
    the game continues if another player does not agree."""

    type = 35
    least = LIKE_A_MOVE
    n: Number
    signature: Signature


class EndingSeats(Message, frozen=True, array_like=True):
    """H to C: the seats whose players agree to end the game without a result now; none if no one proposes it."""

    type = 36
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=9)]


class CheckWord(Message, frozen=True, array_like=True):
    """C to H, once *signed*, entry `n`, has the seat's co-signature: its word."""

    type = 34
    n: Number
    word: Word


class Return(Message, frozen=True, array_like=True):
    """C to H: the player is back from the absence that began with entry `n` (see `crypto.seats`)."""

    type = 50
    n: Number
    signature: Signature


# Beside the log


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


class ChatSaid(Message, frozen=True, array_like=True):
    """H to C: somebody's line of chat, with the key that has signed it; `seat` is None for spectators."""

    type = 26
    seat: SeatNumber | None
    name: Name
    key: Hash
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class SubstituteFor(Message, frozen=True, array_like=True):
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


# Handing a game over


PIECE: Final = 4096
"""Bytes of a piece of the journal."""
PIECES: Final = 15
"""Pieces in one message, at most."""


class Copy(Message, frozen=True, array_like=True):
    """H to C: take this game over. The journal has `size` bytes, and these are the ones from byte `at` on. A
    `size` of 0: the game is not handed over after all."""

    type = 80
    size: Annotated[int, Meta(ge=0, le=64 * 1024 * 1024)]
    at: Number
    pieces: Annotated[tuple[Annotated[bytes, Meta(max_length=PIECE)], ...], Meta(max_length=PIECES)]

    def __repr__(self) -> str:
        return f"Copy({self.size}, {self.at})"


class Accept(Message, frozen=True, array_like=True):
    """C to H: the journal is right. This program listens at `port`, and the host may sign this entry."""

    type = 82
    entry: Handover
    port: PortNumber


class TryPort(Message, frozen=True, array_like=True):
    """H to C: connect to this address and see whether the certificate there is `fp`. An address of loopback, or
    none, is one of the host's computer."""

    type = 83
    address: Annotated[str, Meta(max_length=64)]
    port: PortNumber
    fp: Hash


class Tried(Message, frozen=True, array_like=True):
    """C to H: a code of `reasons` why the program with the certificate `fp` was not reached; empty if it was. With
    an `fp` of zeros: why this program does not take the game over; empty if it needs the rest of the journal."""

    type = 84
    fp: Hash
    code: Annotated[str, Meta(max_length=40)]


# All of them

FROM_CLIENT: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        Hello, Join, CodeShare, Confirm, Bye, Pong, Ready, Configure, Start, Ack, SeedCommit, SeedPart, Play,
        Resync, Say, Cosign, CheckWord, Claim, Noise, Return, SubstituteFor, Remove, Pause, SayInDraft,
        EndGame, Accept, Tried,
    )
}  # fmt: skip
FROM_HOST: Final[dict[int, type[Message]]] = {
    kind.type: kind
    for kind in (
        TableHello, HostProof, HostShare, Confirm, Welcome, Bye, Ping, LobbyNews, Granted, Refused, Snapshot,
        Presence, ChatSaid, Noise, Paused, Clock, Standstill, Again, EndingSeats,
        Copy, TryPort,
    )
}  # fmt: skip


def encode(message: Message, least: int | None = None) -> bytes:
    """The whole frame of a message, its body at least that long."""
    return encode_packed(message.type, pack(message), message.least if least is None else least)


@lru_cache(64)
def encode_entry(body: bytes) -> bytes:
    """The frame around a delta's padded body. Most viewers of an entry are sent the same."""
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
