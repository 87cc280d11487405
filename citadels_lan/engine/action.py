"""The base class of all actions, base classes for actions that name one thing, and `parse`.

An action is one move as data. `str(action)` is its line of notation (docs/notation.md), and `parse` reads the
line.
"""

from collections.abc import Iterable
from typing import ClassVar, Final, Literal, Self

from msgspec import Struct

from citadels_lan.engine.notation import BadNotation, Spot, Words, seat_name

ACTIONS: Final[dict[str, type["Action"]]] = {}
"""Every action class by its verb. `Action` adds each subclass that has a verb."""
Resource = Literal["gold", "cards"]


class Action(Struct, frozen=True):
    """Base of all actions. `verb` is the first word of the notation. A class without a verb is a base of other
    classes. `read` understands the text that `words` writes."""

    verb: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        verb = cls.__dict__.get("verb")
        if verb in ACTIONS:
            raise TypeError(f"the verb {verb} is that of {ACTIONS[verb].__name__} already")
        if verb is not None:
            ACTIONS[verb] = cls

    @classmethod
    def read(cls, words: Words) -> Self:
        """Return the action for the words after the verb. Raises BadNotation."""
        return cls()

    def words(self) -> Iterable[str]:
        """Return the words after the verb in the notation."""
        return ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words()))


class OfCharacter(Action, frozen=True):
    """An action that names a character."""

    character: str

    def words(self) -> Iterable[str]:
        return (self.character,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.character())


class OfSeat(Action, frozen=True):
    """An action that names a seat."""

    seat: int

    def words(self) -> Iterable[str]:
        return (seat_name(self.seat),)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.seat())


class OfCard(Action, frozen=True):
    """An action that names a district card."""

    card: str

    def words(self) -> Iterable[str]:
        return (self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.card())


class OfCards(Action, frozen=True):
    """An action that names district cards, in the order of the notation."""

    cards: tuple[str, ...]

    def words(self) -> Iterable[str]:
        return self.cards

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.cards())


class OfSpot(Action, frozen=True):
    """An action that names a district in a city."""

    target: Spot

    def words(self) -> Iterable[str]:
        return (str(self.target),)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.spot())


class OfResource(Action, frozen=True):
    """An action that names gold or cards."""

    what: Resource

    def words(self) -> Iterable[str]:
        return (self.what,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.resource())


class OfAnswer(Action, frozen=True):
    """A yes-or-no answer."""

    yes: bool

    def words(self) -> Iterable[str]:
        return ("yes" if self.yes else "no",)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.answer())


def parse(line: str, mover: int | None = None) -> Action:
    """Return the action of a line of notation, such as "build market".

    `mover` is the seat that moves; it is only needed if the line names the mover's own city by its letter.
    Raises BadNotation. Targets and cards may come in any order. See docs/notation.md.
    """
    words = Words(line.split(), mover)
    verb = words.next()
    if verb not in ACTIONS:
        raise BadNotation("unknown_verb", verb)
    action = ACTIONS[verb].read(words)
    if words.left:
        raise BadNotation("line_too_long", words.left[0])
    return action
