"""The Throne Room: gold for every move of the crown (R377)."""

from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.table import Table


class ThroneRoom(Unique):
    key = "throne_room"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def crowned(self, table: Table, seat: int) -> None:
        table.gain_gold(seat, self.gold, "throne_room")
