"""The cards in words: names and stories from the files of a language (`card_texts`), moves from the entries here.

    facts(texts, edition, key)              rank, cost, type and the like in a line
    summary(texts, edition, key)            what it does, in a line
    explanation(texts, edition, key)        what it does, in full

The verbs of all cards together are in `verbs`, their sentences and refusals in the tables here.
"""

from collections.abc import Mapping
from typing import Final

from citadels_lan.engine import Edition
from citadels_lan.texts.card import Card
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg

from . import districts, ranks1to4, ranks5to9

CARDS: Final[tuple[Card, ...]] = (*ranks1to4.CARDS, *ranks5to9.CARDS, *districts.CARDS)
WHYS: Final[Mapping[str, str]] = {why: card.key for card in CARDS for why in card.whys}
"""The card whose name says why something happened, by `why`."""
REASONS: Final[Mapping[str, Message]] = {why: text for card in CARDS for why, text in card.reasons.items()}
"""Why something happened, by `why`, in other words than the name of a card."""
TOLD: Final = {key: forms for card in CARDS for key, forms in card.told.items()}
"""Forms of sentences, by the event and its `why` or `kind`."""
REFUSALS: Final[Mapping[str, Message]] = {code: text for card in CARDS for code, text in card.refusals.items()}
"""Why a move is refused, by code."""
_NUMBERS: Final = {card.key: card.numbers for card in CARDS if card.numbers is not None}


def summary(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in one line of at most 76 cells."""
    if line := texts.cards[key].story(edition.key).line:
        return texts.put(line, _numbers(texts, edition, key))
    return texts.say(msg("No effect of its own. Income for: {characters}."), characters=_paid(texts, edition, key))


def explanation(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in full, with what players ask about it."""
    if text := texts.cards[key].story(edition.key).text:
        return texts.put(text, _numbers(texts, edition, key))
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


def _numbers(texts: Texts, edition: Edition, key: str) -> Mapping[str, str]:
    return _NUMBERS[key](texts, edition) if key in _NUMBERS else {}


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
