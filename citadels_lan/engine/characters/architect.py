"""Rank 7, the Architect: two extra cards, and up to three districts in a turn (R198, R199)."""

from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.pieces import Character


class Architect(Character):
    """The Architect. `cards` is the number of extra cards."""

    key = "architect"
    limit = 3

    def __init__(self, cards: int) -> None:
        self.rules = (BonusRule(cards=cards),)
