"""What is written of one card, and of one verb: plain data, filled in `cards/`, one entry for each card."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from citadels_lan.engine import Edition

from .marks import InContext, Message

NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})
SHORT_CELLS: Final = 10
"""How wide a short name is at most."""


class Verb(NamedTuple):
    """The moves of one verb in words.

    `label` and `deal` are called with a `choices.labels.Labeller` and the action (`deal`: with the bounded choice
    before it) and say what stands on the button. The forms of a sentence are those for the seat it is about, then
    for everybody else.
    """

    word: str
    meaning: InContext
    """As an infinitive without `to`: you may still build, or {meaning}."""
    label: Callable[[Any, Any], str]
    deal: Callable[[Any, Any, Any], str] | None = None
    """Where a move can be a bounded choice."""
    parts: Mapping[str, str] = NOTHING
    """What each part of the bounded choice is for, by its name."""
    question: tuple[str, str] | None = None
    """The status line while it is awaited."""
    asked: tuple[str, str] | None = None
    """The line of the log when it is asked for; none where each answer is told, and asking again says nothing."""
    asked_about: str = ""
    """The same for the other seat concerned, where it is told differently."""
    many: bool = False
    """It is about too many cards for the log to name them."""
    answers: Mapping[str, tuple[str, str]] = NOTHING
    """The line of the log for an answer that nothing following shows, by the answer."""
    among: Callable[[Sequence[Any]], InContext] | None = None
    """The meaning where it depends on what may be chosen."""


class Story(NamedTuple):
    """What a card does in an edition."""

    summary: str = ""
    """In one line of at most 76 cells; none where the card's own line is true there too."""
    text: str = ""
    """In full, with what players ask about it."""


class Card(NamedTuple):
    """A card in words. A district that does nothing by itself has neither summary nor text."""

    key: str
    name: InContext
    the: InContext | None = None
    """The name with its article; characters have it."""
    short: InContext | None = None
    """The name in at most SHORT_CELLS cells, where it is wider in one of the languages."""
    summary: str = ""
    text: str = ""
    verbs: Sequence[Verb] = ()
    """What its moves begin with; a verb of several cards stands in each of them."""
    whys: Sequence[str] = ()
    """What an event carries as `why` and is told by the card's name."""
    reasons: Mapping[str, Message] = NOTHING
    """The same, told in other words."""
    told: Mapping[tuple[type, str], tuple[str, ...]] = NOTHING
    """Forms of a sentence of the log, by the event and its `why` or `kind`; whoever tells the event says which."""
    refusals: Mapping[str, Message] = NOTHING
    """Why a move is refused, for codes that only this card gives."""
    editions: Mapping[str, Story] = NOTHING
    """The story in editions where the card does something else, by the edition's key."""
    numbers: Callable[[Any, Edition], Mapping[str, str]] | None = None
    """What stands in the braces of its stories: numbers that the edition's options may change. It is called with a
    `language.Texts`."""

    def story(self, edition: str = "") -> Story:
        """What the card does in an edition."""
        own = self.editions.get(edition, Story(text=self.text))
        return own if own.summary else own._replace(summary=self.summary)


class Cards(NamedTuple):
    """The cards by key."""

    characters: Mapping[str, Card]
    districts: Mapping[str, Card]
