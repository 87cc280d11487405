"""The frames, `u32 length | u8 type | body`, and the messages in them. A body is one MessagePack array,
followed by zeros up to a fixed length (see `codec.bucket`).

Each message is a Struct, which checks every field when a message is decoded. The type of a frame selects the
Struct. The number of a type is never used for another message later.

"C to H" is what a client sends, "H to C" what the host sends. The entries of the log are deltas.
docs/protocol.md has the order of the messages of a handover."""

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
"""Longest body in bytes that is accepted before the other side has proved its key."""
KNOWN: Final = MAX_BODY
"""Longest body in bytes that is accepted after the other side has proved its key."""


class Frame(Struct, frozen=True):
    """One frame as it was received: its type, and its body with the padding."""

    type: int
    body: bytes


def next_frame(buffer: bytearray, limit: int = STRANGER) -> Frame | None:
    """Remove the first frame from a buffer and return it; None if it is not complete. `limit` is the longest
    body that is accepted, in bytes. Raises Malformed if it is longer; the buffer then stays as it is, and no
    other frame can be read from it."""
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
    """Return the bytes of a frame of the type `kind` with a padded body."""
    if not 0 < len(body) <= KNOWN or bucket(len(body)) != len(body):
        raise ValueError("the body is not padded, or too long")
    return len(body).to_bytes(4, "big") + bytes((kind,)) + body


LIKE_A_MOVE: Final = 1024
"""Length in bytes to which moves, messages of a sealed draft and noise are padded, so that they look
alike."""
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
    """Base of all messages. `type` is the type of the frame. The body is padded to at least `least` bytes."""

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
"""The secret that a joining player proves to know: the "code" (the words of the join code) or the "token" (in
a link)."""
PakeShare = Annotated[bytes, Meta(min_length=33, max_length=33)]


class Greeting(Message, frozen=True, array_like=True):
    """The first message of each side. The first five fields are the same in every version of the protocol.
    `rules` is one digest of the rules of all editions. `program` is the name and version of the sender's
    program."""

    magic: Literal["citadels-lan"]
    lowest: Version
    highest: Version
    rules: Hash
    program: Annotated[str, Meta(max_length=64)]
    capabilities: Capabilities
    nonce: Hash


class Hello(Greeting, frozen=True, array_like=True):
    """C to H, the first message: who wants to join. `role` is player or spectator; `kind` is the kind of
    player, such as a person or a bot."""

    type = 1
    role: Role
    name: Name
    key: Hash
    kind: SeatKind


class TableHello(Greeting, frozen=True, array_like=True):
    """H to C, the answer to `Hello`: the id of the game, the host's key, and whether a code is needed."""

    type = 2
    game: GameId
    key: Hash
    code: bool
    """Whether this client has to prove that it knows the join code or the token."""


class HostProof(Message, frozen=True, array_like=True):
    """H to C: the host's signature of the handshake. If the host has taken the game over, `first` is the key
    and fingerprint of the game's first host, and `passed` are all handovers since."""

    type = 3
    signature: Signature
    first: tuple[Hash, Hash] | None = None
    passed: Annotated[tuple[Passed, ...], Meta(max_length=HANDOVERS)] = ()


class Join(Message, frozen=True, array_like=True):
    """C to H: the client's signature of the handshake, and the last entry of its transcript. `head` is the
    hash of entry `n`, and `said` the host's signature of it. Without entries they are zeros, 0 and None."""

    type = 4
    signature: Signature
    n: Number
    head: Hash
    said: Signature | None = None


class CodeShare(Message, frozen=True, array_like=True):
    """C to H: the client's share of the PAKE, and whether its password is the code or the token."""

    type = 5
    kind: Kind
    share: PakeShare


class HostShare(Message, frozen=True, array_like=True):
    """H to C: the host's share of the PAKE."""

    type = 6
    share: PakeShare


class Confirm(Message, frozen=True, array_like=True):
    """Both directions: proves that the sender has computed the same key in the PAKE, and so knows the
    password and has seen the same handshake."""

    type = 7
    mac: Hash


