"""The Laboratory: once per turn its owner discards a hand card for gold (R279, R280)."""

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.actions import Laboratory as Action
from citadels_lan.engine.events import CardsReturned
from citadels_lan.engine.pieces import Table, Unique
from citadels_lan.engine.turn.piles import HandCardRule, discard


class LaboratoryRule(HandCardRule):
    """Discard one hand card for `gold` gold."""

    action = Action
    once = "laboratory"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def perform(self, table: Table, seat: int, action: OfCard) -> None:
        table.emit(CardsReturned(seat, (action.card,), "laboratory"))
        discard(table, (action.card,), "laboratory")
        table.gain_gold(seat, self.gold, "laboratory")


class LaboratoryEffect(Unique):
    """The Laboratory. Its owner gets `gold` gold for the discarded card."""

    key = "laboratory"

    def __init__(self, gold: int) -> None:
        self.rules = (LaboratoryRule(gold),)
