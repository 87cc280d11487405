"""The Armory: destroyed during its owner's turn together with another district. In 2016 neither the target's
city nor the owner's may be complete (R250 to R254). In Dark City the target is in another city (R382)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Armory as Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Table, Unique
from citadels_lan.engine.turn.cities import complete, destroy, find, spots

ITSELF = Spot("armory")


class ArmoryRule(Rule[Action]):
    """Destroy the Armory and one other district. If `others`, that district must be in another player's city.
    Otherwise it may be in any city, and neither that city nor the owner's may be complete."""

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
        """Return the seats in whose cities a district may be destroyed."""
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
        # The target goes first: destroying the Armory first could shift the target's index in the same city.
        destroy(table, *find(table.state, seat, action.target), "armory")
        destroy(table, *find(table.state, seat, ITSELF), "armory_itself")


class ArmoryEffect(Unique):
    """The Armory. `others` is explained at `ArmoryRule`."""

    key = "armory"

    def __init__(self, *, others: bool = False) -> None:
        self.rules = (ArmoryRule(others=others),)
