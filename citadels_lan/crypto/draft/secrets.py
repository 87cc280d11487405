"""The plan of a draft, and the secrets of a seat.

The plan has the characters, the layout, and the order of picks. A set of characters is a bitmap over the
cast: bit `i` is the character of rank `i + 1`. So the encoding of every set has the same length.

The secrets of a round follow from one link `y` of the seat's second hash chain. To continue after a crash, a
client needs only its secret for the game and the log. After the game, `y` of the last round reveals the
secrets of all rounds. A box is an encrypted message in the log from one seat to another (HPKE, RFC 9180)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from msgspec import Struct

from citadels_lan.crypto.codec import digest, frame, u8, u16
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.engine import State, edition_of
from citadels_lan.engine.flow.draft import laid_out
from citadels_lan.engine.flow.sealed_draft import DraftStep, outline
from citadels_lan.engine.table import label_of

NOBODY: Final = -1


class DraftPlan(Struct, frozen=True):
    """The plan of one round's draft. `cast` are the characters by rank, and `steps` the picks in order.
    `face_up` characters are laid out face up, but never the one at the place `never_up` of the cast.
    `face_down`: one more is dealt face down. `back`: the last step receives one character, and chooses
    between it and the face-down one."""

    cast: tuple[str, ...]
    steps: tuple[DraftStep, ...]
    face_up: int = 0
    never_up: int = NOBODY
    face_down: bool = True
    back: bool = False

    @property
    def offered(self) -> int:
        """The number of characters that the first step may choose from."""
        return len(self.cast) - self.face_up - self.face_down

    @property
    def dealer(self) -> int:
        """The seat that deals: that of the first step."""
        return self.steps[0].seat

    def goes_back(self, at: int) -> bool:
        """Return whether step `at` may also choose the face-down character."""
        return self.back and at == len(self.steps) - 1

    def names(self, cards: int) -> tuple[str, ...]:
        """Return the names of the characters in the bitmap `cards`, by rank."""
        return tuple(name for place, name in enumerate(self.cast) if cards >> place & 1)

    def cards(self, *characters: str) -> int:
        """Return the bitmap of these characters. Raises ValueError for a character that is not in the
        cast."""
        return sum(1 << self.cast.index(character) for character in characters)

    @property
    def all_cards(self) -> int:
        """The bitmap of the whole cast."""
        return (1 << len(self.cast)) - 1


def plan_for(state: State) -> DraftPlan:
    """Return the plan of the draft in the present round of `state`; between two rounds, that of the next
    round."""
    drawn, ranks = outline(state), edition_of(state).ranks
    never_up = (place for place, character in enumerate(state.cast) if ranks[character] == drawn.never_up)
    layout = drawn.face_up, next(never_up, NOBODY), drawn.face_down, drawn.returns
    return DraftPlan(tuple(state.cast), drawn.picks, *layout)


LINKS: Final = 256
"""Number of links in a hash chain, one for each round. A sealed draft is impossible after that round."""


_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
SEALED: Final = 32 + 2 + 32 + 16
"""Length of a box in bytes: an ephemeral public key, two bytes of characters, a nonce, and the tag."""


@lru_cache(256)
def public_key(secret: bytes) -> bytes:
    """Return the 32-byte public key of 32 secret bytes."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def usable(key: bytes) -> bool:
    """Return whether a box can be encrypted to the public key `key`. False: a point of small order, which
    gives no secret."""
    # An exchange with a point of small order gives zeros, which the library rejects.
    try:
        X25519PrivateKey.from_private_bytes(bytes(32)).exchange(X25519PublicKey.from_public_bytes(key))
    except ValueError:
        return False
    return True


@lru_cache(256)
def decrypt(secret: bytes, info: bytes, sealed: bytes) -> tuple[int, bytes] | None:
    """Decrypt the box `sealed` with the secret key `secret`. Return its characters (a bitmap) and nonce; None
    if it cannot be decrypted. `info` must be the value of `DraftTable.info` for the box."""
    try:
        content = _SUITE.decrypt(sealed, X25519PrivateKey.from_private_bytes(secret), info)
    except (InvalidTag, ValueError):
        return None
    return int.from_bytes(content[:2], "big"), content[2:]


