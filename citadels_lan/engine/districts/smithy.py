"""The Smithy: once per turn its owner pays gold for cards (R308)."""

from citadels_lan.engine.actions import Smithy as Action
from citadels_lan.engine.events import GoldPaid
from citadels_lan.engine.pieces import IllegalMove, SingleRule, State, Table, Unique
from citadels_lan.engine.turn.piles import cards_left, gain_cards


class SmithyRule(SingleRule[Action]):
    """Pay `pays` gold and gain `draws` cards, unless the deck is empty."""

    action = Action
    once = "smithy"

    def __init__(self, pays: int, draws: int) -> None:
        self.pays = pays
        self.draws = draws

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        gold = state.players[seat].gold
        if gold < self.pays:
            return IllegalMove("gold_short", missing=self.pays - gold)
        return None if cards_left(state) else IllegalMove("deck_empty")

    def perform(self, table: Table, seat: int, action: Action) -> None:
        table.emit(GoldPaid(seat, self.pays, "smithy"))
        gain_cards(table, seat, self.draws, "smithy")


class SmithyEffect(Unique):
    """The Smithy. `pays` and `draws` are explained at `SmithyRule`."""

    key = "smithy"

    def __init__(self, pays: int, draws: int) -> None:
        self.rules = (SmithyRule(pays, draws),)
