"""Unique districts that matter when their owner's turn ends."""

from typing import TYPE_CHECKING

from citadels_lan.engine.rules import Unique

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table


class Park(Unique):
    """Two cards for an empty hand (R298, R299)."""

    key = "park"
    ends_last = True

    def ending(self, table: "Table", seat: int) -> None:
        if not table.state.players[seat].hand:
            table.gain_cards(seat, 2, "park")


class PoorHouse(Unique):
    """One gold for an empty stash, before the Alchemist's refund (R193, R300, R301)."""

    key = "poor_house"

    def ending(self, table: "Table", seat: int) -> None:
        if not table.state.players[seat].gold:
            table.gain_gold(seat, 1, "poor_house")
