"""Rank 6, the Trader: gold for trade districts, which do not use the building limit (R196, R197)."""

from citadels_lan.engine.cards import TYPE
from citadels_lan.engine.rules import Character

from .income import INCOME


class Trader(Character):
    key = "trader"
    rules = (INCOME,)

    def counts(self, card: str) -> bool:
        return TYPE[card] != "trade"
