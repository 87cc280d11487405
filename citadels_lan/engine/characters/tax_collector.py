"""Rank 9, the Tax Collector: takes the gold that every build of the others has laid on the card (R240 to R249)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Taxes
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Taxed, TaxesTaken
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table


class TaxesRule(Rule[Taxes]):
    """Take all of it (R246)."""

    action = Taxes
    once = "taxes"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return (Taxes(),) if state.taxes else ()

    def refusal(self, state: State, seat: int, action: Taxes) -> IllegalMove | None:
        return None if state.taxes else IllegalMove("no_taxes")

    def perform(self, table: Table, seat: int, action: Taxes) -> None:
        table.emit(TaxesTaken(seat, table.state.taxes))


class TaxCollector(Character):
    key = "tax_collector"

    def __init__(self) -> None:
        self.rules = (TaxesRule(),)

    def built(self, table: Table, builder: int) -> None:
        """Every build of another one costs a gold, if any is left (R240 to R245)."""
        state = table.state
        assert state.turn is not None
        untaxed = builder == state.turn.seat and state.turn.character == self.key
        if not untaxed and state.players[builder].gold:
            table.emit(Taxed(builder))
