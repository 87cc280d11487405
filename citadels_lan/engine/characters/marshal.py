"""Rank 8, the Marshal: gold for military districts; takes a district of cost three or less and pays its owner
(R222 to R228)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Seize, other_seats
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.events import DistrictMoved, GoldMoved
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.cities import check_completed, find, standing

from .rank8 import open_cities, surcharge, unreachable, within_reach


class SeizeRule(Rule[Seize]):
    """Take a district of at most `highest_cost` from another city and pay its owner."""

    action = Seize
    once = "seize"

    def __init__(self, highest_cost: int) -> None:
        self.highest_cost = highest_cost

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        player = state.players[seat]
        return [
            Seize(spot)
            for other in open_cities(state, other_seats(len(state.players), seat))
            for spot, district, _ in within_reach(state, seat, other, player.gold)
            if district.cost <= self.highest_cost and not standing(player, district.key)
        ]

    def refusal(self, state: State, seat: int, action: Seize) -> IllegalMove | None:
        owner, index = find(state, seat, action.target)
        if owner == seat:
            return IllegalMove("other_city_only")
        district = state.players[owner].city[index]
        refused = unreachable(state, owner, district.key)
        if refused is not None:
            return refused
        if district.cost > self.highest_cost:
            return IllegalMove("too_expensive", most=self.highest_cost)
        if standing(state.players[seat], district.key):
            return IllegalMove("in_city_already", card=district.key)
        missing = self.price(state, owner, index) - state.players[seat].gold
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None

    def perform(self, table: Table, seat: int, action: Seize) -> None:
        owner, index = find(table.state, seat, action.target)
        table.emit(GoldMoved(seat, owner, self.price(table.state, owner, index), "seize"))
        table.emit(DistrictMoved(owner, seat, index, action.target.key, "seize"))
        # Only the Marshal's city grows; the other one cannot become complete.
        check_completed(table, seat)

    def price(self, state: State, owner: int, index: int) -> int:
        """Return the price of the district at `index` in the city of `owner`, in gold, including the Great
        Wall (R210)."""
        district = state.players[owner].city[index]
        return district.cost + surcharge(state, owner, district.key)


class Marshal(Character):
    """The Marshal. `highest_cost` is in gold."""

    key = "marshal"

    def __init__(self, highest_cost: int) -> None:
        self.rules = (INCOME, SeizeRule(highest_cost))
