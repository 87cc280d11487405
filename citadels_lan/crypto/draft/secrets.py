"""What a seat's secret of one draft gives, and what everybody knows of a draft before it begins.

All that a seat hides in a draft follows from one link `y` of its second chain, from its place, and from what it
has committed to. So a client that crashed has it again, and `y` opens all of it in the end.
"""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto.beacons import LINKS, Round, anchor, hashed, leads_to, link_of
from citadels_lan.crypto.commitments import commitment
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.frames import digest, u8, u16, u64

from .plan import DraftPlan


def draft_secret(key: bytes, game: bytes) -> bytes:
    """`y_0` of a client, from its 32-byte key for one game."""
    return digest("own-draft", key, game)


def draft_anchor(key: bytes, game: bytes, seat: int) -> bytes:
    """The end of a client's second chain."""
    return anchor(game, seat, draft_secret(key, game))


def chains_differ(anchors: Sequence[bytes], second: Sequence[bytes]) -> bool:
    """Whether no chain of a game stands twice among the anchors of both kinds: what one link tells at a round's
    beginning another one must hide to the end of the game."""
    return len({*anchors, *second}) == len(anchors) + len(second)


def earlier_link(game: bytes, seat: int, link: bytes, attempt: int, before: int) -> bytes:
    """The link of an attempt `before` that of `link`, which follows from it; ValueError for a later one."""
    if not before <= attempt <= LINKS:
        raise ValueError("a link tells nothing of later ones")
    return hashed(game, seat, link, attempt - before)


def stand_in_draft_key(game: bytes, secret: bytes, n: int, seat: int) -> bytes:
    """The key for the game with which the stand-in of entry `n` drafts for a seat, from the host's secret."""
    return digest("stand-in-draft", game, secret, u64(n), u8(seat))


class DraftTable(Struct, frozen=True):
    """What everybody knows of a draft before it begins. `round` is what its beacons added to the seed, `attempt`
    the number of that attempt in the game; by seat, `anchors` are the ends of the second chains, and `boxes` the
    keys that characters are sealed to. `dealers` is the bitmap of the seats that may deal."""

    game: bytes
    round: Round
    attempt: int
    plan: DraftPlan
    anchors: tuple[bytes, ...]
    boxes: tuple[bytes, ...]
    dealers: int

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.round.number

    def fits(self, seat: int, link: bytes) -> bool:
        """Whether a link is that of a seat for this draft."""
        return self.attempt <= LINKS and leads_to(self.game, seat, link, self.attempt, (0, self.anchors[seat]))


class DraftSecret(Struct, frozen=True):
    """The secret of a seat in one draft; `link` is the one of its second chain."""

    table: DraftTable
    seat: int
    link: bytes

    def __repr__(self) -> str:
        return f"DraftSecret({self.table.game.hex()}, {self.table.number}, {self.seat})"

    @property
    def seed(self) -> bytes:
        """The seed of the draft, where this seat deals."""
        one = self.table.round
        fields = (u16(one.number), one.head, u16(one.present), *one.links, u8(self.seat), self.link)
        return digest("draft", self.table.game, *fields)

    @property
    def token(self) -> bytes:
        """What goes along with the packet of a dealer, so that the last seat can read the face-down character no
        sooner than it is its turn."""
        return digest("draft-token", self.table.game, self.link)

    def nonce(self, kind: str, index: int) -> bytes:
        """The nonce of a commitment of this seat."""
        return digest("draft-nonce", self.table.game, self.link, kind, u8(index))

    def key(self, kind: str, index: int, to: int, commit: bytes) -> bytes:
        """The secret key of one box. It follows from what is in the box, too: no key seals two things."""
        return digest("draft-key", self.table.game, self.link, kind, u8(index), u8(to), commit)

    def chance(self, what: str, index: int, cards: int) -> int:
        """One of some characters as this seat's own chance takes it, which everybody can check in the end."""
        chance = SeededChance(digest("draft-chance", self.table.game, self.link))
        return 1 << chance.pick(f"{what}/{index}", self.table.plan.places(cards))

    def pick_commitment(self, kind: str, slot: int, card: int) -> bytes:
        """The commitment to a line `pick …` or `discard …` of one character."""
        return self._line_commitment(kind, slot, self.table.plan.names(card)[0], self.nonce(kind, slot))

    def _line_commitment(self, kind: str, slot: int, name: str, nonce: bytes) -> bytes:
        place = (self.table.number, self.seat, slot)
        return commitment(self.table.game, kind, *place, f"{kind} {name}", nonce)

    def cards_commitment(self, kind: str, index: int, cards: int) -> bytes:
        """The commitment of this seat to a set of characters."""
        return cards_commitment(self.table, kind, self.seat, index, cards, self.nonce(kind, index))

    def picked(self, kind: str, slot: int, commit: bytes) -> int | None:
        """The character that this seat has committed to in a line, as a bitmap: one of a few candidates."""
        nonce = self.nonce(kind, slot)
        commits = (self._line_commitment(kind, slot, name, nonce) for name in self.table.plan.cast)
        return next((1 << place for place, found in enumerate(commits) if found == commit), None)

    def given(self, index: int, commit: bytes) -> int | None:
        """The character that this seat has committed to when it gave it away."""
        table, nonce = self.table, self.nonce("given", index)
        cards = (1 << place for place in range(len(table.plan.cast)))
        fitting = (
            card for card in cards if cards_commitment(table, "given", self.seat, index, card, nonce) == commit
        )
        return next(fitting, None)


def secret_of(table: DraftTable, seat: int, key: bytes) -> DraftSecret:
    """The secret of a client in one draft, from its key for the game; ValueError where its chain is spent."""
    if table.attempt > LINKS:
        raise ValueError("the chain is spent")
    return DraftSecret(table, seat, link_of(table.game, seat, draft_secret(key, table.game), table.attempt))


def cards_commitment(table: DraftTable, kind: str, seat: int, index: int, cards: int, nonce: bytes) -> bytes:
    """The 32 bytes that fix a set of characters without telling it. `kind` says of what, `index` where."""
    return digest("cards", table.game, kind, u16(table.number), u8(seat), u8(index), u16(cards), nonce)


def token_commitment(table: DraftTable, token: bytes) -> bytes:
    """What everybody holds of a dealer's token."""
    return digest("token", table.game, u16(table.number), token)
