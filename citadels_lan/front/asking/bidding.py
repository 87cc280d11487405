"""Bidding in an auction: what the person may bid, and the number being typed. No screen in it."""

from collections.abc import Sequence

from citadels_lan.engine import Action, Choice
from citadels_lan.engine.edition_actions import Bid, PassBid

DIGITS = 3
"""As many as a bid has at most."""


class Bidding:
    """A bid being made: the least that is enough, unless another number is typed."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.typed = ""

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> "Bidding | None":
        """Where the choices are bids; None for any others."""
        amounts = [choice.gold for choice in choices if isinstance(choice, Bid)]
        return cls(min(amounts), max(amounts)) if amounts else None

    @property
    def amount(self) -> int:
        """What Enter bids."""
        return int(self.typed) if self.typed else self.least

    @property
    def possible(self) -> bool:
        """Whether that may be bid."""
        return self.least <= self.amount <= self.most

    def type(self, digit: str) -> None:
        """One digit more; no number begins with 0."""
        if len(self.typed) < DIGITS and (self.typed or digit != "0"):
            self.typed += digit

    def erase(self, *, all_: bool = False) -> None:
        """One digit less, or none left."""
        self.typed = "" if all_ else self.typed[:-1]

    def raise_by(self, step: int) -> None:
        """More or less than now, as far as that may be."""
        self.typed = str(min(max(self.amount + step, self.least), self.most))

    def bid(self) -> Action | None:
        """The bid, if it may be made."""
        return Bid(self.amount) if self.possible else None

    def passing(self) -> Action:
        """No bid, and none later."""
        return PassBid()
