"""Rank 7, the Navigator: four gold or four cards, and no building at all (R200)."""

from citadels_lan.engine.rules import Character

from .bonus import BonusRule


class Navigator(Character):
    key = "navigator"
    rules = (BonusRule(gold=4, cards=4),)
    builds = False
