"""The Armory: destroyed in the own turn together with any one district of a city that is not complete
(R250 to R254)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Armory as Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import complete, destroy, find, spots

ITSELF = Spot("armory")


class ArmoryRule(Rule[Action]):
    """Neither the target's city nor the Armory's own may be complete."""

    action = Action
    once = "armory"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [
            action
            for owner in range(len(state.players))
            for spot, _ in spots(state, seat, owner)
            if self.refusal(state, seat, action := Action(spot)) is None
        ]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        owner, index = find(state, seat, action.target)
        if (owner, index) == find(state, seat, ITSELF):
            return IllegalMove("not_itself", card="armory")
        if complete(state, owner) or complete(state, seat):
            return IllegalMove("city_complete")
        return None

    def perform(self, table: Table, seat: int, action: Action) -> None:
        destroy(table, *find(table.state, seat, action.target), "armory")
        destroy(table, *find(table.state, seat, ITSELF), "armory_itself")


class ArmoryEffect(Unique):
    key = "armory"

    def __init__(self) -> None:
        self.rules = (ArmoryRule(),)
