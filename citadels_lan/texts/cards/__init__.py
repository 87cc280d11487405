"""Every card in words: one entry for each, in one of these modules, with all that is written of it.

    facts(texts, key)                       rank, cost, type and the like in a line
    summary(texts, key, edition)            what it does, in a line
    explanation(texts, key, edition)        what it does, in full

The verbs of all cards together are in `verbs`, their sentences and refusals in the tables here.
"""

from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import cards as facts_of
from citadels_lan.engine.registry import ABILITIES
from citadels_lan.texts.card import Card, Cards, Story
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg

from . import (
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
UNIQUES: Final = sorted((*building.CARDS, *points.CARDS, *standing.CARDS, *used.CARDS), key=lambda card: card.key)

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


def summary(texts: Texts, key: str, edition: str = "") -> str:
    """What a character or a district does, in one line of at most 76 cells."""
    story = _story(key, edition)
    if story.summary:
        return texts.say(story.summary)
    return texts.say(msg("No effect of its own. Income for: {characters}."), characters=_paid(texts, key))


def explanation(texts: Texts, key: str, edition: str = "") -> str:
    """What a character or a district does, in full, with what players ask about it."""
    story = _story(key, edition)
    if story.text:
        return texts.say(story.text)
    return texts.say(
        msg(
            "A district like this does nothing by itself. It scores what it costs, counts for its type, and pays "
            "those who collect income for that type: {characters}."
        ),
        characters=_paid(texts, key),
    )


def facts(texts: Texts, key: str) -> str:
    """Rank, cost, type and the like in one line; KeyError where there is no such card."""
    if key in facts_of.CHARACTERS:
        return _character_facts(texts, key)
    card = facts_of.DISTRICTS[key]
    if key == "secret_vault":
        return texts.say(msg("Unique district, no cost, 1 card"))
    return texts.plural(
        "District, type {type}, cost {cost}, {count} card",
        "District, type {type}, cost {cost}, {count} cards",
        card.count,
        type=texts.type(card.type),
        cost=card.cost,
    )


def _story(key: str, edition: str) -> Story:
    return (CHARACTERS.get(key) or DISTRICTS[key]).story(edition)


def _character_facts(texts: Texts, key: str) -> str:
    card = facts_of.CHARACTERS[key]
    parts = [texts.say(msg("Character of rank {rank}"), rank=card.rank)]
    if ABILITIES[key].limit != 1 and ABILITIES[key].builds:
        parts.append(texts.say(msg("building limit {limit}"), limit=ABILITIES[key].limit))
    least, most = card.players
    if (least, most) != (2, 8):
        parts.append(texts.say(msg("for {least} to {most} players"), least=least, most=most))
    return ", ".join(parts)


def _paid(texts: Texts, key: str) -> str:
    """The characters with an income for the type of a district."""
    kind = facts_of.DISTRICTS[key].type
    return texts.characters([name for name, card in facts_of.CHARACTERS.items() if card.income == kind])
