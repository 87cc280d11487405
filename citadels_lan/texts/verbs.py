"""All verbs in words: those of every turn, and those of the cards."""

from collections.abc import Mapping
from typing import Final

from . import cards
from .card import Verb
from .choices import turn
from .language import Texts

VERBS: Final[Mapping[str, Verb]] = {
    verb.word: verb for verbs in (turn.VERBS, *(card.verbs for card in cards.ALL)) for verb in verbs
}
"""By the first word of the notation."""


def verb(texts: Texts, word: str) -> str:
    """What a verb of the notation means, as an infinitive without `to`."""
    return texts.say(VERBS[word].meaning)
