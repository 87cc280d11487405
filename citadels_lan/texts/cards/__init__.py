"""Every card in words: one entry for each, in one of these modules, with all that is written of it.

    facts(texts, edition, key)                       rank, cost, type and the like in a line
    summary(texts, edition, key)            what it does, in a line
    explanation(texts, edition, key)        what it does, in full

The verbs of all cards together are in `verbs`, their sentences and refusals in the tables here.
"""

from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import Edition
from citadels_lan.texts.card import Card, Cards, Story
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg

from . import (
    asked,
    building,
    ordinary,
    points,
    rank1,
    rank2,
    rank3,
    rank4,
    rank5,
    rank6,
    rank7,
    rank8,
    rank9,
    standing,
    used,
)

RANKS: Final = (rank1, rank2, rank3, rank4, rank5, rank6, rank7, rank8, rank9)
UNIQUES: Final = sorted(
    (*asked.CARDS, *building.CARDS, *points.CARDS, *standing.CARDS, *used.CARDS), key=lambda card: card.key
)

CHARACTERS: Final[Mapping[str, Card]] = {card.key: card for rank in RANKS for card in rank.CARDS}
DISTRICTS: Final[Mapping[str, Card]] = {card.key: card for card in (*ordinary.CARDS, *UNIQUES)}
CARDS: Final = Cards(CHARACTERS, DISTRICTS)
ALL: Final = (*CHARACTERS.values(), *DISTRICTS.values())

REASONS: Final[Mapping[str, Message]] = {
    **{why: card.name for card in ALL for why in card.whys},
    **{why: text for card in ALL for why, text in card.reasons.items()},
}
"""Why something happened, by `why`."""
TOLD: Final = {key: forms for card in ALL for key, forms in card.told.items()}
"""Forms of sentences, by the event and its `why` or `kind`."""
REFUSALS: Final[Mapping[str, Message]] = {code: text for card in ALL for code, text in card.refusals.items()}
"""Why a move is refused, by code."""


def summary(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in one line of at most 76 cells."""
    story = _story(edition, key)
    if story.summary:
        return texts.say(story.summary, **_numbers(texts, edition, key))
    return texts.say(msg("No effect of its own. Income for: {characters}."), characters=_paid(texts, edition, key))


def explanation(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in full, with what players ask about it."""
    story = _story(edition, key)
    if story.text:
        return texts.say(story.text, **_numbers(texts, edition, key))
    return texts.say(
        msg(
            "A district like this does nothing by itself. It scores what it costs, counts for its type, and pays "
            "those who collect income for that type: {characters}."
        ),
        characters=_paid(texts, edition, key),
    )


def facts(texts: Texts, edition: Edition, key: str) -> str:
    """Rank, cost, type and the like in one line; KeyError where there is no such card."""
    if key in edition.characters:
        return _character_facts(texts, edition, key)
    card = edition.districts[key]
    if key == "secret_vault":
        return texts.say(msg("Unique district, no cost, 1 card"))
    return texts.plural(
        "District, type {type}, cost {cost}, {count} card",
        "District, type {type}, cost {cost}, {count} cards",
        card.count,
        type=texts.type(card.type),
        cost=card.cost,
    )


def _card(key: str) -> Card:
    return CHARACTERS.get(key) or DISTRICTS[key]


def _story(edition: Edition, key: str) -> Story:
    return _card(key).story(edition.key)


def _numbers(texts: Texts, edition: Edition, key: str) -> Mapping[str, str]:
    numbers = _card(key).numbers
    return numbers(texts, edition) if numbers else {}


def _character_facts(texts: Texts, edition: Edition, key: str) -> str:
    card = edition.characters[key]
    ability = edition.abilities[key]
    parts = [texts.say(msg("Character of rank {rank}"), rank=card.rank)]
    if ability.limit != 1 and ability.builds:
        parts.append(texts.say(msg("building limit {limit}"), limit=ability.limit))
    least, most = card.players
    if (least, most) != (min(edition.players), max(edition.players)):
        parts.append(texts.say(msg("for {least} to {most} players"), least=least, most=most))
    return ", ".join(parts)


def _paid(texts: Texts, edition: Edition, key: str) -> str:
    """The characters with an income for the type of a district."""
    kind = edition.types[key]
    return texts.characters([name for name, card in edition.characters.items() if card.income == kind])
