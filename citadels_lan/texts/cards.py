"""The cards in words: what a character or a district does (`pages`), with its numbers in the edition."""

from collections.abc import Mapping, Sequence

from citadels_lan.engine import Edition
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.texts import terms
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg


def laboratory_rule(edition: Edition) -> LaboratoryRule:
    """Return the rule of the Laboratory: the gold that it gives."""
    (rule,) = edition.effects["laboratory"].rules
    assert isinstance(rule, LaboratoryRule)
    return rule


def smithy_rule(edition: Edition) -> SmithyRule:
    """Return the rule of the Smithy: the gold that it costs and the cards that it gives."""
    (rule,) = edition.effects["smithy"].rules
    assert isinstance(rule, SmithyRule)
    return rule


def summary(texts: Texts, edition: Edition, key: str) -> str:
    """Return what a character or a district does, in one line of at most 76 cells."""
    if line := texts.cards[key].line(edition.key):
        return texts.put(line, _numbers(texts, edition, key))
    return texts.say(msg("No special effect. Income for: {characters}."), characters=_paid(texts, edition, key))


def explanation(texts: Texts, edition: Edition, key: str) -> Sequence[str]:
    """Return what a character or a district does in full: paragraphs, then a line for each special case."""
    numbers = _numbers(texts, edition, key)
    if lines := texts.cards[key].explanation(edition.key):
        return [texts.put(line, numbers) for line in lines]
    ordinary = texts.say(
        msg(
            "This district has no special effect. It scores its cost, counts for its type, and gives income "
            "to those who collect for that type: {characters}."
        ),
        characters=_paid(texts, edition, key),
    )
    return [ordinary]


def facts(texts: Texts, edition: Edition, key: str) -> str:
    """Return rank, cost, type and the like in one line. Raises KeyError if the edition has no such card."""
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
    cycles = isinstance(edition.flow, Cycles)  # there characters are called off a deck, and ranks mean nothing
    parts = [texts.say(msg("Character") if cycles else msg("Character of rank {rank}"), rank=card.rank)]
    if ability.limit != 1 and ability.builds:
        parts.append(texts.say(msg("building limit {limit}"), limit=ability.limit))
    least, most = card.players
    if (least, most) != (min(edition.players), max(edition.players)):
        parts.append(texts.say(msg("for {least} to {most} players"), least=least, most=most))
    return ", ".join(parts)


def _numbers(texts: Texts, edition: Edition, key: str) -> Mapping[str, str]:
    """The numbers in a card's text that depend on the edition and its options."""
    if key == "laboratory":
        return {"gold": terms.gold(texts, laboratory_rule(edition).gold)}
    if key == "smithy":
        rule = smithy_rule(edition)
        return {"gold": terms.gold(texts, rule.pays), "cards": terms.cards(texts, rule.draws)}
    return {}


def _paid(texts: Texts, edition: Edition, key: str) -> str:
    """The characters with an income from this type of district."""
    kind = edition.types[key]
    return texts.characters([name for name, card in edition.characters.items() if card.income == kind])
