"""What an action is, and how those look that name one thing. `str(action)` is its canonical line of notation
(docs/notation.md), and `read` understands the line again."""

from collections.abc import Iterable
from typing import ClassVar, Final, Literal, Self

from msgspec import Struct

from .reading import Words
from .spots import Spot, seat_name

ACTIONS: Final[dict[str, type["Action"]]] = {}
"""Every action by its verb: `Action` puts in whatever class says one."""
Resource = Literal["gold", "cards"]


class Action(Struct, frozen=True):
    """Base of all actions. `verb` is the first word of the notation, a class without one is a base of others.
    What `words` writes is what `read` reads."""

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
        """The action that a line goes on to say after the verb. Raises BadNotation."""
        return cls()

    def words(self) -> Iterable[str]:
        """What follows the verb in the notation."""
        return ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words()))


class OfCharacter(Action, frozen=True):
    character: str

    def words(self) -> Iterable[str]:
        return (self.character,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.character())


class OfSeat(Action, frozen=True):
    seat: int

    def words(self) -> Iterable[str]:
        return (seat_name(self.seat),)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.seat())


class OfCard(Action, frozen=True):
    card: str

    def words(self) -> Iterable[str]:
        return (self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.card())


class OfCards(Action, frozen=True):
    cards: tuple[str, ...]

    def words(self) -> Iterable[str]:
        return self.cards

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.cards())


class OfSpot(Action, frozen=True):
    target: Spot

    def words(self) -> Iterable[str]:
        return (str(self.target),)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.spot())


class OfResource(Action, frozen=True):
    what: Resource

    def words(self) -> Iterable[str]:
        return (self.what,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.resource())


class OfAnswer(Action, frozen=True):
    yes: bool

    def words(self) -> Iterable[str]:
        return ("yes" if self.yes else "no",)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(words.answer())
