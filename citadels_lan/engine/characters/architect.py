"""Rank 7, the Architect: two more cards, and up to three builds (R198, R199)."""

from citadels_lan.engine.pieces import Character

from .bonus import BonusRule


class Architect(Character):
    key = "architect"
    limit = 3

    def __init__(self, cards: int) -> None:
        self.rules = (BonusRule(cards=cards),)
