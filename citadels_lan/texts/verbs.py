"""All verbs in words: those of every turn, of sales, and of the cards."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.engine import Choice

from . import cards
from .card import Verb
from .choices import selling, turn
from .language import Texts
from .marks import CHOICE, InContext

VERBS: Final[Mapping[str, Verb]] = {
    verb.word: verb for verbs in (turn.VERBS, selling.VERBS, *(card.verbs for card in cards.ALL)) for verb in verbs
}
"""By the first word of the notation."""


def choice(texts: Texts, word: str) -> str:
    """The same as a choice in a menu names it, where it is no infinitive in every language."""
    return texts.say(InContext(CHOICE, VERBS[word].meaning.text))


def verb(texts: Texts, word: str, choices: Sequence[Choice] = ()) -> str:
    """What a verb of the notation means, as an infinitive without `to`; `choices` are those there are, where they
    are known."""
    said = VERBS[word]
    return texts.say(said.among(choices) if said.among is not None and choices else said.meaning)
