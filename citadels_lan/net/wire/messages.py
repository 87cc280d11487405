"""The frames, `u32 length | u8 type | body`, and the messages in them. A body is one msgpack array, with zeros up
to its bucket.

Each message is a Struct, which checks every field when the message comes in. The type of its frame selects the
Struct. Numbers of types are never used again.

C to H is what a client sends, H to C what the host sends. The entries of the log are deltas; docs/protocol.md
has the order of the messages that hand a game over."""

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from citadels_lan import PROTOCOL
from citadels_lan.crypto import log
from citadels_lan.crypto.client_log import SignedView
from citadels_lan.crypto.codec import MAX_BODY, Malformed, bucket, pack, pad, typed, unpad
from citadels_lan.crypto.commitments import MAX_LINE, Hash, Opening
from citadels_lan.crypto.log import GameId, SeatKind, Signature
from citadels_lan.crypto.signatures import HANDOVERS, Passed
from citadels_lan.engine import SEATS, TableConfig, from_scenario

from .clean import CHAT

HEADER: Final = 5
STRANGER: Final = 4096
"""Longest body before the peer is known, in bytes."""
KNOWN: Final = MAX_BODY
"""Longest body afterwards, in bytes."""


class Frame(Struct, frozen=True):
    """One frame as it came: its type and its body, padding included."""

    type: int
    body: bytes


def next_frame(buffer: bytearray, limit: int = STRANGER) -> Frame | None:
    """Take the first frame out of a buffer; None if it is not complete. `limit` is the longest accepted body, in
    bytes. Raises Malformed, and changes nothing then: the next frame cannot be found."""
    if len(buffer) < HEADER:
        return None
    length = int.from_bytes(buffer[:4], "big")
    if not 0 < length <= limit or bucket(length) != length:
        raise Malformed("no body has this length")
    end = HEADER + length
    if len(buffer) < end:
        return None
    frame = Frame(buffer[4], bytes(buffer[HEADER:end]))
    del buffer[:end]
    return frame


def encode_frame(kind: int, body: bytes) -> bytes:
    """Return a frame around a padded body."""
    if not 0 < len(body) <= KNOWN or bucket(len(body)) != len(body):
        raise ValueError("the body is not padded, or too long")
    return len(body).to_bytes(4, "big") + bytes((kind,)) + body


LIKE_A_MOVE: Final = 1024
"""Bytes that a move, a share in a round and noise are padded to."""
MOST: Final = len(SEATS)
"""Most seats of a table."""
Number = Annotated[int, Meta(ge=0, le=2**32)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST)]
Name = Annotated[str, Meta(min_length=1, max_length=log.NAME)]
Code = Annotated[str, Meta(min_length=1, max_length=40)]
DetailName = Annotated[str, Meta(max_length=32)]
Detail = Annotated[str, Meta(max_length=256)] | int
Details = Annotated[dict[DetailName, Detail], Meta(max_length=16)]
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
"""The secret of a player who joins: the three words of the join code, or the token in a link."""
PakeShare = Annotated[bytes, Meta(min_length=33, max_length=33)]


class Greeting(Message, frozen=True, array_like=True):
    """The first message of both sides. The first five fields stay the same in every version of the protocol.
    `rules` is one digest of the rules of all editions, `program` the name and version of the sender."""

    magic: Literal["citadels-lan"]
    lowest: Version
    highest: Version
    rules: Hash
    program: Annotated[str, Meta(max_length=64)]
    capabilities: Capabilities
    nonce: Hash


class Hello(Greeting, frozen=True, array_like=True):
    """C to H, the first message: the player or spectator who wants to join. `kind` is the kind of player: a
    person or a bot."""

    type = 1
    role: Role
    name: Name
    key: Hash
    kind: SeatKind


class TableHello(Greeting, frozen=True, array_like=True):
    """H to C, the answer to `Hello`: the game and the host's key."""

    type = 2
    game: GameId
    key: Hash
    code: bool
    """Whether this client has to give the table's code."""


class HostProof(Message, frozen=True, array_like=True):
    """H to C: the host's signature of the handshake. If it took the game over: the key and the fingerprint of
    the host that the game began with, and every handover since then."""

    type = 3
    signature: Signature
    first: tuple[Hash, Hash] | None = None
    passed: Annotated[tuple[Passed, ...], Meta(max_length=HANDOVERS)] = ()


class Join(Message, frozen=True, array_like=True):
    """C to H: the client's signature of the handshake, and the last entry of its transcript: `said` is the
    host's signature of it. Without entries `n` and `head` are zero, and `said` is None."""

    type = 4
    signature: Signature
    n: Number
    head: Hash
    said: Signature | None = None


class CodeShare(Message, frozen=True, array_like=True):
    """C to H: the client's share of the PAKE, and the kind of its password."""

    type = 5
    kind: Kind
    share: PakeShare


