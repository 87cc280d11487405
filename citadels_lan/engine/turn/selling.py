"""Selling a hand card to the bank (R397)."""

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.edition_actions import Sell
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.table import Table

from .hand_card import HandCardRule
from .piles import discard


def half(cost: int) -> int:
    """What the bank gives for a card of this cost."""
    return (cost + 1) // 2


class SellRule(HandCardRule):
    """Half the cost, rounded up, at any moment of the own turn, as often as wanted (R399, R485)."""

    action = Sell
    bound = True

    def perform(self, table: Table, seat: int, action: OfCard) -> None:
        table.emit(CardsReturned(seat, (action.card,), "sell"))
        discard(table, (action.card,), "sell")
        table.gain_gold(seat, half(edition_of(table.state).costs[action.card]), "sell")
