"""Bidding in an auction: what the person may bid, and the number being typed. No screen in it."""

from collections.abc import Sequence

from citadels_lan.engine import Action, Choice
from citadels_lan.engine.edition_actions import Bid, PassBid

DIGITS = 3
"""As many as a bid has at most."""


class Bidding:
    """A bid being made: none is preselected, so that Enter passes until a number is typed."""

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
        """What Enter bids; 0 where it passes."""
        return int(self.typed) if self.typed else 0

    @property
    def possible(self) -> bool:
        """Whether Enter may be pressed."""
        return not self.amount or self.least <= self.amount <= self.most

    def type(self, digit: str) -> None:
        """One digit more; no number begins with 0."""
        if len(self.typed) < DIGITS and (self.typed or digit != "0"):
            self.typed += digit

    def erase(self, *, all_: bool = False) -> None:
        """One digit less, or none left."""
        self.typed = "" if all_ else self.typed[:-1]

    def raise_by(self, step: int) -> None:
        """More or less than now, as far as that may be; less than the least is no bid."""
        wanted = self.amount + step
        self.typed = "" if wanted < self.least and step < 0 else str(min(max(wanted, self.least), self.most))

    def confirm(self) -> Action | None:
        """The bid, if it may be made; no bid where none is typed."""
        if not self.amount:
            return self.passing()
        return Bid(self.amount) if self.possible else None

    def passing(self) -> Action:
        """No bid, and none later."""
        return PassBid()
