"""The Smithy: once per turn two gold for three cards (R308)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Smithy as Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import GoldPaid
from citadels_lan.engine.rules import IllegalMove, Rule, Unique
from citadels_lan.engine.state import State

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table

PRICE, CARDS = 2, 3


class SmithyRule(Rule[Action]):
    """Pay, and gain the cards; with an empty deck there is nothing to pay for."""

    action = Action
    once = "smithy"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self.refusal(state, seat, Action()) else (Action(),)

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        gold = state.players[seat].gold
        if gold < PRICE:
            return IllegalMove("gold_short", missing=PRICE - gold)
        return None if state.deck else IllegalMove("deck_empty")

    def perform(self, table: "Table", seat: int, action: Action) -> None:
        table.emit(GoldPaid(seat, PRICE, "smithy"))
        table.gain_cards(seat, CARDS, "smithy")


class Smithy(Unique):
    key = "smithy"
    rules = (SmithyRule(),)
