"""Rank 7, the Architect: two more cards, and up to three builds (R198, R199)."""

from citadels_lan.engine.rules import Character

from .bonus import BonusRule


class Architect(Character):
    key = "architect"
    rules = (BonusRule(cards=2),)
    limit = 3
