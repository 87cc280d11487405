"""Unique districts that matter when their owner's turn ends."""

from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import gain_cards


class Park(Unique):
    """Cards for an empty hand (R298, R299)."""

    key = "park"
    ends_last = True

    def __init__(self, cards: int) -> None:
        self.cards = cards

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].hand:
            gain_cards(table, seat, self.cards, "park")


class PoorHouse(Unique):
    """Gold for an empty stash, before the Alchemist's refund (R193, R300, R301)."""

    key = "poor_house"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].gold:
            table.gain_gold(seat, self.gold, "poor_house")
