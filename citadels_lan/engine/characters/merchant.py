"""Rank 6, the Merchant: gold for trade districts, and one extra gold (R190)."""

from citadels_lan.engine.characters.income import INCOME, BonusRule
from citadels_lan.engine.pieces import Character


class Merchant(Character):
    """The Merchant. `gold` is the extra gold."""

    key = "merchant"

    def __init__(self, gold: int) -> None:
        self.rules = (INCOME, BonusRule(gold=gold))
