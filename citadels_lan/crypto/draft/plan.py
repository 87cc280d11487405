"""The plan of a draft, as data: which characters, what is laid out, who picks in which order.

Sets of characters are bitmaps over the cast: bit `i` is the character of rank `i + 1`. They have one length,
whatever is in them.
"""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.engine import State, edition_of
from citadels_lan.engine.flow.draft import laid_out
from citadels_lan.engine.flow.sealed import DraftStep, outline

NOBODY: Final = -1


class DraftPlan(Struct, frozen=True):
    """A draft of one round. `face_up` characters are laid out, never the one at the place `never_up` of the cast;
    if `face_down`, one more is laid face down by chance. If it goes `back`, the last step, which is passed one
    character alone, is offered both."""

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
    """Return how a table drafts in the round to come, or in this one."""
    drawn, ranks = outline(state), edition_of(state).ranks
    never_up = (place for place, character in enumerate(state.cast) if ranks[character] == drawn.never_up)
    layout = drawn.face_up, next(never_up, NOBODY), drawn.face_down, drawn.returns
    return DraftPlan(tuple(state.cast), drawn.picks, *layout)


def lay_out(plan: DraftPlan, seed: bytes, round_: int) -> tuple[bytes, int, int]:
    """Return what the seed of a draft deals, like that of an open one: the face-up characters in order, as places
    in the cast; the one face down and the first packet, as bitmaps."""
    never = plan.cast[plan.never_up] if plan.never_up != NOBODY else ""
    face_up, down, pile = laid_out(SeededChance(seed), round_, plan.cast, never, plan.face_up, plan.face_down)
    return bytes(plan.cast.index(card) for card in face_up), plan.cards(*down), plan.cards(*pile)
