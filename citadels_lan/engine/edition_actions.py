"""Moves that only some editions have, as plain data: what cards of Dark City ask, and trade."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Self

from .action import Action, OfAnswer, OfCard
from .choices import Deal
from .reading import BadNotation, Words

# What cards ask


class Tribute(Action, frozen=True):
    """What the player just crowned gives the Emperor: this card, or a gold where there is none."""

    verb = "tribute"
    card: str | None = None

    def words(self) -> Iterable[str]:
        return ("gold" if self.card is None else self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(None if words.skip("gold") else words.card())


class Thank(OfAnswer, frozen=True):
    verb = "thank"


class BellTower(OfAnswer, frozen=True):
    verb = "bell_tower"


class TurnBellTower(Action, frozen=True):
    """Turn its card."""

    verb = "turn"

    def words(self) -> Iterable[str]:
        return ("bell_tower",)

    @classmethod
    def read(cls, words: Words) -> Self:
        words.expect("bell_tower")
        return cls()


class Lighthouse(Action, frozen=True):
    """The card taken out of the deck, or none."""

    verb = "lighthouse"
    card: str | None = None

    def words(self) -> Iterable[str]:
        return ("none" if self.card is None else self.card,)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(None if words.skip("none") else words.card())


# Trade


class Sell(OfCard, frozen=True):
    """A hand card for half its cost."""

    verb = "sell"


MOST: Final = 999
"""The highest number that the notation has."""
NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")


def number_in(words: Words) -> int:
    """The amount of gold that a line goes on to say, 1 to 999."""
    word = words.next()
    if NUMBER.fullmatch(word) is None:
        raise BadNotation("unknown_word", word)
    return int(word)


class Offer(Action, frozen=True):
    """A hand card for whoever bids most; `floor` is the least that may be bid."""

    verb = "offer"
    card: str
    floor: int = 1

    def words(self) -> Iterator[str]:
        yield self.card
        if self.floor > 1:
            yield f"from {self.floor}"

    @classmethod
    def read(cls, words: Words) -> Self:
        card = words.card()
        return cls(card, number_in(words) if words.skip("from") else 1)


class Bid(Action, frozen=True):
    """So much gold for the card on offer."""

    verb = "bid"
    gold: int

    def words(self) -> Iterator[str]:
        yield str(self.gold)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(number_in(words))


class PassBid(Action, frozen=True):
    """No bid, and no other one in this auction."""

    verb = "pass"


class Offers(Deal, frozen=True):
    """One of the cards, for any floor up to `most`; what is dealt without a floor has none."""

    most: int = 1

    def count(self) -> int:
        return len(self.pool) * self.most

    def actions(self) -> Iterator[Action]:
        return (Offer(card, floor) for card in self.pool for floor in range(1, self.most + 1))