class Welcome(Message, frozen=True, array_like=True):
    """H to C: the client has joined. `seat` is None for a spectator. `owner`: this client may change the
    settings and start. `name` is the client's name at this table. `n` is the host's last entry, `head` its
    hash, and `said` the host's signature of it (without entries: 0, zeros, None)."""

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
    """The settings of a table: the game, how many seats are for bots of the host, and whether hints are
    allowed."""

    config: TableConfig = from_scenario("first_game", 4)
    bots: Annotated[int, Meta(ge=0, le=MOST)] = 0
    hints: bool = True

    @property
    def players(self) -> int:
        """The number of players."""
        return self.config.players


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the lobby, and its player. The host states `key`; it is not proved here."""

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
    """H to C: the whole lobby, whenever something in it changes. `seat` is the receiver's own seat, or None.
    `called_off` is the number of starts of this table that ended after *commits*."""

    type = 12
    settings: Settings
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST)]
    seat: SeatNumber | None
    owner: bool
    called_off: Annotated[int, Meta(ge=0, le=log.CALLED_OFF)] = 0


class Ready(Message, frozen=True, array_like=True):
    """C to H: whether the player is ready."""

    type = 13
    ready: bool


class Configure(Message, frozen=True, array_like=True):
    """C to H, from the owner: new settings for the table."""

    type = 14
    settings: Settings


class Start(Message, frozen=True, array_like=True):
    """C to H, from the owner: start the game."""

    type = 15


class Claim(Message, frozen=True, array_like=True):
    """C to H, in the lobby: the player's signature of its name and kind at this table (see
    `crypto.signatures`)."""

    type = 30
    name: Name
    signature: Signature


class Remove(Message, frozen=True, array_like=True):
    """C to H, from the owner, in the lobby: remove the player with this key."""

    type = 53
    key: Hash


class Again(Message, frozen=True, array_like=True):
    """H to C, after the game: the host has opened a table for a rematch. It listens at `port` of the same
    computer, has the game id `game` and the certificate fingerprint `fp`, and has reserved the seats of these
    players."""

    type = 60
    port: PortNumber
    game: GameId
    fp: Hash


# In a game: messages about the log


ENTRY: Final = 16
"""The type of a frame with an entry of the log. The body is a delta (docs/protocol.md, section 3), not a
message."""


class Ack(Message, frozen=True, array_like=True):
    """C to H: the client's transcript contains all entries up to `n`, and the client has checked them."""

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
    """C to H: a move as entry `n`. `what` is a line of notation, the published form of a sealed move, or
    commitments. The `openings` of commitments are for the host alone; those with an open line are public."""

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
    """C to H, in a sealed draft: the seat's message for entry `n`, encoded in `what` (see
    `crypto.draft.drafts`)."""

    type = 32
    least = LIKE_A_MOVE
    n: Number
    what: Annotated[bytes, Meta(min_length=1, max_length=log.DRAFT_BYTES)]
    signature: Signature


class Granted(Message, frozen=True, array_like=True):
    """H to C: the host has granted a request. It has sent the results of the request before this message.
    `about` is the type of the request."""

    type = 31
    about: Annotated[int, Meta(ge=0, le=255)]


class Refused(Message, frozen=True, array_like=True):
    """H to C: the host has rejected a request. `about` is the type of the request. `n` is the entry that a
    rejected move was meant for; otherwise 0."""

    type = 21
    about: Annotated[int, Meta(ge=0, le=255)]
    n: Number
    code: Code
    details: Details = field(default_factory=dict)


class Snapshot(SignedView, Message, frozen=True, array_like=True):
    """H to C: the viewer's view after entry `n`, packed and cut into `parts`. The client shows it until its
    log has reached that entry, and then compares both."""

    type = 22


class Resync(Message, frozen=True, array_like=True):
    """C to H: asks for all entries after `n`; `head` is hash[n]."""

    type = 23
    n: Number
    head: Hash


class Cosign(Message, frozen=True, array_like=True):
    """C to H, after a round and after the game: the seat's co-signature of the history that ends with entry
    `n`. After the game, `openings` open the seat's sealed moves and contain its last secret link."""

    type = 33
    least = LIKE_A_MOVE
    n: Number
    signed: log.CoSignature
    openings: Annotated[tuple[Opening, ...], Meta(max_length=250)]


class EndGame(Message, frozen=True, array_like=True):
    """C to H: the player agrees to end the game without a result after entry `n`. The message opens no
    commitments, because the game continues if another player does not agree."""

    type = 35
    least = LIKE_A_MOVE
    n: Number
    signature: Signature


class EndingSeats(Message, frozen=True, array_like=True):
    """H to C: the seats whose players agree now to end the game without a result."""

    type = 36
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=9)]


class CheckWord(Message, frozen=True, array_like=True):
    """C to H: the seat's random word. Entry `n` contains the seat's co-signature, which commits to it."""

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
    """The last message, in both directions: why the connection ends (a code of `reasons`). Its form is the
    same in every version of the protocol."""

    type = 9
    code: Code
    details: Details = field(default_factory=dict)


class Ping(Message, frozen=True, array_like=True):
    """H to C: asks for a `Pong` with the same `mark`. `n` is the host's last entry."""

    type = 10
    mark: Number
    n: Number


