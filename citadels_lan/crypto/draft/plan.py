"""What a draft is made of, as data: which characters, what is laid out, who picks in which order.

Sets of characters are bitmaps over the cast: bit `i` is the character of rank `i + 1`. They have one length,
whatever is in them.
"""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto.beacons import bitmap
from citadels_lan.crypto.drbg import SeededChance

NOBODY: Final = -1


class DraftStep(Struct, frozen=True):
    """A seat keeps one character of what it is offered, and lays `aside` as many face down. Where it `loses` one,
    chance takes one more out of what is left, before it is passed on."""

    seat: int
    aside: int = 0
    loses: bool = False

    @property
    def taken(self) -> int:
        """How many characters are fewer after this step."""
        return 1 + self.aside + self.loses


class DraftPlan(Struct, frozen=True):
    """A draft of one round. `face_up` characters are laid out, never the one at the place `never_up` of the cast;
    where `face_down`, one more is laid face down by chance. Where it goes `back`, whoever is offered one character
    alone at the last step chooses between the two."""

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

    def carries(self, seat: int, size: int) -> bool:
        """Whether a packet of so many characters for a seat has what opens the face-down one with it: that goes
        from seat to seat until the last step, and is of use there to whoever is offered one character alone."""
        return self.back and (seat != self.steps[-1].seat or size == 1)

    def places(self, cards: int) -> list[int]:
        """The places in the cast of the characters in a bitmap, rising."""
        return [place for place in range(len(self.cast)) if cards >> place & 1]

    def names(self, cards: int) -> tuple[str, ...]:
        """The characters in a bitmap, by rank."""
        return tuple(self.cast[place] for place in self.places(cards))

    def cards(self, *characters: str) -> int:
        """The bitmap of some characters; ValueError for one that is not in the cast."""
        return sum(1 << self.cast.index(character) for character in characters)

    @property
    def all_cards(self) -> int:
        """The bitmap of the whole cast."""
        return (1 << len(self.cast)) - 1


class Layout(Struct, frozen=True):
    """How the characters lie when a draft begins: the face-up ones in order, as places in the cast, the others as
    bitmaps."""

    face_up: bytes
    face_down: int
    packet: int


def lay_out(plan: DraftPlan, seed: bytes, round_: int) -> Layout:
    """The layout that follows from the seed of a draft (docs/protocol.md, section 5, *Chance*)."""
    chance = SeededChance(seed)
    pile = chance.shuffle(f"chars/{round_}", range(len(plan.cast)))
    face_up: list[int] = []
    returns = 0
    while len(face_up) < plan.face_up:
        card = pile.pop(0)
        if card != plan.never_up:
            face_up.append(card)
            continue
        face_up.append(pile.pop(0))
        pile.insert(chance.pick(f"back/{round_}/{returns}", range(len(pile) + 1)), card)
        returns += 1
    down = 1 << pile.pop(0) if plan.face_down else 0
    return Layout(bytes(face_up), down, bitmap(pile))
