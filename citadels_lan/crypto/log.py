"""The entries of a game: what everybody gets (`public`) and what one seat is told besides (`private`)."""

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import astuple

from citadels_lan.engine import TableConfig
from citadels_lan.engine.config import Cast, Key, Options, Uniques

from .commitments import MAX_LINE, WIDTH, Hash, Opening, Seat
from .packing import Malformed, pack, typed, unpack

Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
GameId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Bitmap = Annotated[int, Meta(ge=0, lt=2**9)]
"""Seats: bit `i` is set for seat `i`."""
RawEvent: TypeAlias = list[Any]
"""An event of the engine as an array [tag, fields...]."""
Events = Annotated[list[RawEvent], Meta(max_length=256)]

if TYPE_CHECKING:
    What: TypeAlias = str | bytes
else:
    What = Any  # msgspec knows no union of the two; Move checks it

RULES: Final = "2"
"""The version of the rules that this program plays, of all editions; it changes when a game would come out
otherwise."""
NAME: Final = 24
"""Characters of a name at most."""

SEAL_AFTER = 32
"""A seal comes at the latest after so many moves, so that its signatures fit into one entry."""
OPENINGS = 24
"""An entry has at most so many openings."""
OPENING_BYTES = 3000
"""The host puts so many bytes of openings into one entry at most, so that its public bytes stay below 4096."""


DRAFT_BYTES: Final = 512
"""A message of a sealed draft has so many bytes at most."""


