"""Why something happened: the short words that the engine's events carry as `why`."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import names
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg

REASONS: Final[Mapping[str, Message]] = {
    "deal": msg("first hand"),
    "gather": "",  # the sentence before it says so
    "study": names.CHARACTERS["scholar"],
    "income": msg("income"),
    "bonus": msg("bonus"),
    "redraw": names.CHARACTERS["magician"],
    "build": msg("instead of gold"),
    "destroy": msg("to destroy a district"),
    "laboratory": names.DISTRICTS["laboratory"],
    "smithy": names.DISTRICTS["smithy"],
    "park": names.DISTRICTS["park"],
    "poor_house": names.DISTRICTS["poor_house"],
    "robbed": names.CHARACTERS["thief"],
    "refund": names.CHARACTERS["alchemist"],
    "divine": names.CHARACTERS["seer"],
    "give": names.CHARACTERS["seer"],
    "take": names.CHARACTERS["wizard"],
    "levy": names.CHARACTERS["abbot"],
    "spy": names.CHARACTERS["spy"],
    "bribe": msg("hush money"),
    "flower": names.CHARACTERS["blackmailer"],
    "loan": names.CHARACTERS["cardinal"],
    "crown": names.CHARACTERS["emperor"],
    "seize": names.CHARACTERS["marshal"],
    "exchange": names.CHARACTERS["diplomat"],
}
"""By `why`; empty where there is nothing to add."""

SCORES: Final[Mapping[str, Message]] = {
    "districts": msg("cost of the districts"),
    "types": msg("all five types"),
    "first": msg("first complete city"),
    "completed": msg("complete city"),
}
"""What points are for, by the reason in a Score; unique districts and the Secret Vault go by their names."""

DESTROYED: Final[Mapping[str, tuple[str, str]]] = {
    "destroy": (
        msg("The Warlord destroys in your city: {card}."),
        msg("The Warlord destroys in {name}'s city: {card}."),
    ),
    "framework": (
        msg("You take down instead of paying: {card}."),
        msg("{name} takes down instead of paying: {card}."),
    ),
    "sacrifice": (
        msg("You give up instead of paying: {card}."),
        msg("{name} gives up instead of paying: {card}."),
    ),
    "armory": (
        msg("The Armory destroys in your city: {card}."),
        msg("The Armory destroys in {name}'s city: {card}."),
    ),
    "armory_itself": (msg("Your {card} goes with it."), msg("{name}'s {card} goes with it.")),
}
"""What the destruction of a district is told as, by `why`: to its owner, and to others (`{name}`)."""


MOVED: Final[Mapping[str, tuple[str, str, str]]] = {
    "seize": (
        msg("{other} seizes from your city: {card}."),
        msg("You seize from {name}'s city: {card}."),
        msg("{other} seizes from {name}'s city: {card}."),
    ),
    "exchange": (
        msg("From your city to {other}'s goes: {card}."),
        msg("From {name}'s city to yours goes: {card}."),
        msg("From {name}'s city to {other}'s goes: {card}."),
    ),
}
"""What a district that changes city is told as, by `why`: to whoever loses it, to whoever gets it, to others."""


def reason(texts: Texts, why: str) -> str:
    """A few words for `why`, or none."""
    return texts.say(REASONS.get(why, ""))


def score_reason(texts: Texts, key: str) -> str:
    """What a part of a final score is for."""
    return texts.say(SCORES[key]) if key in SCORES else texts.district(key)
