"""Rank 8, the Diplomat: gold for military districts; exchanges a district of his city for one of another city
and pays the difference (R214 to R221)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Exchange, other_seats
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import DistrictMoved, GoldMoved
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.cities import check_completed, find, spots, standing

from .rank8 import open_cities, protected, surcharge, unreachable, untouchable, within_reach


class ExchangeRule(Rule[Exchange]):
    """Exchange a district of the Diplomat's city for one of another city. The Diplomat's city may be
    complete, the other one may not. No city may have two districts of the same name afterwards (R215, R216).

    If `gives_all`, he may also give a district that rank 8 cannot take (R389). If `last`, the exchange ends
    his turn.
    """

    action = Exchange
    once = "exchange"

    def __init__(self, *, gives_all: bool, last: bool) -> None:
        self.gives_all = gives_all
        self.last = last

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        # The Diplomat's Bishop protects the Diplomat's city even from the Diplomat (R175).
        if seat == protected(state):
            return ()
        me, edition = state.players[seat], edition_of(state)
        own = [
            (mine, given.cost)
            for mine, given in spots(state, seat, seat)
            if self.gives_all or not edition.effect(given.key).untouchable
        ]
        here = {district.key for district in me.city}
        exchanges: list[Choice] = []
        for other in open_cities(state, other_seats(len(state.players), seat)):
            there = {district.key for district in state.players[other].city}
            givable = [(mine, cost) for mine, cost in own if mine.key not in there]
            # The most expensive district to give is an upper bound, which shortens the search.
            most = me.gold + max([cost for _, cost in givable], default=0)
            for spot, taken, price in within_reach(state, seat, other, most):
                if spot.key not in here:
                    missing, cost = price - me.gold, taken.cost
                    # The given district reduces the price at most by the cost of the taken one.
                    exchanges += [
                        Exchange(mine, spot) for mine, own_cost in givable if min(own_cost, cost) >= missing
                    ]
        return exchanges

    def refusal(self, state: State, seat: int, action: Exchange) -> IllegalMove | None:
        owner, index = find(state, seat, action.own)
        other, target = find(state, seat, action.target)
        if owner != seat or other == seat:
            return IllegalMove("own_for_other")
        given, taken = state.players[seat].city[index], state.players[other].city[target]
        if seat == protected(state):
            return IllegalMove("protected")
        refused = None if self.gives_all else untouchable(state, given.key)
        refused = refused or unreachable(state, other, taken.key)
        if refused is not None:
            return refused
        if standing(state.players[seat], taken.key) or standing(state.players[other], given.key):
            return IllegalMove("twice_in_city")
        missing = self._price(state, seat, action) - state.players[seat].gold
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None

    def perform(self, table: Table, seat: int, action: Exchange) -> None:
        # The districts move below, so the price is computed first.
        price = self._price(table.state, seat, action)
        _, index = find(table.state, seat, action.own)
        other, target = find(table.state, seat, action.target)
        if price:
            table.emit(GoldMoved(seat, other, price, "exchange"))
        table.emit(DistrictMoved(other, seat, target, action.target.key, "exchange"))
        table.emit(DistrictMoved(seat, other, index, action.own.key, "exchange"))
        # Monuments count double, so an exchange can complete either city.
        check_completed(table, seat, other)

    def _price(self, state: State, seat: int, action: Exchange) -> int:
        _, index = find(state, seat, action.own)
        other, target = find(state, seat, action.target)
        difference = state.players[other].city[target].cost - state.players[seat].city[index].cost
        return max(difference, 0) + surcharge(state, other, action.target.key)


class Diplomat(Character):
    """The Diplomat. `gives_all` and `last` are explained at `ExchangeRule`."""

    key = "diplomat"

    def __init__(self, *, gives_all: bool = False, last: bool = False) -> None:
        self.rules = (INCOME, ExchangeRule(gives_all=gives_all, last=last))