class HostShare(Message, frozen=True, array_like=True):
    """H to C: the host's share of the PAKE."""

    type = 6
    share: PakeShare


class Confirm(Message, frozen=True, array_like=True):
    """Both ways: proves that the sender has computed the same key, and so has the same password and handshake."""

    type = 7
    mac: Hash


class Welcome(Message, frozen=True, array_like=True):
    """H to C: the client has joined. `seat` is None for spectators. The `owner` may configure and start. `n`
    is the host's last entry; `head` and `said` are its hash and the host's signature (0 entries: all zero, and
    None). `name` is the name of the client at this table."""

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
    """The game that the table will play, the number of seats for bots of the host, and whether hints are
    allowed."""

    config: TableConfig = from_scenario("first_game", 4)
    bots: Annotated[int, Meta(ge=0, le=MOST)] = 0
    hints: bool = True

    @property
    def players(self) -> int:
        """The number of players."""
        return self.config.players


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the lobby. `key` is its player's key, as the host states."""

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
    """H to C: the whole lobby, whenever something in it changes. `seat` is the receiver's own, `called_off`
    counts the starts of this table that ended after *commits*."""

    type = 12
    settings: Settings
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST)]
    seat: SeatNumber | None
    owner: bool
    called_off: Annotated[int, Meta(ge=0, le=log.CALLED_OFF)] = 0


class Ready(Message, frozen=True, array_like=True):
    """C to H: the player is ready, or not ready any more."""

    type = 13
    ready: bool


class Configure(Message, frozen=True, array_like=True):
    """C to H, from the owner: other settings."""

    type = 14
    settings: Settings


class Start(Message, frozen=True, array_like=True):
    """C to H, from the owner: start the game."""

    type = 15


class Claim(Message, frozen=True, array_like=True):
    """C to H, in the lobby: the seat's signature of its name and kind at this table (see `crypto.signatures`)."""

    type = 30
    name: Name
    signature: Signature


class Remove(Message, frozen=True, array_like=True):
    """C to H, from the owner, in the lobby: remove the player with this key."""

    type = 53
    key: Hash


class Again(Message, frozen=True, array_like=True):
    """H to C, after the game: the host has opened another table for the same players. It listens at `port` of
    the same computer, has the game id `game` and the certificate fingerprint `fp`, and reserves the seats of
    these players."""

    type = 60
    port: PortNumber
    game: GameId
    fp: Hash


# In a game: messages about the log


ENTRY: Final = 16
"""The type of a frame with a log entry; its body is a delta of docs/protocol.md, section 3."""


class Ack(Message, frozen=True, array_like=True):
    """C to H: the client has checked all entries up to `n` and written them to its transcript."""

    type = 17
    n: Number


class SeedCommit(Message, frozen=True, array_like=True):
    """C to H, after *open*: the seat agrees to the header and commits to its part of the seed."""

    type = 18
    agreement: log.Agreement


class SeedPart(Message, frozen=True, array_like=True):
    """C to H, after *commits*, to the host alone: the seat's part of the seed."""

    type = 19
    part: Hash


class Play(Message, frozen=True, array_like=True):
    """C to H: a move as entry `n`. `what` is the line, a sealed line, or commitments whose openings only the
    host receives. With an open line, all players receive the `openings`."""

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
    """C to H, in a sealed draft: the message of the seat in entry `n` (see `crypto.draft.drafts`)."""

    type = 32
    least = LIKE_A_MOVE
    n: Number
    what: Annotated[bytes, Meta(min_length=1, max_length=log.DRAFT_BYTES)]
    signature: Signature


class Granted(Message, frozen=True, array_like=True):
    """H to C: the host has granted a request, and has sent its results before. `about` is the type of the
    request."""

    type = 31
    about: Annotated[int, Meta(ge=0, le=255)]


class Refused(Message, frozen=True, array_like=True):
    """H to C: the host has rejected a request. `about` is its type, `n` the entry that a move was for."""

    type = 21
    about: Annotated[int, Meta(ge=0, le=255)]
    n: Number
    code: Code
    details: Details = field(default_factory=dict)


class Snapshot(SignedView, Message, frozen=True, array_like=True):
    """H to C: the viewer's state after entry `n`. The client shows it until its log has reached that entry,
    and then compares it. `parts` joined are the msgpack map of the view."""

    type = 22


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
    signed: log.CoSignature
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class EndGame(Message, frozen=True, array_like=True):
    """C to H: the seat's player agrees to end the game without a result after entry `n`. It opens no
    commitments, because the game continues if another player does not agree."""

    type = 35
    least = LIKE_A_MOVE
    n: Number
    signature: Signature


class EndingSeats(Message, frozen=True, array_like=True):
    """H to C: the seats whose players agree to end the game without a result now; none if no one proposes
    it."""

    type = 36
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=9)]


class CheckWord(Message, frozen=True, array_like=True):
    """C to H, once *signed*, entry `n`, has the seat's co-signature: its word."""

    type = 34
    n: Number
    word: log.Word