class Pong(Message, frozen=True, array_like=True):
    """C to H: the answer to a `Ping`, with its `mark`."""

    type = 11
    mark: Number


class Presence(Message, frozen=True, array_like=True):
    """H to C, during the game: the seats of absent players, and the seats for which the table waits."""

    type = 24
    away: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]
    waiting: Annotated[tuple[SeatNumber, ...], Meta(max_length=MOST)]


class Say(Message, frozen=True, array_like=True):
    """C to H: a line of chat, with a number and a signature by its author."""

    type = 25
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class ChatSaid(Message, frozen=True, array_like=True):
    """H to C: a line of chat with its author's number and signature. `key` has signed it; `seat` is None for
    a spectator."""

    type = 26
    seat: SeatNumber | None
    name: Name
    key: Hash
    number: Number
    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]
    signature: Signature


class SubstituteFor(Message, frozen=True, array_like=True):
    """C to H. From the host's player, about the seat of an absent player: let a bot play it. From any player,
    about the own seat: leave the game, and let a bot play."""

    type = 52
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=32)]
    """Empty for the usual level of the table."""


class Pause(Message, frozen=True, array_like=True):
    """C to H, from any player: begin or end a pause."""

    type = 54
    paused: bool


class Paused(Message, frozen=True, array_like=True):
    """H to C: the game pauses or continues. `seat` is the player who asked for that; None: the host."""

    type = 55
    paused: bool
    seat: SeatNumber | None


class Clock(Message, frozen=True, array_like=True):
    """H to C: the decision timer. `seconds` is the time for each decision, and `gone` how much of it has
    passed for the present one. When the time is over, nothing happens: it only reminds the players."""

    type = 56
    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    gone: Annotated[int, Meta(ge=0, le=LONGEST)]


class Noise(Message, frozen=True, array_like=True):
    """Both directions, during a game: a frame without content. From a client it is as long as a move; from
    the host it is as long as the entry of a move."""

    type = 28
    least = LIKE_A_MOVE


class Standstill(Message, frozen=True, array_like=True):
    """H to C: the game has stopped, or continues. `code` is why it has stopped (one of `reasons`); "": it
    continues."""

    type = 42
    code: Annotated[str, Meta(max_length=40)]


# Handing a game over


PIECE: Final = 4096
"""Longest piece of the journal in a `Copy` message, in bytes."""
PIECES: Final = 15
"""Most pieces in one `Copy` message."""


class Copy(Message, frozen=True, array_like=True):
    """H to C, to the successor: a part of the journal of the game to take over. The journal has `size` bytes,
    and `pieces` are those from byte `at` on. `size` 0: the host keeps the game."""

    type = 80
    size: Annotated[int, Meta(ge=0, le=64 * 1024 * 1024)]
    at: Number
    pieces: Annotated[tuple[Annotated[bytes, Meta(max_length=PIECE)], ...], Meta(max_length=PIECES)]

    def __repr__(self) -> str:
        return f"Copy({self.size}, {self.at})"


class Accept(Message, frozen=True, array_like=True):
    """C to H, from the successor: the journal is valid, this program listens at `port`, and the host may sign
    `entry`."""

    type = 82
    entry: log.Handover
    port: PortNumber


class TryPort(Message, frozen=True, array_like=True):
    """H to C: connect to the successor at this address, and check that its certificate has the fingerprint
    `fp`. A loopback or empty address means the host's computer."""

    type = 83
    address: Annotated[str, Meta(max_length=64)]
    port: PortNumber
    fp: Hash


class Tried(Message, frozen=True, array_like=True):
    """C to H. `fp` of a certificate: why the successor with this certificate was not reached, as a code of
    `reasons`; "" if it was reached. `fp` of zeros, from the successor: why it does not take the game over; ""
    if it needs the next part of the journal."""

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
    """Return the frame of a message. The body is padded to at least `least` bytes; None: to the least length
    of its type."""
    return encode_frame(message.type, pad(pack(message), message.least if least is None else least))


@lru_cache(64)
def encode_entry(body: bytes) -> bytes:
    """Return the frame of an entry with the padded body of a delta. Most viewers of an entry receive the same
    bytes, so the last frames are cached."""
    return encode_frame(ENTRY, body)


def decode(frame: Frame, known: dict[int, type[Message]]) -> Message:
    """Decode the message in a frame. `known` are the messages that the other side may send, by type. Raises
    Malformed."""
    kind = known.get(frame.type)
    if kind is None:
        raise Malformed("no such message from this side")
    return typed(unpad(frame.body), kind)
