"""Rank 3, the Magician: swaps her hand with another one, or changes some of its cards (R142 to R144)."""

from collections.abc import Sequence

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Redraw, Swap, other_seats
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.choices import Choice, Deal, Parts
from citadels_lan.engine.events import CardsReturned, HandsSwapped
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import discard, gain_cards

ONCE = "magic"
"""Both of her powers are one ability (R144)."""


class SwapRule(Rule[Swap]):
    """Swap hands with another player; two empty hands cannot be swapped."""

    action = Swap
    once = ONCE

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        players = state.players
        return [
            Swap(other) for other in other_seats(len(players), seat) if players[seat].hand or players[other].hand
        ]

    def refusal(self, state: State, seat: int, action: Swap) -> IllegalMove | None:
        if action.seat == seat or action.seat >= len(state.players):
            return IllegalMove("no_such_seat")
        if not state.players[seat].hand and not state.players[action.seat].hand:
            return IllegalMove("both_hands_empty")
        return None

    def perform(self, table: Table, seat: int, action: Swap) -> None:
        players = table.state.players
        table.emit(
            HandsSwapped(
                seat, action.seat, tuple(players[action.seat].hand), tuple(players[seat].hand)
            )
        )  # fmt: skip


class RedrawRule(Rule[Redraw]):
    """Put any number of hand cards under the deck and gain as many (R143)."""

    action = Redraw
    once = ONCE

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        hand = state.players[seat].hand
        if not hand:
            return ()
        return (Deal("redraw", tuple(hand), ("cards",), ((1, len(hand)),), _redraw),)

    def refusal(self, state: State, seat: int, action: Redraw) -> IllegalMove | None:
        if not action.cards:
            return IllegalMove("no_cards")
        left = state.players[seat].hand.copy()
        for card in action.cards:
            if card not in left:
                return IllegalMove("not_in_hand", card=card)
            left.remove(card)
        return None

    def perform(self, table: Table, seat: int, action: Redraw) -> None:
        table.emit(CardsReturned(seat, action.cards, "redraw"))
        discard(table, action.cards, "redraw")
        gain_cards(table, seat, len(action.cards), "redraw")


def _redraw(parts: Parts) -> Action:
    return Redraw(in_order(parts[0]))


class Magician(Character):
    key = "magician"

    def __init__(self) -> None:
        self.rules = (SwapRule(), RedrawRule())
