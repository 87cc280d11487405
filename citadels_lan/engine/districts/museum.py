"""The Museum: once per turn a hand card goes under it, worth a point at the end (R288 to R292)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Museum as Action
from citadels_lan.engine.actions import Spot
from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.cities import find
from citadels_lan.engine.events import Slid
from citadels_lan.engine.rules import IllegalMove, Rule, Unique
from citadels_lan.engine.state import Player, State

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table

ITSELF = Spot("museum")


class MuseumRule(Rule[Action]):
    """Slide one hand card under it."""

    action = Action
    once = "museum"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Action(card) for card in sorted(set(state.players[seat].hand))]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        return None

    def perform(self, table: "Table", seat: int, action: Action) -> None:
        _, index = find(table.state, seat, ITSELF)
        table.emit(Slid(seat, index, action.card))


class Museum(Unique):
    key = "museum"
    rules = (MuseumRule(),)

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        return sum(len(district.under) for district in player.city if district.key == self.key)
