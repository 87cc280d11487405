"""Rank 6, the Alchemist: gets back at the end of the turn what was paid to build (R191 to R195)."""

from citadels_lan.engine.pieces import Character
from citadels_lan.engine.table import Table


class Alchemist(Character):
    key = "alchemist"

    def ending(self, table: Table, seat: int) -> None:
        assert table.state.turn is not None
        table.gain_gold(seat, table.state.turn.refund, "refund")
