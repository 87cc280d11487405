"""Rank 3, the Magician: exchanges hands with a player, or replaces some hand cards (R142 to R144)."""

from collections.abc import Sequence

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Redraw, Swap, other_seats
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.events import CardsReturned, HandsSwapped
from citadels_lan.engine.pieces import Character, Choice, Deal, IllegalMove, Parts, Rule, State, Table
from citadels_lan.engine.turn.piles import discard, gain_cards, not_in_hand

ONCE = "magic"
"""The name of the ability that both rules below share, so that a turn uses only one of them (R144)."""


class SwapRule(Rule[Swap]):
    """Exchange hands with another player, unless both hands are empty."""

    action = Swap
    once = ONCE

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        swaps = map(Swap, other_seats(len(state.players), seat))
        return [swap for swap in swaps if self.refusal(state, seat, swap) is None]

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
    """Put any number of hand cards under the deck and draw as many (R143)."""

    action = Redraw
    once = ONCE

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        hand = state.players[seat].hand
        if not hand:
            return ()
        return (Deal("redraw", tuple(hand), ("cards",), ((1, len(hand)),), _redraw),)

    def refusal(self, state: State, seat: int, action: Redraw) -> IllegalMove | None:
        return not_in_hand(state.players[seat].hand, action.cards) if action.cards else IllegalMove("no_cards")

    def perform(self, table: Table, seat: int, action: Redraw) -> None:
        # The cards go under the deck first, so with a small deck they can be drawn again.
        table.emit(CardsReturned(seat, action.cards, "redraw"))
        discard(table, action.cards, "redraw")
        gain_cards(table, seat, len(action.cards), "redraw")


def _redraw(parts: Parts) -> Action:
    return Redraw(in_order(parts[0]))


class Magician(Character):
    """The Magician of all editions."""

    key = "magician"

    def __init__(self) -> None:
        self.rules = (SwapRule(), RedrawRule())
