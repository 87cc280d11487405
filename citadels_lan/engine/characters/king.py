"""Rank 4, the King: gold for noble districts, and the crown (R158 to R162)."""

from citadels_lan.engine.characters.crown import Monarch, give_crown
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.pieces import Character, Table


class King(Monarch):
    """The King of 2016, who takes the crown during his turn."""

    key = "king"


class KingAtTheCall(Character):
    """The King of the older editions. His player gets the crown when he is called, even if he is bewitched
    (R348). If `heir`, the player of a killed King gets it at the end of the round (R349)."""

    key = "king"

    def __init__(self, *, heir: bool) -> None:
        self.rules = (INCOME,)
        self.shown_late = heir

    def called(self, table: Table, seat: int) -> None:
        give_crown(table, seat)

    def round_ending(self, table: Table, seat: int) -> None:
        give_crown(table, seat)
