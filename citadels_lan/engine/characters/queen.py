"""Rank 9, the Queen: three gold for sitting next to whoever revealed rank 4, even late (R229 to R236)."""

from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Bonus
from citadels_lan.engine.cards import RANK
from citadels_lan.engine.rules import Character, IllegalMove
from citadels_lan.engine.state import State

from .bonus import BonusRule

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table

GOLD = 3


def beside_rank_four(state: State, seat: int) -> bool:
    """Whether a neighbour of `seat` has revealed the rank 4 character in this round."""
    count = len(state.players)
    neighbours = (state.players[(seat - 1) % count], state.players[(seat + 1) % count])
    return any(RANK[character] == 4 for player in neighbours for character in player.revealed)


class QueenBonus(BonusRule):
    """Three gold, beside rank 4 only."""

    def refusal(self, state: State, seat: int, action: Bonus) -> IllegalMove | None:
        refused = super().refusal(state, seat, action)
        if refused is None and not beside_rank_four(state, seat):
            return IllegalMove("not_beside_rank_four")
        return refused


class Queen(Character):
    key = "queen"
    rules = (QueenBonus(gold=GOLD),)

    def closing(self, table: "Table", seat: int) -> None:
        killed = table.state.mark("killed")
        late = killed is not None and RANK[killed.character] == 4
        if late and beside_rank_four(table.state, seat):
            table.gain_gold(seat, GOLD, "bonus")
