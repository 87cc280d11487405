"""Rank 9, the Artist: up to two own districts cost one more for good, for one gold each (R237 to R239)."""

from collections.abc import Sequence
from itertools import combinations

from citadels_lan.engine.actions import Beautify
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Beautified
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import find, spots


class BeautifyRule(Rule[Beautify]):
    """Up to `most` districts at once, none that is beautified already."""

    action = Beautify
    once = "beautify"

    def __init__(self, most: int) -> None:
        self.most = most

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        plain = sorted(spot for spot, district in spots(state, seat, seat) if not district.beautified)
        most = min(self.most, state.players[seat].gold)
        return [Beautify(chosen) for count in range(1, most + 1) for chosen in combinations(plain, count)]

    def refusal(self, state: State, seat: int, action: Beautify) -> IllegalMove | None:
        found = [find(state, seat, spot) for spot in action.spots]
        if any(owner != seat for owner, _ in found):
            return IllegalMove("own_district_only")
        if not 1 <= len(set(found)) == len(found) <= self.most:
            return IllegalMove("beautify_how_many", most=self.most)
        if any(state.players[seat].city[index].beautified for _, index in found):
            return IllegalMove("beautified_already")
        missing = len(found) - state.players[seat].gold
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None

    def perform(self, table: Table, seat: int, action: Beautify) -> None:
        for spot in action.spots:
            _, index = find(table.state, seat, spot)
            table.emit(Beautified(seat, index, spot.key))


class Artist(Character):
    key = "artist"

    def __init__(self, most: int) -> None:
        self.rules = (BeautifyRule(most),)
