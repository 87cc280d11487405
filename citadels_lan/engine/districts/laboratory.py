"""The Laboratory: once per turn a hand card goes under the deck for two gold (R279, R280)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Laboratory as Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.rules import IllegalMove, Rule, Unique
from citadels_lan.engine.state import State

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table


class LaboratoryRule(Rule[Action]):
    """Give up one hand card."""

    action = Action
    once = "laboratory"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Action(card) for card in sorted(set(state.players[seat].hand))]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        return None

    def perform(self, table: "Table", seat: int, action: Action) -> None:
        table.emit(CardsReturned(seat, (action.card,), "laboratory"))
        table.gain_gold(seat, 2, "laboratory")


class Laboratory(Unique):
    key = "laboratory"
    rules = (LaboratoryRule(),)
