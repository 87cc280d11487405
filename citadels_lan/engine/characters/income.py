"""Income for districts of a type, and the bonus of the Merchant, the Architect, the Navigator and the Queen."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine.actions import Bonus, Income
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, SingleRule, State, Table
from citadels_lan.engine.turn.cities import paying_districts
from citadels_lan.engine.turn.piles import cards_left, gain_cards


def districts(state: State, seat: int) -> int:
    """Return how many districts of `seat` pay the character of the present turn."""
    kind = edition_of(state).characters[state.current_turn.character].income
    assert kind is not None
    return paying_districts(state, seat, kind)


ALL: Final = Income()


class IncomeRule(SingleRule[Income]):
    """Take one gold or card for each district of the character's type, all at once (R042)."""

    action = Income
    once = "income"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        # Most turns have no income, which needs no error.
        return super().choices(state, seat) if districts(state, seat) else ()

    def refusal(self, state: State, seat: int, action: Income) -> IllegalMove | None:
        # Only the Abbot splits an income.
        if action != ALL:
            return IllegalMove("no_split")
        if not districts(state, seat):
            return IllegalMove("no_income")
        if edition_of(state).characters[state.current_turn.character].pays == "cards" and not cards_left(state):
            return IllegalMove("deck_empty")
        return None

    def perform(self, table: Table, seat: int, action: Income) -> None:
        count = districts(table.state, seat)
        if edition_of(table.state).characters[table.state.current_turn.character].pays == "gold":
            table.gain_gold(seat, count, "income")
        else:
            gain_cards(table, seat, count, "income")


INCOME = IncomeRule()


class BonusRule(Rule[Bonus]):
    """Take the extra resource of a character: `gold` gold or `cards` cards. If one of them is 0, the
    character offers only the other."""

    action = Bonus
    once = "bonus"

    def __init__(self, gold: int = 0, cards: int = 0) -> None:
        self.gold = gold
        self.cards = cards
        # The choices never change, so they are made once and shared.
        self.kinds = (Bonus("gold"),) * bool(gold) + (Bonus("cards"),) * bool(cards)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [action for action in self.kinds if self.refusal(state, seat, action) is None]

    def refusal(self, state: State, seat: int, action: Bonus) -> IllegalMove | None:
        if not (self.gold if action.what == "gold" else self.cards):
            return IllegalMove("no_such_bonus", what=action.what)
        if action.what == "cards" and not cards_left(state):
            return IllegalMove("deck_empty")
        return None

    def perform(self, table: Table, seat: int, action: Bonus) -> None:
        if action.what == "gold":
            table.gain_gold(seat, self.gold, "bonus")
        else:
            gain_cards(table, seat, self.cards, "bonus")
