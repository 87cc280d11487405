"""The base class of all actions, base classes for actions that name one thing, and `parse`.

An action is one move as data. `str(action)` is its line of notation (docs/notation.md), and `parse` reads the
line.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Final, Literal, Self

from msgspec import Struct

from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.notation import BadNotation, Spot, Words, seat_name

ACTIONS: Final[dict[str, type["Action"]]] = {}
"""Every action class by its verb. `Action` adds each subclass that has a verb."""
Resource = Literal["gold", "cards"]


class Action(Struct, frozen=True):
    """Base of all actions. `verb` is the first word of the action's line of notation. A class without a verb
    is only a base of other classes.

    `words` writes the action and `read` reads it back. An action whose line is not simply its fields in order
    overrides both.
    """

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
        """Return the action that the words after the verb describe. They are the fields in order. Raises
        BadNotation."""
        make: Callable[..., Self] = cls
        return make(*[READERS[name](words) for name in cls.__struct_fields__])

    def words(self) -> Iterable[str]:
        """Return the words of this action's line, without the verb."""
        return [word for name in self.__struct_fields__ for word in _written(getattr(self, name))]

    def __str__(self) -> str:
        return " ".join((self.verb, *self.words()))


READERS: Final[Mapping[str, Callable[[Words], object]]] = {
    "character": Words.character,
    "seat": Words.seat,
    "card": Words.card,
    "cards": Words.cards,
    "target": Words.spot,
    "type": lambda words: words.one_of(TYPES),
    "what": lambda words: words.one_of(("gold", "cards")),
    "yes": lambda words: words.one_of(("yes", "no")) == "yes",
}
"""How to read a field of an action from the notation, by the name of the field. Actions that override `read`
do not use it."""


def _written(value: object) -> Iterable[str]:
    """Return the words of the notation for the value of a field."""
    match value:
        case bool():
            return ("yes" if value else "no",)
        case int():
            return (seat_name(value),)
        case tuple():
            return value
    return (str(value),)


class OfCharacter(Action, frozen=True):
    """An action that names a character."""

    character: str


class OfSeat(Action, frozen=True):
    """An action that names a seat."""

    seat: int


class OfCard(Action, frozen=True):
    """An action that names a district card."""

    card: str


class OfCards(Action, frozen=True):
    """An action that names district cards, in the order of the notation."""

    cards: tuple[str, ...]


class OfSpot(Action, frozen=True):
    """An action that names one district in a city, as a `Spot`."""

    target: Spot


class OfResource(Action, frozen=True):
    """An action that names a resource: "gold" or "cards"."""

    what: Resource


class OfAnswer(Action, frozen=True):
    """A yes-or-no answer."""

    yes: bool


def parse(line: str, mover: int | None = None) -> Action:
    """Return the action of a line of notation, such as "build market". Targets and cards may come in any
    order (docs/notation.md).

    `mover` is the seat that moves. It is only needed if the line names the mover's own city by its letter.
    Raises BadNotation.
    """
    words = Words(line.split(), mover)
    verb = words.next()
    if verb not in ACTIONS:
        raise BadNotation("unknown_verb", verb)
    action = ACTIONS[verb].read(words)
    if words.left:
        raise BadNotation("line_too_long", words.left[0])
    return action
