"""The plan of a draft, and the secrets of a seat.

The plan has the characters, the layout, and the order of picks. A set of characters is a bitmap over the cast: bit
`i` is the character of rank `i + 1`. So all sets have the same length.

The secrets of a round follow from one link `y` of the seat's second hash chain. A client needs only its key and
the log to continue, and after the game the last `y` opens everything. A box is an encrypted message in the log
from one seat to another (HPKE, RFC 9180).
"""

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
    """The plan of one round's draft. `face_up` characters are laid out, never the one at the place `never_up`
    of the cast. With `face_down`, one more is dealt face down. With `back`, the last step receives one
    character, and chooses between it and the face-down one."""

    cast: tuple[str, ...]
    steps: tuple[DraftStep, ...]
    face_up: int = 0
    never_up: int = NOBODY
    face_down: bool = True
    back: bool = False

    @property
    def offered(self) -> int:
        """How many characters the first step is offered."""
        return len(self.cast) - self.face_up - self.face_down

    @property
    def dealer(self) -> int:
        """The seat of the first step."""
        return self.steps[0].seat

    def goes_back(self, at: int) -> bool:
        """Return whether a step is offered the face-down character, too."""
        return self.back and at == len(self.steps) - 1

    def names(self, cards: int) -> tuple[str, ...]:
        """The characters in a bitmap, by rank."""
        return tuple(name for place, name in enumerate(self.cast) if cards >> place & 1)

    def cards(self, *characters: str) -> int:
        """The bitmap of some characters; ValueError for one that is not in the cast."""
        return sum(1 << self.cast.index(character) for character in characters)

    @property
    def all_cards(self) -> int:
        """The bitmap of the whole cast."""
        return (1 << len(self.cast)) - 1


def plan_for(state: State) -> DraftPlan:
    """Return the plan of the draft of this round, or of the next one."""
    drawn, ranks = outline(state), edition_of(state).ranks
    never_up = (place for place, character in enumerate(state.cast) if ranks[character] == drawn.never_up)
    layout = drawn.face_up, next(never_up, NOBODY), drawn.face_down, drawn.returns
    return DraftPlan(tuple(state.cast), drawn.picks, *layout)


LINKS: Final = 256
"""Links of a hash chain, one for each round."""


_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
SEALED: Final = 32 + 2 + 32 + 16
"""Length of a box in bytes: an ephemeral public key, two bytes of characters, a nonce, and the tag."""


@lru_cache(256)
def public_key(secret: bytes) -> bytes:
    """Return the 32-byte public key of 32 secret bytes."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def usable(key: bytes) -> bool:
    """Return whether a box can be encrypted to a public key; a point of small order gives no secret."""
    # An exchange with a point of small order gives zeros, which the library rejects.
    try:
        X25519PrivateKey.from_private_bytes(bytes(32)).exchange(X25519PublicKey.from_public_bytes(key))
    except ValueError:
        return False
    return True


@lru_cache(256)
def decrypt(secret: bytes, info: bytes, sealed: bytes) -> tuple[int, bytes] | None:
    """Decrypt a box. Return its characters and nonce; None if it cannot be decrypted."""
    try:
        content = _SUITE.decrypt(sealed, X25519PrivateKey.from_private_bytes(secret), info)
    except (InvalidTag, ValueError):
        return None
    return int.from_bytes(content[:2], "big"), content[2:]


@lru_cache(1024)
def later_link(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """Hash a link this many times. Each hash gives the link of the round before; the link of round 0 is the
    anchor."""
    for _ in range(times):
        link = digest("link", game, u8(seat), link)
    return link


def own_link(key: bytes, game: bytes, seat: int, chain: str, round_: int) -> bytes:
    """Return a client's link of its chain "x" or "y", from its key for the game. ValueError after round 256."""
    if round_ > LINKS:
        raise ValueError("the chain has no more links")
    return later_link(game, seat, digest(f"own-{chain}", key, game), LINKS - round_)


class Fixed(Struct, frozen=True):
    """The place of a seat's commitment to a set of characters. `by` is the seat, `head` the hash before its
    entry. `kind` and `index`: pick or discard (the seat's pick in this round, from 0), packet (the step that
    receives it), face-down (0), given (the number of characters exchanged before in this round)."""

    kind: str
    index: int
    by: int
    head: bytes
    commit: bytes = b""


class SealedBox(Struct, frozen=True):
    """The box in entry `n` for the seat `to`: `size` characters, to which `fixed` commits."""

    n: int
    fixed: Fixed
    to: int
    size: int
    sealed: bytes


