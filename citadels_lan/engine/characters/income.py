"""Income for the districts of a type: what the King, the Bishop, the Merchant and others have in common."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine.actions import Income
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import paying_districts
from citadels_lan.engine.turn.piles import cards_left, gain_cards


def districts(state: State, seat: int) -> int:
    """How many districts pay the character on turn."""
    assert state.turn is not None
    wanted = edition_of(state).characters[state.turn.character].income
    assert wanted is not None
    return paying_districts(state, seat, wanted)


ALL: Final = Income()
ALL_OF_IT: Final = (ALL,)


class IncomeRule(Rule[Income]):
    """One gold or one card for each district of the character's type, all at once (R042)."""

    action = Income
    once = "income"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self._missing(state, seat) else ALL_OF_IT

    def refusal(self, state: State, seat: int, action: Income) -> IllegalMove | None:
        if action != ALL:
            return IllegalMove("no_split")
        code = self._missing(state, seat)
        return IllegalMove(code) if code else None

    def _missing(self, state: State, seat: int) -> str | None:
        """The code of why there is no income."""
        if not districts(state, seat):
            return "no_income"
        assert state.turn is not None
        if edition_of(state).characters[state.turn.character].pays == "cards" and not cards_left(state):
            return "deck_empty"
        return None

    def perform(self, table: Table, seat: int, action: Income) -> None:
        assert table.state.turn is not None
        count = districts(table.state, seat)
        if edition_of(table.state).characters[table.state.turn.character].pays == "gold":
            table.gain_gold(seat, count, "income")
        else:
            gain_cards(table, seat, count, "income")


INCOME = IncomeRule()
