"""The Tax Collector. At rank 9 he takes the gold that other players put on his card for each build (R240 to
R249). At rank 2 each player who has built gives him a gold at the end of the turn (R384, R465)."""

from citadels_lan.engine.actions import Taxes
from citadels_lan.engine.events import GoldMoved, Taxed, TaxesTaken
from citadels_lan.engine.pieces import Character, IllegalMove, SingleRule, State, Table, Turn
from citadels_lan.engine.state import user_of


class TaxesRule(SingleRule[Taxes]):
    """Take all taxes (R246)."""

    action = Taxes
    once = "taxes"

    def refusal(self, state: State, seat: int, action: Taxes) -> IllegalMove | None:
        return None if state.taxes else IllegalMove("no_taxes")

    def perform(self, table: Table, seat: int, action: Taxes) -> None:
        table.emit(TaxesTaken(seat, table.state.taxes))


class TaxCollector(Character):
    """The Tax Collector of rank 9 (2016)."""

    key = "tax_collector"

    def __init__(self) -> None:
        self.rules = (TaxesRule(),)

    def built(self, table: Table, builder: int) -> None:
        """Put one gold of `builder` on the Tax Collector's card, unless `builder` has no gold or plays the
        Tax Collector (R240 to R245)."""
        state = table.state
        # A Witch who plays the Tax Collector pays no tax either: the turn's character decides.
        untaxed = builder == state.current_turn.seat and state.current_turn.character == self.key
        if not untaxed and state.players[builder].gold:
            table.emit(Taxed(builder))


class TaxCollectorOfTurns(Character):
    """The Tax Collector of rank 2. When he is revealed, every other player who built a district later in the
    round gives him a gold at the end of that turn, if they have one. If `at_once`, players who built earlier
    in the round give one when he is revealed (R384 to R386)."""

    key = "tax_collector"
    watches = True

    def __init__(self, *, at_once: bool) -> None:
        self.at_once = at_once

    def called(self, table: Table, seat: int) -> None:
        # If the Tax Collector is bewitched, the Witch collects.
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
