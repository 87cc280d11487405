"""Giving up one hand card: what a sale, the Laboratory and the Museum have in common."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State


class HandCardRule(Rule[OfCard]):
    """Any card of the hand will do."""

    action: ClassVar[type[OfCard]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        hand = state.players[seat].hand
        return list(map(self.action, sorted(set(hand)))) if hand else ()

    def refusal(self, state: State, seat: int, action: OfCard) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        return None
