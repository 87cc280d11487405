"""What seats say at once where the draft is sealed: the face-up characters of a deal, and who holds a character."""

from typing import TypeAlias

from msgspec import Struct


class FaceUp(Struct, frozen=True):
    """What the crowned seat has dealt face up."""

    characters: tuple[str, ...]


class Holder(Struct, frozen=True):
    """Who of the seats that were asked holds the character; None if nobody does."""

    seat: int | None


Answer: TypeAlias = FaceUp | Holder
