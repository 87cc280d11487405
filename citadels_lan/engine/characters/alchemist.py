"""Rank 6, the Alchemist: gets back at the end of the turn what was paid to build (R191 to R195)."""

from typing import TYPE_CHECKING

from citadels_lan.engine.rules import Character

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table


class Alchemist(Character):
    key = "alchemist"

    def ending(self, table: "Table", seat: int) -> None:
        assert table.state.turn is not None
        table.gain_gold(seat, table.state.turn.refund, "refund")
