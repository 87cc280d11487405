"""Rank 9, the Tax Collector: takes the gold that every build of the others has laid on the card (R240 to R249)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Taxes
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import TaxesTaken
from citadels_lan.engine.rules import Character, IllegalMove, Rule
from citadels_lan.engine.state import State

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table


class TaxesRule(Rule[Taxes]):
    """Take all of it (R246)."""

    action = Taxes
    once = "taxes"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return (Taxes(),) if state.taxes else ()

    def refusal(self, state: State, seat: int, action: Taxes) -> IllegalMove | None:
        return None if state.taxes else IllegalMove("no_taxes")

    def perform(self, table: "Table", seat: int, action: Taxes) -> None:
        table.emit(TaxesTaken(seat, table.state.taxes))


class TaxCollector(Character):
    key = "tax_collector"
    rules = (TaxesRule(),)
    taxes = True
