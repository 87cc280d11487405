"""All verbs in words, and the label of each choice: what it does, what it costs and what it gives."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State
from citadels_lan.texts import cards, moves
from citadels_lan.texts.card import Verb
from citadels_lan.texts.labels import Labeller
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import CHOICE, InContext, msg

VERBS: Final[Mapping[str, Verb]] = {
    verb.word: verb
    for verbs in (moves.TURN_VERBS, moves.SALE_VERBS, *(card.verbs for card in cards.CARDS))
    for verb in verbs
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


PARTS: Final[Mapping[str, str]] = {
    "with": msg("Cards that pay one gold each"),
    "lent": msg("Cards to give in return, one for each gold"),
}
"""What the parts of a payment are for; other parts stand with their verb."""


def describe(texts: Texts, choice: Choice, view: State, seat: int, names: Sequence[str]) -> str:
    """The label of an action or of a bounded choice, for `seat` and its view.

    `names` are the players' names by seat. The result is plain text: whoever shows it must not read markup in it.
    """
    labeller = Labeller(texts, view, seat, names)
    if not isinstance(choice, Deal):
        return VERBS[choice.verb].label(labeller, choice)
    label = VERBS[choice.verb].deal
    assert label is not None
    return label(labeller, choice, next(choice.actions()))  # any one of its actions shows what it is about


def describe_part(texts: Texts, deal: Deal, part: int, names: Sequence[str]) -> str:
    """What a part of a bounded choice is for; a part named after a seat's number is a gift for it."""
    name = deal.names[part]
    if name.isdecimal():
        return texts.say(msg("A card for {name}"), name=names[int(name)])
    return texts.say(VERBS[deal.verb].parts.get(name) or PARTS[name])
