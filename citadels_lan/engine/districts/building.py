"""Unique districts that matter when something is built."""

from citadels_lan.engine.cards import TYPE
from citadels_lan.engine.rules import Unique


class Factory(Unique):
    """Other unique districts cost one gold less to build (R261 to R263)."""

    key = "factory"

    def price(self, card: str) -> int:
        return -1 if TYPE[card] == "unique" and card != self.key else 0


class Quarry(Unique):
    """Identical districts may be built (R302)."""

    key = "quarry"
    duplicates = True


class ThievesDen(Unique):
    """Hand cards may pay for it, one gold each (R316, R317)."""

    key = "thieves_den"
    paid_by_cards = True
