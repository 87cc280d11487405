"""Rank 2, the Spy: names a type, looks at a hand, and gets a gold and a card for each match (R126 to R129)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Spy as Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import GoldMoved, Spied
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import gain_cards


class SpyRule(Rule[Action]):
    """Choose a type and another player with hand cards, before seeing the hand."""

    action = Action
    once = "spy"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        others = [other for other in other_seats(len(state.players), seat) if state.players[other].hand]
        return [Action(other, kind) for other in others for kind in TYPES]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        if action.seat == seat or action.seat >= len(state.players):
            return IllegalMove("no_such_seat")
        return None if state.players[action.seat].hand else IllegalMove("hand_empty")

    def perform(self, table: Table, seat: int, action: Action) -> None:
        victim = table.state.players[action.seat]
        types = edition_of(table.state).types
        matches = sum(types[card] == action.type for card in victim.hand)
        table.emit(Spied(seat, action.seat, action.type, matches, tuple(victim.hand)))
        gold = min(matches, victim.gold)
        if gold:
            table.emit(GoldMoved(action.seat, seat, gold, "spy"))
        gain_cards(table, seat, matches, "spy")


class SpyAbility(Character):
    """The Spy of 2016."""

    key = "spy"

    def __init__(self) -> None:
        self.rules = (SpyRule(),)
