"""Rank 7, the Navigator: four gold or four cards, and no building (R200)."""

from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.pieces import Character


class Navigator(Character):
    """The Navigator. He chooses between `gold` gold and `cards` cards."""

    key = "navigator"
    builds = False

    def __init__(self, gold: int, cards: int) -> None:
        self.rules = (BonusRule(gold=gold, cards=cards),)
