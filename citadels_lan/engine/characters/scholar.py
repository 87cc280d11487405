"""Rank 7, the Scholar: draws seven cards, keeps one and shuffles the others into the deck (R201 to R203)."""

from citadels_lan.engine.actions import Study
from citadels_lan.engine.events import Drawn
from citadels_lan.engine.pieces import Character, IllegalMove, SingleRule, State, Table
from citadels_lan.engine.turn.piles import cards_left, gain_cards, top


class StudyRule(SingleRule[Study]):
    """Draw `cards` cards, or fewer if the deck has fewer (R202). The player then chooses one with the action
    `keep`."""

    action = Study
    once = "study"

    def __init__(self, cards: int) -> None:
        self.cards = cards

    def refusal(self, state: State, seat: int, action: Study) -> IllegalMove | None:
        return None if cards_left(state) else IllegalMove("deck_empty")

    def perform(self, table: Table, seat: int, action: Study) -> None:
        cards = top(table, self.cards)
        # With a single card there is nothing to choose.
        if len(cards) == 1:
            gain_cards(table, seat, 1, "study")
        else:
            table.emit(Drawn(seat, cards, "study"))


class Scholar(Character):
    """The Scholar. `cards` is the number of cards drawn."""

    key = "scholar"
    limit = 2

    def __init__(self, cards: int) -> None:
        self.rules = (StudyRule(cards),)
