"""Rank 2, the Spy: names a type, looks at a hand, and gets a gold and a card for each match (R126 to R129)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Spy as Action
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import GoldMoved, Spied
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.piles import empty_hand, gain_cards, others_with_cards


class SpyRule(Rule[Action]):
    """Name a type of district and another player who has hand cards. The Spy sees the hand only afterwards."""

    action = Action
    once = "spy"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Action(other, kind) for other in others_with_cards(state, seat) for kind in TYPES]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        return empty_hand(state, seat, action.seat)

    def perform(self, table: Table, seat: int, action: Action) -> None:
        victim = table.state.players[action.seat]
        types = edition_of(table.state).types
        matches = sum(types[card] == action.type for card in victim.hand)
        table.emit(Spied(seat, action.seat, action.type, matches, tuple(victim.hand)))
        # The victim pays at most what it has; the cards come from the deck in any case.
        gold = min(matches, victim.gold)
        if gold:
            table.emit(GoldMoved(action.seat, seat, gold, "spy"))
        gain_cards(table, seat, matches, "spy")


class SpyAbility(Character):
    """The Spy of 2016."""

    key = "spy"

    def __init__(self) -> None:
        self.rules = (SpyRule(),)
