"""Every card in words: a line of facts, a line that sums it up, and the whole story."""

from citadels_lan.engine import Edition

from . import card_characters, card_districts
from .language import Texts
from .marks import msg


def summary(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in one line of at most 76 cells."""
    if key in card_characters.CHARACTERS:
        return texts.say(card_characters.CHARACTERS[key][0])
    if key in card_districts.UNIQUES:
        return texts.say(card_districts.UNIQUES[key][0])
    return texts.say(msg("No effect of its own. Income for: {characters}."), characters=_paid(texts, edition, key))


def explanation(texts: Texts, edition: Edition, key: str) -> str:
    """What a character or a district does, in full, with what players ask about it."""
    if key in card_characters.CHARACTERS:
        return texts.say(card_characters.CHARACTERS[key][1])
    if key in card_districts.UNIQUES:
        return texts.say(card_districts.UNIQUES[key][1])
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
