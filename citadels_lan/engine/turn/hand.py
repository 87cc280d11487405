"""Moves with one hand card: the base of such rules, and sales to the bank (R397)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.actions import Sell
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import discard


class HandCardRule(Rule[OfCard]):
    """Base of rules that accept any hand card."""

    action: ClassVar[type[OfCard]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        hand = state.players[seat].hand
        return list(map(self.action, sorted(set(hand)))) if hand else ()

    def refusal(self, state: State, seat: int, action: OfCard) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        return None


def half(cost: int) -> int:
    """Return the bank's price for a card of this cost, in gold: half of it, rounded up (R399)."""
    return (cost + 1) // 2


class SellRule(HandCardRule):
    """Sell a hand card for half its cost, rounded up, at any moment of the own turn and any number of times
    (R399, R485)."""

    action = Sell
    bound = True

    def perform(self, table: Table, seat: int, action: OfCard) -> None:
        table.emit(CardsReturned(seat, (action.card,), "sell"))
        discard(table, (action.card,), "sell")
        table.gain_gold(seat, half(edition_of(table.state).costs[action.card]), "sell")
