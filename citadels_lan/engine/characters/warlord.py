"""Rank 8, the Warlord: gold for military districts; destroys a district for one gold less than its cost (R204
to R213)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Destroy
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.events import GoldPaid
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.cities import destroy, find

from .rank8 import open_cities, surcharge, unreachable, within_reach


class DestroyRule(Rule[Destroy]):
    """Destroy one district of a city that is not complete; this may be the Warlord's own city (R206, R207).
    If `last`, this ends the turn (R446)."""

    action = Destroy
    once = "destroy"

    def __init__(self, *, last: bool) -> None:
        self.last = last

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        # A district costs one gold less than its cost, so the cost may exceed the gold by one.
        most = state.players[seat].gold + 1
        return [
            Destroy(spot)
            for owner in open_cities(state, range(len(state.players)))
            for spot, _, _ in within_reach(state, seat, owner, most)
        ]

    def refusal(self, state: State, seat: int, action: Destroy) -> IllegalMove | None:
        owner, index = find(state, seat, action.target)
        price = self.price(state, owner, index)
        refused = unreachable(state, owner, action.target.key)
        if refused is None and price > state.players[seat].gold:
            return IllegalMove("gold_short", missing=price - state.players[seat].gold)
        return refused

    def perform(self, table: Table, seat: int, action: Destroy) -> None:
        owner, index = find(table.state, seat, action.target)
        price = self.price(table.state, owner, index)
        # A district of cost one is destroyed for nothing.
        if price:
            table.emit(GoldPaid(seat, price, "destroy"))
        destroy(table, owner, index, "destroy")

    def price(self, state: State, owner: int, index: int) -> int:
        """Return the price of destroying the district at `index` in the city of `owner`, in gold, including
        the Great Wall (R210)."""
        district = state.players[owner].city[index]
        return district.cost - 1 + surcharge(state, owner, district.key)


class Warlord(Character):
    """The Warlord. If `last`, destroying a district ends his turn (R446)."""

    key = "warlord"

    def __init__(self, *, last: bool = False) -> None:
        self.rules = (INCOME, DestroyRule(last=last))
