"""What each character and each unique district does, by key. The folders `characters` and `districts` fill it."""

from typing import Final

from .rules import Character, Unique

ABILITIES: Final[dict[str, Character]] = {}
EFFECTS: Final[dict[str, Unique]] = {}


def register_characters(*pieces: Character) -> None:
    """Make characters known by their keys."""
    ABILITIES.update((piece.key, piece) for piece in pieces)


def register_uniques(*pieces: Unique) -> None:
    """Make unique districts known by their keys."""
    EFFECTS.update((piece.key, piece) for piece in pieces)
