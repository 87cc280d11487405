"""Rank 6, the Alchemist: at the end of the turn he gets back the gold paid for building (R191 to R195)."""

from citadels_lan.engine.pieces import Character, Table


class Alchemist(Character):
    """The Alchemist of all editions."""

    key = "alchemist"

    def ending(self, table: Table, seat: int) -> None:
        table.gain_gold(seat, table.state.current_turn.refund, "refund")
