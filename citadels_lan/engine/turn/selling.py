"""Selling a hand card to the bank (R397)."""

from collections.abc import Sequence

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table

from .piles import discard


class Sell(OfCard, frozen=True):
    """A hand card for half its cost."""

    verb = "sell"


def half(cost: int) -> int:
    """What the bank gives for a card of this cost."""
    return (cost + 1) // 2


class SellRule(Rule[Sell]):
    """Half the cost, rounded up, at any moment of the own turn, as often as wanted (R399, R485)."""

    action = Sell
    bound = True

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Sell(card) for card in sorted(set(state.players[seat].hand))]

    def refusal(self, state: State, seat: int, action: Sell) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        return None

    def perform(self, table: Table, seat: int, action: Sell) -> None:
        table.emit(CardsReturned(seat, (action.card,), "sell"))
        discard(table, (action.card,), "sell")
        table.gain_gold(seat, half(edition_of(table.state).costs[action.card]), "sell")
