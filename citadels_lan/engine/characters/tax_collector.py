"""The Tax Collector: of rank 9, takes the gold that every build of the others has laid on the card (R240 to R249);
of rank 2, a gold of everybody whose turn ends with something built (R384, R465)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Taxes
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import GoldMoved, Taxed, TaxesTaken
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State, Turn, user_of
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


class TaxCollectorOfTurns(Character):
    """From the reveal on everybody else who has built gives a gold at the end of the turn, if any is left; who has
    built in this round before gives it at the reveal where that is taxed `at_once` (R384 to R386)."""

    key = "tax_collector"
    watches = True

    def __init__(self, *, at_once: bool) -> None:
        self.at_once = at_once

    def called(self, table: Table, seat: int) -> None:
        collector = user_of(table.state, seat, self.key)
        for payer, player in enumerate(table.state.players):
            if self.at_once and player.has_built:
                _pay(table, payer, collector)

    def turn_ending(self, table: Table, seat: int, ended: Turn) -> None:
        if ended.paid:
            _pay(table, ended.seat, seat)


def _pay(table: Table, payer: int, collector: int) -> None:
    if payer != collector and table.state.players[payer].gold:
        table.emit(GoldMoved(payer, collector, 1, "taxes"))
