"""Rank 6, the Trader: gold for trade districts, which do not use the building limit (R196, R197)."""

from citadels_lan.engine.cards import DistrictCard
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.pieces import Character


class Trader(Character):
    """The Trader of 2016."""

    key = "trader"

    def __init__(self) -> None:
        self.rules = (INCOME,)

    def counts(self, card: DistrictCard) -> bool:
        return card.type != "trade"
