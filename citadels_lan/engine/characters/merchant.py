"""Rank 6, the Merchant: gold for trade districts, and one more gold (R190)."""

from citadels_lan.engine.rules import Character

from .bonus import BonusRule
from .income import INCOME


class Merchant(Character):
    key = "merchant"
    rules = (INCOME, BonusRule(gold=1))
