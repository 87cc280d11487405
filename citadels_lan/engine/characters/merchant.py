"""Rank 6, the Merchant: gold for trade districts, and one more gold (R190)."""

from citadels_lan.engine.pieces import Character

from .bonus import BonusRule
from .income import INCOME


class Merchant(Character):
    key = "merchant"

    def __init__(self, gold: int) -> None:
        self.rules = (INCOME, BonusRule(gold=gold))
