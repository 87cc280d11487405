"""The names that a line of notation may say: every card of every edition. Whether a card belongs to the edition
that is played, is for its rules to say."""

from collections.abc import Iterable
from typing import Final

from .cards import box

BOXES: Final = ("e2016", "classic", "dark_city")
"""The folders of `editions` that have cards of their own."""
DISTRICTS: Final[tuple[str, ...]] = tuple(dict.fromkeys(key for folder in BOXES for key in box(folder).districts))
CHARACTERS: Final[tuple[str, ...]] = tuple(
    dict.fromkeys(key for folder in BOXES for key in box(folder).characters)
)
"""By rank; where editions differ about a rank, it is that of the first one."""
_PLACE: Final = {character: place for place, character in enumerate(CHARACTERS)}


def by_rank(characters: Iterable[str]) -> tuple[str, ...]:
    """Characters in the canonical order of the notation."""
    return tuple(sorted(characters, key=_PLACE.__getitem__))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in the canonical order of the notation."""
    return tuple(sorted(cards))
