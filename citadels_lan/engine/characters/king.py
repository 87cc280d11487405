"""Rank 4, the King: gold for noble districts, and the crown (R158 to R162)."""

from citadels_lan.engine.pieces import Character
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.crown import give_crown

from .crown import Monarch, reveal_late
from .income import INCOME


class King(Monarch):
    key = "king"


class KingAtTheCall(Character):
    """Has the crown as soon as he is called, whoever uses his abilities (R348). Killed, he takes it at the end of
    the round if he is `heir` to it (R349)."""

    key = "king"

    def __init__(self, *, heir: bool) -> None:
        self.rules = (INCOME,)
        self.shown_late = heir

    def called(self, table: Table, seat: int) -> None:
        give_crown(table, seat)

    def round_ending(self, table: Table, seat: int) -> None:
        if self.shown_late:
            reveal_late(table, seat, self.key)
            give_crown(table, seat)
