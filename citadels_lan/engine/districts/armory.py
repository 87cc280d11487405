"""The Armory: destroyed in the own turn together with one district: of any city, the own and that one not being
complete (R250 to R254), or of any city of the others (R382)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Armory as Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import complete, destroy, find, spots

ITSELF = Spot("armory")


class ArmoryRule(Rule[Action]):
    """Of `others` only, or where neither the target's city nor the Armory's own is complete."""

    action = Action
    once = "armory"

    def __init__(self, *, others: bool) -> None:
        self.others = others

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [
            Action(spot)
            for owner in self._owners(state, seat)
            for spot, _ in spots(state, seat, owner)
            if spot != ITSELF
        ]

    def _owners(self, state: State, seat: int) -> Sequence[int]:
        """In whose cities something may be destroyed."""
        if self.others:
            return sorted(other_seats(len(state.players), seat))
        owners = range(len(state.players))
        return [] if complete(state, seat) else [owner for owner in owners if not complete(state, owner)]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        owner, index = find(state, seat, action.target)
        itself = (owner, index) == find(state, seat, ITSELF)
        if self.others:
            return IllegalMove("other_city_only") if owner == seat else None
        if itself:
            return IllegalMove("not_itself", card="armory")
        if complete(state, owner) or complete(state, seat):
            return IllegalMove("city_complete")
        return None

    def perform(self, table: Table, seat: int, action: Action) -> None:
        destroy(table, *find(table.state, seat, action.target), "armory")
        destroy(table, *find(table.state, seat, ITSELF), "armory_itself")


class ArmoryEffect(Unique):
    key = "armory"

    def __init__(self, *, others: bool = False) -> None:
        self.rules = (ArmoryRule(others=others),)