@lru_cache(1024)
def later_link(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """Hash `link` as many `times`. One hash gives the link of the round before; the link of round 0 is the
    chain commitment. (A seat reveals the links in the opposite order to that in which it computes them.)"""
    for _ in range(times):
        link = digest("link", game, u8(seat), link)
    return link


def own_link(key: bytes, game: bytes, seat: int, chain: str, round_: int) -> bytes:
    """Return a client's link for round `round_` of its chain "x" or "y", computed from its secret `key` for
    the game. Raises ValueError after round 256."""
    if round_ > LINKS:
        raise ValueError("the chain has no more links")
    return later_link(game, seat, digest(f"own-{chain}", key, game), LINKS - round_)


class Fixed(Struct, frozen=True):
    """A seat's commitment to a set of characters, and the place of the commitment. `by` is the seat, and
    `head` the hash before the entry. `kind` and `index` are:
    - pick, discard: the number of the seat's earlier picks in this round;
    - packet: the step that receives the packet;
    - face-down: 0;
    - given: the number of characters that were exchanged before in this round."""

    kind: str
    index: int
    by: int
    head: bytes
    commit: bytes = b""


class SealedBox(Struct, frozen=True):
    """A box in entry `n` for the seat `to`: it contains `size` characters, to which the commitment `fixed`
    commits."""

    n: int
    fixed: Fixed
    to: int
    size: int
    sealed: bytes


class DraftTable(Struct, frozen=True):
    """The public facts about a draft before it begins: the game, the round's `number`, the `plan`, and the
    chain commitments (`anchors`) of the seats' second chains."""

    game: bytes
    number: int
    plan: DraftPlan
    anchors: tuple[bytes, ...]

    def fits(self, seat: int, link: bytes) -> bool:
        """Return whether `link` is the right link of this round in the seat's second chain: hashing it leads
        to the chain commitment."""
        return self.number <= LINKS and later_link(self.game, seat, link, self.number) == self.anchors[seat]

    def commitment(self, fixed: Fixed, cards: int, nonce: bytes) -> bytes:
        """Return the 32-byte commitment to `cards` (a bitmap) at the place `fixed`."""
        place = (u16(self.number), u8(fixed.by), u8(fixed.index))
        return digest("cards", self.game, fixed.kind, *place, u16(cards), nonce)

    def opens(self, fixed: Fixed, cards: int, nonce: bytes) -> bool:
        """Return whether `cards` (a bitmap) and `nonce` open the commitment in `fixed`."""
        return self.commitment(fixed, cards, nonce) == fixed.commit

    def info(self, fixed: Fixed, to: int) -> bytes:
        """Return the `info` of HPKE for a box: it binds the box to its place and to the commitment."""
        place = (u16(self.number), u8(fixed.index), u8(fixed.by), u8(to))
        return frame("box", self.game, fixed.kind, *place, fixed.commit)

    def open_box(self, box: SealedBox, secret: bytes) -> tuple[int, bytes] | None:
        """Decrypt `box` with the receiver's secret key. Return the characters (a bitmap) and the nonce; None
        if it cannot be decrypted."""
        return decrypt(secret, self.info(box.fixed, box.to), box.sealed)


class DraftSecret(Struct, frozen=True):
    """The secret of a seat in one draft: the link `y` of the seat's second hash chain. Everything secret in
    the round follows from `y`."""

    table: DraftTable
    seat: int
    y: bytes

    def __repr__(self) -> str:
        return f"DraftSecret({self.table.game.hex()}, {self.table.number}, {self.seat})"

    @property
    def box(self) -> bytes:
        """This seat's secret key for boxes in this round."""
        return digest("box-key", self.y)

    @property
    def box_key(self) -> bytes:
        """This seat's public key for boxes in this round."""
        return public_key(self.box)

    def layout(self, links: tuple[bytes, ...]) -> tuple[bytes, int, int]:
        """Return this seat's deal as the dealer, by the rules of an open draft. `links` are the links of all
        seats' first chains. The result has the face-up characters in order (one byte each, the place in the
        cast), then two bitmaps: the face-down character, and the first packet."""
        plan, number = self.table.plan, self.table.number
        chance = SeededChance(digest("deal", u16(number), *links, self.y))
        never = plan.cast[plan.never_up] if plan.never_up != NOBODY else ""
        face_up, down, pile = laid_out(chance, number, plan.cast, never, plan.face_up, plan.face_down)
        return bytes(plan.cast.index(card) for card in face_up), plan.cards(*down), plan.cards(*pile)

    def nonce(self, fixed: Fixed) -> bytes:
        """Return the nonce of this seat's commitment at the place `fixed`."""
        return digest("draft-nonce", self.table.game, self.y, fixed.head, fixed.kind, u8(fixed.index))

    def fix(self, kind: str, index: int, head: bytes, cards: int) -> Fixed:
        """Return this seat's commitment to `cards` (a bitmap) in the entry after `head`. `kind` and `index`
        are as in `Fixed`."""
        fixed = Fixed(kind, index, self.seat, head)
        commit = self.table.commitment(fixed, cards, self.nonce(fixed))
        return Fixed(kind, index, self.seat, head, commit)

    def fixes(self, fixed: Fixed, cards: int) -> bool:
        """Return whether `fixed`, a commitment of this seat, is a commitment to exactly the characters in the
        bitmap `cards`."""
        return self.table.opens(fixed, cards, self.nonce(fixed))

    def one_in(self, fixed: Fixed) -> int | None:
        """Return the one character to which `fixed`, a commitment of this seat, commits, as a bitmap. None:
        it commits to anything else than one character."""
        nonce = self.nonce(fixed)
        cards = (1 << place for place in range(len(self.table.plan.cast)))
        return next((card for card in cards if self.table.opens(fixed, card, nonce)), None)

    def seal(self, fixed: Fixed, cards: int, to: int, keys: Sequence[bytes]) -> bytes:
        """Return the box that contains `cards` for the seat `to`: the characters and the nonce of the
        commitment `fixed`, encrypted. `keys` are the public keys for boxes, by seat."""
        content, key = u16(cards) + self.nonce(fixed), X25519PublicKey.from_public_bytes(keys[to])
        return _SUITE.encrypt(content, key, self.table.info(fixed, to))

    def chance(self, purpose: str, use: int, cards: int) -> int:
        """Draw one of the characters in the bitmap `cards`, by chance that follows from `y`, so verification
        can check it after the game. `purpose` and `use` are parts of the label of the draw."""
        plan, label = self.table.plan, label_of(purpose, self.table.number, self.seat, use)
        return plan.cards(SeededChance(self.y).pick(label, plan.names(cards)))
