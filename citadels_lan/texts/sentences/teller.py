"""What sentences of the log are made with: the functions for events, and reasons (`why`) in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.events import Event
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
    if why in cards.WHYS:
        return texts.cards[cards.WHYS[why]].name
    return texts.say(REASONS.get(why, ""))


def score_reason(texts: Texts, key: str) -> str:
    """What a part of a final score is for."""
    return texts.say(SCORES[key]) if key in SCORES else texts.district(key)


E = TypeVar("E", bound=Event)


class Teller:
    """Who reads (`viewer`, None for a spectator), what everybody is called, and in which language."""

    def __init__(self, texts: Texts, names: Sequence[str], viewer: int | None) -> None:
        self.texts = texts
        self.names = names
        self.viewer = viewer

    def tell(self, seat: int, you: Message, others: Message, /, **values: object) -> str:
        """A sentence about `seat`: one form for the reader's own seat, one with `{name}` for another."""
        if seat == self.viewer:
            return self.texts.say(you, **values)
        return self.texts.say(others, name=self.names[seat], **values)

    def between(
        self,
        seats: tuple[int, int],
        first: Message,
        second: Message,
        others: Message,
        /,
        **values: object,
    ) -> str:
        """A sentence about two seats, `{name}` and `{other}`, as the first reads it, the second, anybody else."""
        message = first if seats[0] == self.viewer else second if seats[1] == self.viewer else others
        name, partner = self.names[seats[0]], self.names[seats[1]]
        return self.texts.say(message, name=name, other=partner, **values)

    def with_secret(self, sentence: str, cards: Sequence[str]) -> str:
        """A sentence, and after it the cards that only the reader sees, if there are any."""
        if not cards or HIDDEN in cards:
            return sentence
        secret = self.texts.say(msg("Only you see: {cards}."), cards=self.texts.districts(cards))
        return f"{sentence} {secret}"

    def because(self, why: str) -> str:
        """Why something happened, in brackets with a space before, or nothing."""
        label = reason(self.texts, why)
        return f" ({label})" if label else ""


TELLERS: Final[dict[type[Event], Callable[[Teller, Any], str | None]]] = {}


def tells(kind: type[E]) -> Callable[[Callable[[Teller, E], str | None]], Callable[[Teller, E], str | None]]:
    """Make a function the one that tells events of a kind."""

    def register(function: Callable[[Teller, E], str | None]) -> Callable[[Teller, E], str | None]:
        TELLERS[kind] = function
        return function

    return register
