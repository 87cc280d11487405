"""The entries of a game, the chain of hashes over them, and what each viewer receives of an entry.

Every viewer receives the `public` bytes of an entry. Some seats also receive `private` bytes. The host signs
the hash of each entry, so all viewers with the same head have the same history."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.engine import HIDDEN, TableConfig
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.engine.config import Cast, Key, Options, Uniques

from .codec import Field, digest, pack, pad, typed, u8, u64, unpack, unpad
from .commitments import MAX_LINE, WIDTH, Hash, Opening, Seat
from .identity import Identity, verify

Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
GameId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Word = Annotated[bytes, Meta(min_length=16, max_length=16)]
"""The random 16-byte word of a co-signature."""
RawEvent: TypeAlias = list[Any]
"""An event of the engine as an array: its number (tag), then its fields."""
Events = Annotated[list[RawEvent], Meta(max_length=256)]

if TYPE_CHECKING:
    What: TypeAlias = str | bytes
else:
    What = Any  # msgspec has no union of the two, so Move checks it

NAME: Final = 24
"""Longest name of a player, in characters."""

OPENINGS = 24
"""Most openings in one entry."""
OPENING_BYTES = 3000
"""Most bytes of openings that the host puts into one entry, so that its public bytes stay below 4096."""


CALLED_OFF: Final = 16
"""Most called-off starts that a header can list."""
OWNER: Final = 0
SUBSTITUTE: Final = 1
"""The values of `Move.by`: OWNER if the seat's player made the move and signed it, SUBSTITUTE if a substitute
bot of the host made it."""
AWAY: Final = 0
BOT: Final = 1
BACK: Final = 2
"""The values of `SeatChange.what`: AWAY, BOT or BACK."""

FINISHED, AGREED, LIED = 0, 1, 2
"""The values of `Close.why`. FINISHED: the game is finished. AGREED: the players have agreed to end it. LIED:
a lie in a sealed draft is proven."""
DRAFT_BYTES: Final = 512
"""Longest message of a sealed draft, in bytes."""


class SeatKind(IntEnum):
    """The kind of a player in a seat: a bot, the host's own player, a player on another computer, or a guest
    in a browser, whose client runs on the host's computer."""

    BOT = 0
    HOST = 1
    PLAYER = 2
    GUEST = 3


