"""All verbs in words: those of every turn, of sales, and of the cards."""

from collections.abc import Mapping
from typing import Final

from . import cards
from .card import Verb
from .choices import selling, turn
from .language import Texts

VERBS: Final[Mapping[str, Verb]] = {
    verb.word: verb for verbs in (turn.VERBS, selling.VERBS, *(card.verbs for card in cards.ALL)) for verb in verbs
}
"""By the first word of the notation."""


def verb(texts: Texts, word: str) -> str:
    """What a verb of the notation means, as an infinitive without `to`."""
    return texts.say(VERBS[word].meaning)
