"""Rank 5, the Bishop: gold for religious districts; rank 8 cannot touch his city (R170 to R175)."""

from citadels_lan.engine.pieces import Character

from .income import INCOME


class Bishop(Character):
    key = "bishop"
    protects = True

    def __init__(self) -> None:
        self.rules = (INCOME,)
