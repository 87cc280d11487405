"""What each character, unique district, marker and pending step does, by key; the modules of each fill it."""

from typing import Any, Final

from .rules import Character, Marker, Rule, Unique

ABILITIES: Final[dict[str, Character]] = {}
EFFECTS: Final[dict[str, Unique]] = {}
MARKERS: Final[dict[str, Marker]] = {}
STEPS: Final[dict[str, Rule[Any]]] = {}
"""The rule that answers each kind of pending step."""


def register_characters(*pieces: Character) -> None:
    """Make characters known by their keys."""
    ABILITIES.update((piece.key, piece) for piece in pieces)


def register_uniques(*pieces: Unique) -> None:
    """Make unique districts known by their keys."""
    EFFECTS.update((piece.key, piece) for piece in pieces)


def register_markers(*pieces: Marker) -> None:
    """Make markers known by their kinds."""
    MARKERS.update((piece.kind, piece) for piece in pieces)


def register_steps(**rules: Rule[Any]) -> None:
    """Make the rules known that answer pending steps, by the verb of the step."""
    STEPS.update(rules)
