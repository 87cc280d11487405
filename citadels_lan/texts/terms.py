"""Names of editions, their options and values, and of levels of bots; amounts and dates in words.

The command line uses them without loading the engine.
"""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import InContext, Message, msg, msg_in

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
    return texts.say(msg("{day} {month} {year}"), day=day.day, month=month, year=day.year)


LEVELS: Final = {
    "random": msg_in("level of a bot", "random"),
    "easy": msg_in("level of a bot", "easy"),
    "sensible": msg_in("level of a bot", "sensible"),
    "normal": msg_in("level of a bot", "normal"),
    "hard": msg_in("level of a bot", "hard"),
    "expert": msg_in("level of a bot", "expert"),
}
TASTES: Final = {
    "builder": msg_in("way of a bot", "builder"),
    "rusher": msg_in("way of a bot", "rusher"),
    "meddler": msg_in("way of a bot", "meddler"),
    "collector": msg_in("way of a bot", "collector"),
}


def level_name(texts: Texts, level: str) -> str:
    """Return the name of a level for people. A level that only another version knows is returned unchanged."""
    name, _, taste = level.partition("/")
    known = [texts.say(words[word]) for words, word in ((LEVELS, name), (TASTES, taste)) if word in words]
    return ", ".join(known) if len(known) == 1 + bool(taste) else level


class EditionText(NamedTuple):
    """An edition in words, its numbers of players, and its options."""

    name: InContext
    summary: str
    players: tuple[int, int]
    options: tuple[str, ...] = ()


class OptionText(NamedTuple):
    """An option and each of its values in words."""

    name: InContext
    about: str
    values: "Mapping[Value, Message]"


EDITIONS: Final[Mapping[str, EditionText]] = {
    "2016": EditionText(
        msg_in("edition", "2016/2021"),
        msg("27 characters, of which each game has eight or nine; 14 of 30 unique districts."),
        (2, 8),
    ),
    "classic": EditionText(
        msg_in("edition", "Classic"),
        msg("The first edition: always the same eight characters, and eight districts end the game."),
        (2, 7),
        ("deck", "killed_king", "districts_to_end", "tie_break", "first_face_down"),
    ),
    "dark_city": EditionText(
        msg_in("edition", "Dark City"),
        msg("Classic with the expansion: 18 characters to choose from, 14 more unique districts."),
        (2, 8),
        ("killed_king", "districts_to_end", "tie_break"),
    ),
    "citta_comune": EditionText(
        msg_in("edition", "Città Comune"),
        msg("All players build one city of 42 districts. There is no draft, but sales and auctions."),
        (2, 9),
        ("starting_gold",),
    ),
}
"""The editions, by key."""

OPTIONS: Final[Mapping[str, OptionText]] = {
    "deck": OptionText(
        msg_in("option", "district cards"),
        msg(
            "Printings of the game differ: 66 cards add the Great Wall, 67 the Imperial Treasury and the Map "
            "Room, 68 all three. Costs of Smithy and Laboratory differ, too."
        ),
        {
            65: msg_in("deck", "65 cards"),
            66: msg_in("deck", "66 cards"),
            67: msg_in("deck", "67 cards"),
            68: msg_in("deck", "68 cards"),
        },
    ),
    "killed_king": OptionText(
        msg_in("option", "killed King"),
        msg("If the King is killed, his player gets the crown at the end of the round, or the crown stays."),
        {"heir": msg_in("killed King", "gets the crown"), "stays": msg_in("killed King", "the crown stays")},
    ),
    "districts_to_end": OptionText(
        msg_in("option", "districts to the end"),
        msg(
            "How many districts complete a city: it is then safe from the Warlord, and the game ends. Seven "
            "make it shorter."
        ),
        {8: msg_in("districts to the end", "eight"), 7: msg_in("districts to the end", "seven")},
    ),
    "tie_break": OptionText(
        msg_in("option", "ties"),
        msg(
            "Ties: the most points from districts win; or then the most gold; or the highest rank in the "
            "last round. Players who are still equal share the victory."
        ),
        {
            "districts": msg_in("tie", "districts"),
            "districts_then_gold": msg_in("tie", "districts, then gold"),
            "rank": msg_in("tie", "highest rank"),
        },
    ),
    "first_face_down": OptionText(
        msg_in("option", "first discard"),
        msg(
            "With two or three players, the first character discarded face down is drawn at random, or "
            "chosen by the crowned player."
        ),
        {"random": msg_in("first face down", "at random"), "chosen": msg_in("first face down", "chosen")},
    ),
    "starting_gold": OptionText(
        msg_in("option", "gold at the start"),
        msg("Players start without gold and sell cards, or start with two gold."),
        {0: msg_in("gold at the start", "none"), 2: msg_in("gold at the start", "two gold")},
    ),
}
"""The options, by name."""


def name(texts: Texts, edition: str) -> str:
    """Return the name of an edition."""
    return texts.say(EDITIONS[edition].name) if edition in EDITIONS else edition


def summary(texts: Texts, edition: str) -> str:
    """Return a sentence about an edition; empty if only another version knows it."""
    return texts.say(EDITIONS[edition].summary) if edition in EDITIONS else ""


def option(texts: Texts, name: str) -> str:
    """Return the name of an option, as a noun with a small first letter."""
    return texts.say(OPTIONS[name].name) if name in OPTIONS else name


def about(texts: Texts, name: str) -> str:
    """Return a sentence about the choice that an option offers; empty if only another version knows it."""
    return texts.say(OPTIONS[name].about) if name in OPTIONS else ""


def value(texts: Texts, name: str, value: "Value") -> str:
    """Return the name of a value of an option."""
    values = OPTIONS[name].values if name in OPTIONS else {}
    return texts.say(values[value]) if value in values else str(value)


def chosen(texts: Texts, options: "Options") -> list[str]:
    """Return the options that are not at their default, each with its value."""
    return [
        texts.say(msg("{option}: {value}"), option=option(texts, name), value=value(texts, name, it))
        for name, it in options
    ]
