"""Why something happened: the short words that the engine's events carry as `why`."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import cards
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg

REASONS: Final[Mapping[str, Message]] = {
    **cards.REASONS,
    "deal": msg("first hand"),
    "gather": "",  # the sentence before it says so
    "income": msg("income"),
    "bonus": msg("bonus"),
    "build": msg("instead of gold"),
    "sell": msg("sale"),
    "auction": "",  # told in words of its own
}
"""By `why`; empty where there is nothing to add. What only one card is the reason of stands in its entry."""

SCORES: Final[Mapping[str, Message]] = {
    "districts": msg("cost of the districts"),
    "types": msg("all five types"),
    "first": msg("first complete city"),
    "completed": msg("complete city"),
    "cycles": msg("points of the cycles"),
}
"""What points are for, by the reason in a Score; unique districts and the Secret Vault go by their names."""


def reason(texts: Texts, why: str) -> str:
    """A few words for `why`, or none."""
    return texts.say(REASONS.get(why, ""))


def score_reason(texts: Texts, key: str) -> str:
    """What a part of a final score is for."""
    return texts.say(SCORES[key]) if key in SCORES else texts.district(key)
