"""The Laboratory: once per turn a hand card goes under the deck for two gold (R279, R280)."""

from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Laboratory as Action
from citadels_lan.engine.actions import OfCard
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.rules import Unique

from .hand_card import HandCardRule

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table

GOLD = 2


class LaboratoryRule(HandCardRule):
    """Give up one hand card."""

    action = Action
    once = "laboratory"

    def perform(self, table: "Table", seat: int, action: OfCard) -> None:
        table.emit(CardsReturned(seat, (action.card,), "laboratory"))
        table.put_under((action.card,), "laboratory")
        table.gain_gold(seat, GOLD, "laboratory")


class Laboratory(Unique):
    key = "laboratory"
    rules = (LaboratoryRule(),)
