"""Extra gold or cards, whatever was gathered: the Merchant, the Architect, the Navigator, the Queen."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Bonus
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import cards_left, gain_cards


class BonusRule(Rule[Bonus]):
    """Gain `gold` gold or `cards` cards; 0 where there is no such choice."""

    action = Bonus
    once = "bonus"

    def __init__(self, gold: int = 0, cards: int = 0) -> None:
        self.gold = gold
        self.cards = cards
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
