"""Rank 6, the Trader: gold for trade districts, which do not use the building limit (R196, R197)."""

from citadels_lan.engine.cards import DistrictCard
from citadels_lan.engine.pieces import Character

from .income import INCOME


class Trader(Character):
    key = "trader"

    def __init__(self) -> None:
        self.rules = (INCOME,)

    def counts(self, card: DistrictCard) -> bool:
        return card.type != "trade"
