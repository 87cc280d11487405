"""Rank 7, the Navigator: four gold or four cards, and no building at all (R200)."""

from citadels_lan.engine.pieces import Character

from .bonus import BonusRule


class Navigator(Character):
    key = "navigator"
    builds = False

    def __init__(self, gold: int, cards: int) -> None:
        self.rules = (BonusRule(gold=gold, cards=cards),)
