"""Names of editions, their options and values, and of levels of bots; amounts and dates in words.

This module does not load the engine, because the command line uses it.
"""

from datetime import date
from typing import TYPE_CHECKING, Final

from citadels_lan.texts.language import InContext, Texts, msg, named, term_tables

if TYPE_CHECKING:
    from citadels_lan.engine import Options
    from citadels_lan.engine.config import Value


def gold(texts: Texts, amount: int) -> str:
    """Return an amount of gold in words."""
    return texts.plural("{count} gold", "{count} gold", amount)


def cards(texts: Texts, amount: int) -> str:
    """Return a number of cards in words."""
    return texts.plural("{count} card", "{count} cards", amount)


MONTHS: Final = (
    msg("Jan"), msg("Feb"), msg("Mar"), msg("Apr"), msg("May"), msg("Jun"),
    msg("Jul"), msg("Aug"), msg("Sep"), msg("Oct"), msg("Nov"), msg("Dec"),
)  # fmt: skip


def day_text(texts: Texts, day: date) -> str:
    """Return a date in words, such as 3 May 2026."""
    month = texts.say(MONTHS[day.month - 1])
    return texts.say("{day} {month} {year}", day=day.day, month=month, year=day.year)


def level_name(texts: Texts, level: str) -> str:
    """Return the name of a bot level for people. If it is unknown, because another version wrote it, return
    it unchanged."""
    name, _, taste = level.partition("/")
    levels, tastes = named("level of a bot"), named("way of a bot")
    known = [texts.say(words[word]) for words, word in ((levels, name), (tastes, taste)) if word in words]
    return ", ".join(known) if len(known) == 1 + bool(taste) else level


def name(texts: Texts, edition: str) -> str:
    """Return the name of an edition. If it is unknown, because another version wrote it, return its key."""
    editions = term_tables()["editions"]
    return texts.say(InContext("edition", editions[edition]["name"])) if edition in editions else edition


def summary(texts: Texts, edition: str) -> str:
    """Return a sentence about an edition; empty if it is unknown, because another version wrote it."""
    return texts.say(term_tables()["editions"].get(edition, {}).get("about", ""))


def option(texts: Texts, name: str) -> str:
    """Return the name of an option, as a noun with a small first letter."""
    options = term_tables()["options"]
    return texts.say(InContext("option", options[name]["name"])) if name in options else name


def about(texts: Texts, name: str) -> str:
    """Return a sentence that explains an option; empty if the option is unknown, because another version
    wrote it."""
    return texts.say(term_tables()["options"].get(name, {}).get("about", ""))


def value(texts: Texts, name: str, value: "Value") -> str:
    """Return the name of a value of an option."""
    known = term_tables()["options"].get(name, {"values": {}})
    if str(value) not in known["values"]:
        return str(value)
    return texts.say(InContext(known.get("context", known["name"]), known["values"][str(value)]))


def chosen(texts: Texts, options: "Options") -> list[str]:
    """Return the options that are not at their default, each with its value."""
    return [
        texts.say("{option}: {value}", option=option(texts, name), value=value(texts, name, it))
        for name, it in options
    ]
