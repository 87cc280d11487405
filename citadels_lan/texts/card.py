"""What the code says of a card and of its moves: plain data, filled in `cards/`. Its texts are in `card_texts`."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from citadels_lan.engine import Edition

from .marks import InContext, Message

NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


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


class Card(NamedTuple):
    """What the code says of a card with moves, sentences or reasons of its own."""

    key: str
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
    numbers: Callable[[Any, Edition], Mapping[str, str]] | None = None
    """What stands in the braces of its texts: numbers that the edition's options may change. It is called with a
    `language.Texts`."""