class DraftTable(Struct, frozen=True):
    """What is known of a draft before it begins. `anchors` are the ends of the seats' second chains."""

    game: bytes
    number: int
    plan: DraftPlan
    anchors: tuple[bytes, ...]

    def fits(self, seat: int, link: bytes) -> bool:
        """Return whether a link of this round leads to the anchor of the seat's second chain."""
        return self.number <= LINKS and later_link(self.game, seat, link, self.number) == self.anchors[seat]

    def commitment(self, fixed: Fixed, cards: int, nonce: bytes) -> bytes:
        """Return the commitment to these characters at the place `fixed`."""
        place = (u16(self.number), u8(fixed.by), u8(fixed.index))
        return digest("cards", self.game, fixed.kind, *place, u16(cards), nonce)

    def opens(self, fixed: Fixed, cards: int, nonce: bytes) -> bool:
        """Return whether these characters and this nonce open a commitment."""
        return self.commitment(fixed, cards, nonce) == fixed.commit

    def info(self, fixed: Fixed, to: int) -> bytes:
        """Return the `info` of HPKE for a box: it binds the box to its place and to the commitment."""
        place = (u16(self.number), u8(fixed.index), u8(fixed.by), u8(to))
        return frame("box", self.game, fixed.kind, *place, fixed.commit)

    def open_box(self, box: SealedBox, secret: bytes) -> tuple[int, bytes] | None:
        """Return the characters and the nonce that a box secret gives; None if the box does not open."""
        return decrypt(secret, self.info(box.fixed, box.to), box.sealed)


class DraftSecret(Struct, frozen=True):
    """The secret of a seat in one draft: the link `y` of its second chain."""

    table: DraftTable
    seat: int
    y: bytes

    def __repr__(self) -> str:
        return f"DraftSecret({self.table.game.hex()}, {self.table.number}, {self.seat})"

    @property
    def box(self) -> bytes:
        """The secret key of this seat's box in this round."""
        return digest("box-key", self.y)

    @property
    def box_key(self) -> bytes:
        """The public key of this seat's box in this round."""
        return public_key(self.box)

    def layout(self, links: tuple[bytes, ...]) -> tuple[bytes, int, int]:
        """Return the deal of this seat, by the rules of an open draft; `links` are the first links of all seats.
        It has the face-up characters in order, as places in the cast, and as bitmaps the face-down one and the
        first packet."""
        plan, number = self.table.plan, self.table.number
        chance = SeededChance(digest("deal", u16(number), *links, self.y))
        never = plan.cast[plan.never_up] if plan.never_up != NOBODY else ""
        face_up, down, pile = laid_out(chance, number, plan.cast, never, plan.face_up, plan.face_down)
        return bytes(plan.cast.index(card) for card in face_up), plan.cards(*down), plan.cards(*pile)

    def nonce(self, fixed: Fixed) -> bytes:
        """Return the nonce of a commitment by this seat."""
        return digest("draft-nonce", self.table.game, self.y, fixed.head, fixed.kind, u8(fixed.index))

    def fix(self, kind: str, index: int, head: bytes, cards: int) -> Fixed:
        """Return this seat's commitment to these characters."""
        fixed = Fixed(kind, index, self.seat, head)
        commit = self.table.commitment(fixed, cards, self.nonce(fixed))
        return Fixed(kind, index, self.seat, head, commit)

    def fixes(self, fixed: Fixed, cards: int) -> bool:
        """Return whether this seat's commitment is one to these characters."""
        return self.table.opens(fixed, cards, self.nonce(fixed))

    def one_in(self, fixed: Fixed) -> int | None:
        """Return the one character that this seat has committed to, as a bitmap; None if no single character
        fits."""
        nonce = self.nonce(fixed)
        cards = (1 << place for place in range(len(self.table.plan.cast)))
        return next((card for card in cards if self.table.opens(fixed, card, nonce)), None)

    def seal(self, fixed: Fixed, cards: int, to: int, keys: Sequence[bytes]) -> bytes:
        """Encrypt the characters of a commitment for the seat `to`; `keys` are the box keys by seat."""
        content, key = u16(cards) + self.nonce(fixed), X25519PublicKey.from_public_bytes(keys[to])
        return _SUITE.encrypt(content, key, self.table.info(fixed, to))

    def chance(self, purpose: str, use: int, cards: int) -> int:
        """Take one of these characters by this seat's own chance, which verification can check after the game."""
        plan, label = self.table.plan, label_of(purpose, self.table.number, self.seat, use)
        return plan.cards(SeededChance(self.y).pick(label, plan.names(cards)))
