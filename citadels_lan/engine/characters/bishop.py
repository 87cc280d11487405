"""Rank 5, the Bishop: gold for religious districts; rank 8 cannot touch his city (R170 to R175)."""

from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.pieces import Character


class Bishop(Character):
    """The Bishop of all editions."""

    key = "bishop"
    protects = True

    def __init__(self) -> None:
        self.rules = (INCOME,)
