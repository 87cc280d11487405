"""Rank 7, the Scholar: keeps one of seven cards and shuffles the others into the deck (R201 to R203)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Study
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Drawn
from citadels_lan.engine.rules import Character, IllegalMove, Rule
from citadels_lan.engine.state import State

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table

CARDS = 7


class StudyRule(Rule[Study]):
    """Draw seven cards, or what there is (R202); `keep` follows where there is a choice."""

    action = Study
    once = "study"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return (Study(),) if state.deck else ()

    def refusal(self, state: State, seat: int, action: Study) -> IllegalMove | None:
        return None if state.deck else IllegalMove("deck_empty")

    def perform(self, table: "Table", seat: int, action: Study) -> None:
        cards = table.top(CARDS)
        if len(cards) == 1:
            table.gain_cards(seat, 1, "study")
        else:
            table.emit(Drawn(seat, cards, "study"))


class Scholar(Character):
    key = "scholar"
    rules = (StudyRule(),)
    limit = 2