class Seated(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who sits at a seat. The seat belongs to the key, and `claim` is the key's signature of the name, at this
    table, and of whether it is a bot (see `claims`)."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME)]
    key: Hash
    bot: bool
    claim: Signature


class Endorsement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who answers for the host's key, which is made for one table: the key of the person who runs the host, and
    its signature of the host's (see `claims`)."""

    key: Hash
    signature: Signature


class Header(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The table. `program` and `rules` are versions, `options` those of the edition that are not at their default,
    `cast` the characters in order of rank, `districts` the unique districts in the deck, `fp` the SHA-256 of the
    host's certificate, `hostcommit` fixes the host's secret, `endorsement` says who answers for the host,
    `guests` are the seats that play through the host's computer, None where there are none. `hints` is
    how many hints a player may take: 0, or None for any number. `draft` is 1 where the draft is sealed, None where
    it is open. What is None and has nothing behind it is not written."""

    game_id: GameId
    program: Annotated[str, Meta(max_length=64)]
    rules: Annotated[str, Meta(max_length=64)]
    edition: Key
    options: Options
    cast: Cast
    districts: Uniques
    fp: Hash
    hostkey: Hash
    hostcommit: Hash
    endorsement: Endorsement | None
    players: Annotated[tuple[Seated, ...], Meta(min_length=1, max_length=9)]
    guests: Annotated[tuple[Annotated[int, Meta(ge=0, le=8)], ...], Meta(min_length=1, max_length=9)] | None = None
    hints: Annotated[int, Meta(ge=0, le=0)] | None = None
    draft: Annotated[int, Meta(ge=1, le=1)] | None = None

    @property
    def config(self) -> TableConfig:
        """What is played."""
        given = (len(self.players), self.cast, self.districts, self.edition, self.options)
        return TableConfig(*given, "open" if self.draft is None else "sealed")


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all entries; the first element of the array is the kind."""


class Open(Entry, frozen=True, array_like=True, tag=0):
    """The table is made."""

    header: Header


class Commits(Entry, frozen=True, array_like=True, tag=1):
    """By seat: the commitment to its part of the seed, the anchor of its beacons, and its signature of both and of
    the header, to which it agrees by that. Only where the draft is sealed: `boxes` are the keys that characters
    are sealed to, and `drafts` the anchors of the seats' second chains."""

    commits: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    anchors: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    signatures: Annotated[tuple[Signature, ...], Meta(max_length=9)]
    boxes: Annotated[tuple[Hash, ...], Meta(max_length=9)] | None = None
    drafts: Annotated[tuple[Hash, ...], Meta(max_length=9)] | None = None


class Parts(Entry, frozen=True, array_like=True, tag=2):
    """By seat: the part, and the signature of the head after the entry *commits*."""

    parts: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    signatures: Annotated[tuple[Signature, ...], Meta(max_length=9)]


class Move(Entry, frozen=True, array_like=True, tag=3):
    """A move and what came of it. `what` is its line of notation, a sealed line, or commitments, 32 bytes each."""

    seat: Seat
    what: What
    events: Events
    openings: Annotated[tuple[Opening, ...], Meta(max_length=OPENINGS)]

    def __post_init__(self) -> None:
        whole = isinstance(self.what, bytes) and len(self.what) in (WIDTH, 2 * WIDTH)
        if not whole and not (isinstance(self.what, str) and 1 <= len(self.what) <= MAX_LINE):
            raise ValueError("neither a line nor commitments")


class TableMove(Entry, frozen=True, array_like=True, tag=4):
    """What the table does by itself: dealing, beginning a round."""

    events: Events


class Seal(Entry, frozen=True, array_like=True, tag=5):
    """The movers' signatures since the last seal, in order."""

    signatures: Annotated[tuple[Signature, ...], Meta(max_length=SEAL_AFTER)]


class Close(Entry, frozen=True, array_like=True, tag=6):
    """The host's secret, and the last openings."""

    secret: Hash
    openings: Annotated[tuple[Opening, ...], Meta(max_length=OPENINGS)]


class Opened(Entry, frozen=True, array_like=True, tag=7):
    """After the game: openings that do not fit into *close*."""

    openings: Annotated[tuple[Opening, ...], Meta(max_length=OPENINGS)]


class Beacons(Entry, frozen=True, array_like=True, tag=8):
    """Between rounds: the links of the seats that the last `present` names, by seat."""

    links: Annotated[tuple[Hash, ...], Meta(max_length=9)]


class Present(Entry, frozen=True, array_like=True, tag=9):
    """Between rounds, before any link: `round` is the one to come, `present` a bitmap of the seats that take part,
    `disputed` of those among them that say they were left out before although they had sent their part; by seat,
    their signatures of all that and of the head before this entry."""

    round: Annotated[int, Meta(ge=1, le=65535)]
    present: Bitmap
    disputed: Bitmap
    signatures: Annotated[tuple[Signature, ...], Meta(max_length=9)]


class Restart(Entry, frozen=True, array_like=True, tag=10):
    """Between rounds: the links of these seats have not come, or they have not dealt, and who takes part is found
    out anew."""

    missing: Bitmap


class StandIn(Entry, frozen=True, array_like=True, tag=11):
    """The host gives a seat whose owner is gone to a stand-in: from here on the moves of the seat are signed by
    `key`. `level` says what plays, `claim` is the key's signature of all that (see `stand_ins`). Where the draft
    is sealed, `anchor` and `box` are those of the stand-in."""

    seat: Seat
    key: Hash
    level: Annotated[str, Meta(min_length=1, max_length=32)]
    claim: Signature
    anchor: Hash | None = None
    box: Hash | None = None


class Back(Entry, frozen=True, array_like=True, tag=13):
    """The owner of a seat is back: its own key signs its moves from here on. `disputes`: it says that it was there
    when the stand-in came; `signature` is the owner's of all that (see `stand_ins`)."""

    seat: Seat
    disputes: bool
    signature: Signature


class DraftSaid(Entry, frozen=True, array_like=True, tag=15):
    """What a seat says in a sealed draft (`draft.messages`), and what came of it."""

    seat: Seat
    what: Annotated[bytes, Meta(max_length=DRAFT_BYTES)]
    events: Events


class DraftWithout(Entry, frozen=True, array_like=True, tag=16):
    """The table goes on without what this seat should say in a sealed draft, or without its pick."""

    seat: Seat
    events: Events


class SignedReply(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's reply to a call, as in `DraftSaid`, and its signature of that."""

    seat: Seat
    what: Annotated[bytes, Meta(max_length=DRAFT_BYTES)]
    signature: Signature


class DraftCalled(Entry, frozen=True, array_like=True, tag=17):
    """The character at a `place` of the cast is called: the replies of the seats that were there, by seat."""

    place: Seat
    replies: Annotated[tuple[SignedReply, ...], Meta(max_length=9)]
    events: Events


class SeatLink(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The link of a seat's second chain for the last draft of the game, which opens all of them."""

    seat: Seat
    link: Hash


class DraftLinks(Entry, frozen=True, array_like=True, tag=18):
    """After a game with sealed drafts: the links of the seats that give one, by seat."""

    links: Annotated[tuple[SeatLink, ...], Meta(max_length=9)]


AnyEntry: TypeAlias = (
    Open
    | Commits
    | Parts
    | Move
    | TableMove
    | Seal
    | Close
    | Opened
    | Beacons
    | Present
    | Restart
    | StandIn
    | Back
    | DraftSaid
    | DraftWithout
    | DraftCalled
    | DraftLinks
)
_ENTRY: Any = AnyEntry  # a union is a type to msgspec only
EVENTFUL: Final = (Move, TableMove, DraftSaid, DraftWithout, DraftCalled)
"""The entries of which something comes at the table."""


def encode_entry(entry: AnyEntry) -> bytes:
    """The public bytes of an entry."""
    match entry:
        case Open():
            return pack([Open.__struct_config__.tag, _fields(entry.header)])
        case Commits() | StandIn():
            return pack([entry.__struct_config__.tag, *_fields(entry)])
        case _:
            return pack(entry)


def _fields(struct: Header | Commits | StandIn) -> tuple[Any, ...]:
    """The fields, without the last ones where they are not there."""
    fields = astuple(struct)
    while fields[-1] is None:
        fields = fields[:-1]
    return fields


def decode_entry(public: bytes) -> AnyEntry:
    """The entry that the public bytes say; Malformed for everything else."""
    value = unpack(public)
    last = value[-1] if isinstance(value, list) and value else None
    if last is None or (isinstance(last, list) and value[0] == Open.__struct_config__.tag and last[-1:] == [None]):
        raise Malformed("what is not there is not written")
    entry: AnyEntry = typed(value, _ENTRY)
    return entry


def events_of(entry: AnyEntry) -> list[RawEvent]:
    """The events of an entry as a spectator is told them."""
    return entry.events if isinstance(entry, EVENTFUL) else []


def openings_of(entry: AnyEntry) -> tuple[Opening, ...]:
    """The openings in an entry."""
    return entry.openings if isinstance(entry, (Move, Opened, Close)) else ()


class Told(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One event that a seat is told differently, by its index in the entry."""

    index: Annotated[int, Meta(ge=0, le=255)]
    event: RawEvent


def encode_private(told: list[Told]) -> bytes:
    """The private bytes of a seat in an entry."""
    return pack(told)


def decode_private(private: bytes) -> list[Told]:
    """What a seat is told differently; Malformed for everything else."""
    return typed(unpack(private), list[Told])