class Return(Message, frozen=True, array_like=True):
    """C to H: the player is back from the absence that began with entry `n` (see `crypto.signatures`)."""

    type = 50
    n: Number
    signature: Signature


# In a game: messages outside the log


LONGEST: Final = 3600
"""Longest time of the decision timer, in seconds."""


class Bye(Message, frozen=True, array_like=True):
    """Both ways, the last message: why the connection ends, a code of `reasons`. It is the same in every
    version of the protocol."""

    type = 9
    code: Code
    details: Details = field(default_factory=dict)


class Ping(Message, frozen=True, array_like=True):
    """H to C: asks for a `Pong`. `n` is the host's last entry."""

    type = 10
    mark: Number
    n: Number


class Pong(Message, frozen=True, array_like=True):
    """C to H: the answer to a `Ping`, with its mark."""

    type = 11
    mark: Number


class Presence(Message, frozen=True, array_like=True):
    """H to C, during the game: the seats that are away, and those that the table waits for."""

    type = 24
    away: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]
    waiting: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]


class Say(Message, frozen=True, array_like=True):
    """C to H: a line of chat, numbered and signed by its author."""

    type = 25
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class ChatSaid(Message, frozen=True, array_like=True):
    """H to C: a line of chat, with the key that has signed it. `seat` is None for spectators."""

    type = 26
    seat: SeatNumber | None
    name: Name
    key: Hash
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class SubstituteFor(Message, frozen=True, array_like=True):
    """C to H, from the host's own player: let a bot of this level move for a seat whose player is away. From
    another player, for that player's seat: leave the game to a bot."""

    type = 52
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=32)]
    """Empty for the usual level of the table."""


class Pause(Message, frozen=True, array_like=True):
    """C to H, from any player: begin or end a pause."""

    type = 54
    paused: bool


class Paused(Message, frozen=True, array_like=True):
    """H to C: the game pauses or continues; `seat` has asked for it (None: the host)."""

    type = 55
    paused: bool
    seat: SeatNumber | None


class Clock(Message, frozen=True, array_like=True):
    """H to C: the decision timer. `seconds` is the time for each decision, `gone` the part that has passed for
    this one. It only reminds the players."""

    type = 56
    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    gone: Annotated[int, Meta(ge=0, le=LONGEST)]


class Noise(Message, frozen=True, array_like=True):
    """Both ways, during the game: no content. From a client it looks like a move, from the host like the entry
    of a move."""

    type = 28
    least = LIKE_A_MOVE


class Standstill(Message, frozen=True, array_like=True):
    """H to C: the host has stopped the game. `code` is one of `reasons`; it is empty once the game
    continues."""

    type = 42
    code: Annotated[str, Meta(max_length=40)]


# Handing a game over


PIECE: Final = 4096
"""Size of a piece of the journal, in bytes."""
PIECES: Final = 15
"""Most pieces in one message."""


class Copy(Message, frozen=True, array_like=True):
    """H to C: take this game over. The journal has `size` bytes, and the `pieces` are those from byte `at` on.
    A `size` of 0: the host keeps the game."""

    type = 80
    size: Annotated[int, Meta(ge=0, le=64 * 1024 * 1024)]
    at: Number
    pieces: Annotated[tuple[Annotated[bytes, Meta(max_length=PIECE)], ...], Meta(max_length=PIECES)]

    def __repr__(self) -> str:
        return f"Copy({self.size}, {self.at})"


class Accept(Message, frozen=True, array_like=True):
    """C to H: the journal is right. This program listens at `port`, and the host may sign this entry."""

    type = 82
    entry: log.Handover
    port: PortNumber


class TryPort(Message, frozen=True, array_like=True):
    """H to C: connect to this address and check that the certificate there is `fp`. An address of loopback, or
    an empty one, is on the host's computer."""

    type = 83
    address: Annotated[str, Meta(max_length=64)]
    port: PortNumber
    fp: Hash


class Tried(Message, frozen=True, array_like=True):
    """C to H: a code of `reasons` why the program with the certificate `fp` was not reached; empty if it was.
    With an `fp` of zeros: why this program does not take the game over; empty if it needs the rest of the
    journal."""

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
    """Return the whole frame of a message, its body padded to at least `least` bytes (None: as its type
    says)."""
    return encode_frame(message.type, pad(pack(message), message.least if least is None else least))


@lru_cache(64)
def encode_entry(body: bytes) -> bytes:
    """Return the frame around a delta's padded body. Most viewers of an entry receive the same frame."""
    return encode_frame(ENTRY, body)


def decode(frame: Frame, known: dict[int, type[Message]]) -> Message:
    """Return the message in a frame; `known` are those that the other side may send. Raises Malformed."""
    kind = known.get(frame.type)
    if kind is None:
        raise Malformed("no such message from this side")
    return typed(unpad(frame.body), kind)