class Seated(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the header. `key` is its player's key. `claim` is a signature by that key of the table, the
    player's name and kind (see `signatures`)."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME)]
    key: Hash
    kind: SeatKind
    claim: Signature

    @property
    def bot(self) -> bool:
        """Whether a bot plays this seat."""
        return self.kind == SeatKind.BOT


class CalledOff(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A start of this table that was called off after *commits*. `head` is hash[2] of that start, the head of
    its log after that entry, and `missing` are the seats that did not give their part of the seed."""

    head: Hash
    missing: Annotated[tuple[Seat, ...], Meta(max_length=9)]


class Endorsement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The signature by which the person who runs the host answers for the host's key, which is made for one
    table. `key` is that person's own key; `signature` is its signature of the host's key."""

    key: Hash
    signature: Signature


class Header(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The settings of the table. `program` is the name and version of the host's program, and `rules` the
    rules digest of the edition (`engine.rules_digests`). `options` are the options of the edition without
    those at their default. `cast` has the characters in order of rank, `districts` the unique districts in
    the deck. `fp` is the SHA-256 of the host's certificate, `hostcommit` commits to the host's secret, and
    `endorsement` is by the host's player. `draft` is 1 if the draft is sealed, otherwise 0. `hints` is the
    number of hints a player may take: 0, or None for any number. `called_off` are earlier starts of this
    table, `players` its seats."""

    game_id: GameId
    program: Annotated[str, Meta(max_length=64)]
    rules: Hash
    edition: Key
    options: Options
    cast: Cast
    districts: Uniques
    fp: Hash
    hostkey: Hash
    hostcommit: Hash
    endorsement: Endorsement | None
    draft: Annotated[int, Meta(ge=0, le=1)]
    hints: Annotated[int, Meta(ge=0, le=0)] | None
    called_off: Annotated[tuple[CalledOff, ...], Meta(max_length=CALLED_OFF)]
    players: Annotated[tuple[Seated, ...], Meta(min_length=1, max_length=9)]

    @property
    def config(self) -> TableConfig:
        """The configuration of the game, as the engine needs it."""
        given = (len(self.players), self.cast, self.districts, self.edition, self.options)
        return TableConfig(*given, "sealed" if self.draft else "open")


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all entries; the first element of the array is the kind."""


class Open(Entry, frozen=True, array_like=True, tag=0):
    """The first entry: the header of the table."""

    header: Header


class Agreement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's signature of the header, with the commitment to its part of the seed. `anchors` are its two
    chain commitments for sealed drafts; () if the draft is open."""

    commit: Hash
    anchors: Annotated[tuple[Hash, ...], Meta(max_length=2)]
    signature: Signature


class Commits(Entry, frozen=True, array_like=True, tag=1):
    """The entry with the agreements of all seats, in order of seats."""

    seats: Annotated[tuple[Agreement, ...], Meta(max_length=9)]


class Move(Entry, frozen=True, array_like=True, tag=3):
    """The entry of a move. `what` is a line of notation, the published form of a sealed move, or commitments
    of 32 bytes each. `by` is OWNER or SUBSTITUTE; for SUBSTITUTE `sig` is empty. `openings` are those that
    all players receive with the move."""

    seat: Seat
    by: Annotated[int, Meta(ge=0, le=1)]
    what: What
    events: Events
    openings: Annotated[tuple[Opening, ...], Meta(max_length=OPENINGS)]
    sig: Annotated[bytes, Meta(max_length=64)]

    def __post_init__(self) -> None:
        if len(self.sig) != (64 if self.by == OWNER else 0):
            raise ValueError("signed by nobody, or without a signature")
        whole = isinstance(self.what, bytes) and len(self.what) in (WIDTH, 2 * WIDTH)
        if not whole and not (isinstance(self.what, str) and 1 <= len(self.what) <= MAX_LINE):
            raise ValueError("neither a line nor commitments")


class TableMove(Entry, frozen=True, array_like=True, tag=2):
    """The entry in which the table acts by itself: it deals, or begins a round."""

    events: Events


class CoSignature(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's signature of the whole history. `commit` commits to the seat's random word. `protest` is 1 if
    a bot moved for the seat while its player was connected; otherwise 0."""

    seat: Seat
    commit: Hash
    protest: Annotated[int, Meta(ge=0, le=1)]
    signature: Signature


class CoSigned(Entry, frozen=True, array_like=True, tag=4):
    """The entry after a round and after the game: the co-signatures, in order of seats."""

    seats: Annotated[tuple[CoSignature, ...], Meta(max_length=9)]


class GivenWord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's random word, to which its co-signature commits."""

    seat: Seat
    word: Word


class CheckWords(Entry, frozen=True, array_like=True, tag=5):
    """The entry directly after `CoSigned`: the random words of all seats that have co-signed there."""

    words: Annotated[tuple[GivenWord, ...], Meta(min_length=1, max_length=9)]


class EndSignature(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's signature that agrees to end the game without a result."""

    seat: Seat
    signature: Signature


class Close(Entry, frozen=True, array_like=True, tag=9):
    """The last entries of a log. `why` is FINISHED, AGREED or LIED. `openings` open what was hidden. If they
    do not fit into one entry, several *close* entries follow each other, and only the last one has values in
    `secret` (the host's secret), `parts` (of the seed, by seat) and `sigs` (of an agreed end)."""

    why: Annotated[int, Meta(ge=0, le=2)]
    openings: Annotated[tuple[Opening, ...], Meta(max_length=OPENINGS)]
    secret: Annotated[bytes, Meta(max_length=32)]
    parts: Annotated[tuple[Hash, ...], Meta(max_length=9)]
    sigs: Annotated[tuple[EndSignature, ...], Meta(max_length=9)]

    def __post_init__(self) -> None:
        if len(self.secret) not in (0, 32) or bool(self.secret) != bool(self.parts):
            raise ValueError("neither the last entry nor one before it")


class SeatChange(Entry, frozen=True, array_like=True, tag=6):
    """The entry about a player who is AWAY, a BOT of `level` that plays the seat, or a player who is BACK.
    Only for BACK is there a `sig`: the signature of the seat's key."""

    seat: Seat
    what: Annotated[int, Meta(ge=0, le=2)]
    level: Annotated[str, Meta(max_length=32)]
    sig: Annotated[bytes, Meta(max_length=64)]

    def __post_init__(self) -> None:
        if (len(self.sig), self.level != "") != (64 if self.what == BACK else 0, self.what == BOT):
            raise ValueError("a level or a signature where there is none")


class Handover(Entry, frozen=True, array_like=True, tag=7):
    """The entry in which the host hands the game over to the player at `seat`. `key` is the new host's key,
    which signs all later entries; `fp` is the fingerprint of the new host's certificate. `accept` is the
    player's signature."""

    seat: Seat
    key: Hash
    fp: Hash
    accept: Signature


class SaidItem(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat's message in a sealed draft, encoded (see `draft.drafts`), with the seat's signature."""

    seat: Seat
    message: Annotated[bytes, Meta(max_length=DRAFT_BYTES)]
    sig: Signature


class Said(Entry, frozen=True, array_like=True, tag=8):
    """The entry with messages of seats in a sealed draft, and their events. There is one item, or one for
    each seat if all of them begin or reply to a call."""

    items: Annotated[tuple[SaidItem, ...], Meta(min_length=1, max_length=9)]
    events: Events


AnyEntry: TypeAlias = (
    Open | Commits | TableMove | Move | CoSigned | CheckWords | Close | SeatChange | Handover | Said
)
_ENTRY: Any = AnyEntry  # a union is a type to msgspec only
EventfulEntry: TypeAlias = Move | TableMove | Said
EVENTFUL: Final = (Move, TableMove, Said)
"""The kinds of entries that have events."""


def decode_entry(public: bytes) -> AnyEntry:
    """Decode the public bytes of an entry. Raises Malformed."""
    entry: AnyEntry = typed(unpack(public), _ENTRY)
    return entry


def events_of(entry: AnyEntry) -> list[RawEvent]:
    """The events of an entry as a spectator sees them."""
    return entry.events if isinstance(entry, EVENTFUL) else []


class Told(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The private form of an event: `index` is the event's place in the entry, and `event` is the form that
    one seat receives instead of the public one."""

    index: Annotated[int, Meta(ge=0, le=255)]
    event: RawEvent


_TOLD: Any = Annotated[list[Told], Meta(min_length=1)]


def decode_private(private: bytes) -> list[Told]:
    """Decode the private events of a seat. Raises Malformed."""
    told: list[Told] = typed(unpack(private), _TOLD)
    return told


LEAF = 33
SALT: Final = 16
"""Length in bytes of a leaf together with the number of its seat."""


def genesis(game: bytes, rules: bytes, fp: bytes) -> bytes:
    """Return hash[0], computed from the game id, the rules digest of the edition, and the SHA-256 of the
    host's certificate (`fp`)."""
    return digest("genesis", game, rules, fp)


def leaf_hash(game: bytes, n: int, seat: int, salt: bytes, private: bytes) -> bytes:
    """Return the leaf of a seat: the hash of `salt` and `private`, the bytes that only this seat receives of
    entry `n`. The hash chain contains the leaf."""
    return digest("priv", game, u64(n), u8(seat), salt, private)


def entry_hash(before: bytes, n: int, public: bytes, leaves: bytes) -> bytes:
    """Return hash[n], computed from `before` (hash[n-1]), the `public` bytes of entry `n` and its joined
    `leaves`."""
    return digest("entry", before, u64(n), public, leaves)


def sign_entry(host: Identity, game: bytes, n: int, head: bytes) -> bytes:
    """Return the host's signature of hash[n], and so of all entries up to `n`. `head` is hash[n]."""
    return host.sign("entry", game, u64(n), head)


def entry_signed(host: bytes, signature: bytes, game: bytes, n: int, head: bytes) -> bool:
    """Return whether `signature` is that of the key `host` for hash[n]; `head` is hash[n]."""
    return verify(host, signature, "entry", game, u64(n), head)


def salt(secret: bytes, n: int, seat: int) -> bytes:
    """Return the salt of a seat's leaf in entry `n`, derived from the host's `secret`. Without it, others
    could guess the private content and compare its hash."""
    return digest("salt", secret, u64(n), u8(seat))[:SALT]


def join_leaves(leaves: Mapping[int, bytes]) -> bytes:
    """Return the leaves joined in order of seats, each after the number of its seat."""
    return b"".join(u8(seat) + leaves[seat] for seat in sorted(leaves))


def leaves_of(secret: bytes, game: bytes, n: int, private: Mapping[int, bytes]) -> bytes:
    """Return the joined leaves of entry `n`. `private` are the private bytes by seat, and `secret` is the
    host's."""
    return join_leaves({seat: leaf_hash(game, n, seat, salt(secret, n, seat), private[seat]) for seat in private})


def split_leaves(joined: bytes) -> dict[int, bytes]:
    """Split joined leaves into a dict by seat. Return None unless the numbers of the seats rise and every
    leaf is complete."""
    seats = list(joined[::LEAF])
    if len(joined) % LEAF or seats != sorted(set(seats)):
        return {}
    return {seat: joined[at * LEAF + 1 : (at + 1) * LEAF] for at, seat in enumerate(seats)}


class Chain:
    """The hash chain of a game as far as it is known: `n` is the number of entries, and `head` the hash of
    the last one."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes) -> None:
        self.game = game
        self.n = 0
        self.head = genesis(game, rules, fp)

    def grow(self, head: bytes) -> bytes:
        """Add an entry whose hash is `head`. Return `head`."""
        self.head = head
        self.n += 1
        return head


def mover_signed(
    game: bytes, key: bytes, n: int, before: bytes, seat: int, what: str | bytes, signature: bytes
) -> bool:
    """Return whether `key` has signed the move `what` of its seat as entry `n`, directly after the history
    with the hash `before`."""
    return verify(key, signature, *move_said(game, n, before, seat, what))


def sign_move(identity: Identity, game: bytes, chain: Chain, seat: int, what: str | bytes) -> bytes:
    """Return the player's signature of the move `what` as the next entry of `chain`."""
    return identity.sign(*move_said(game, chain.n + 1, chain.head, seat, what))


def move_said(game: bytes, n: int, before: bytes, seat: int, what: str | bytes) -> tuple[str, *tuple[Field, ...]]:
    """Return the tag and the fields that a player signs for a move. The tags for a line (str) and for
    commitments (bytes) differ, so a signature of one is never valid for the other."""
    return "move" if isinstance(what, str) else "hidden", game, u64(n), before, u8(seat), what


class Gap(Exception):
    """The received entry is not the next one: its number is `got`, and the viewer needs entry `expected`. The
    viewer must ask for the entries from `expected` on."""

    def __init__(self, expected: int, got: int) -> None:
        super().__init__(f"entry {expected} is next, not {got}")
        self.expected = expected
        self.got = got


class Unsaid(Exception):
    """An entry or snapshot as received was not signed by the host, or its private part is not the one that
    the host signed; `n` is the entry. Proves nothing against the host, because anyone could have sent it."""

    def __init__(self, n: int) -> None:
        super().__init__(f"entry {n} is not signed by the host")
        self.n = n


class Mismatch(Exception):
    """Entry `n`, which the host has signed, contradicts the log before it. `code` is the kind of
    contradiction (see `report.model`), `details` say where and who; they contain nothing hidden."""

    def __init__(self, code: str, n: int, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.n = n
        self.details = details

    def __str__(self) -> str:
        parts = "".join(f" {name}={value}" for name, value in self.details.items())
        return f"entry {self.n}: {self.code}{parts}"


class Unacceptable(Exception):
    """The host cannot accept the message of a seat. `code` is the reason: `signature`, `stale`, `hidden`,
    `opening`, `notation`, `part`, `used`, `substitute`; in a sealed draft `draft_turn`, `draft_form`,
    `draft_opening`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


LONGEST: Final = max((*DISTRICTS, *CHARACTERS), key=len)
"""The longest name of a card or character. It stands for each hidden name when the length of a frame is
computed."""
MAX_ENTRIES: Final = 10_000
"""Most entries of a game, and so of a transcript."""


class Delta(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The parts of entry `n` that one viewer receives. `signature` is the host's signature of hash[n].
    `leaves` are the joined leaves of all seats. `salt` and `private` are None unless this viewer has a
    private part."""

    n: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)]
    signature: Signature
    public: Annotated[bytes, Meta(max_length=4096)]
    leaves: Annotated[bytes, Meta(max_length=9 * LEAF)]
    salt: Annotated[bytes, Meta(min_length=SALT, max_length=SALT)] | None
    private: Annotated[bytes, Meta(max_length=4096)] | None


def encode_delta(delta: Delta, size: int = 0) -> bytes:
    """Encode a delta as the padded body of a frame. `size` is the packed length of the longest delta of this
    entry for any viewer, so all bodies get the same length."""
    return pad(pack(delta), size)


def decode_delta(body: bytes) -> Delta:
    """Decode the delta in a padded body. Raises Malformed."""
    return typed(unpad(body), Delta)


def longest(delta: Delta, private: Iterable[bytes]) -> int:
    """Return the length of the longest packed delta of an entry, computed as if each hidden name had the
    longest possible name. So the length of a frame does not show what was drawn or picked. `delta` is that of
    a spectator, and `private` are the private bytes of the seats."""
    # The real lengths of names would show in the frame, so the longest name counts for each.
    sizes = [len(pack(delta))]
    told = [decode_private(data) for data in private]
    events = events_of(decode_entry(delta.public)) if told else []
    for seat in told:
        widest = [Told(event.index, _widest(events[event.index])) for event in seat]
        sizes.append(len(pack(replace(delta, salt=bytes(SALT), private=pack(widest)))))
    return max(sizes)


def _widest(plain: Any) -> Any:
    if isinstance(plain, list | tuple):
        return [_widest(part) for part in plain]
    return LONGEST if plain == HIDDEN else plain
