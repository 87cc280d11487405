"""Rank 9, the Artist: for one gold each, up to two districts of the player's city permanently cost one more
(R237 to R239)."""

from collections.abc import Sequence
from itertools import combinations

from citadels_lan.engine.actions import Beautify
from citadels_lan.engine.events import Beautified
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.cities import find, spots


class BeautifyRule(Rule[Beautify]):
    """Put one gold on each of up to `most` districts of the Artist's own city, all in one move. A district is
    beautified only once in a game."""

    action = Beautify
    once = "beautify"

    def __init__(self, most: int) -> None:
        self.most = most

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        # In a fixed order, so that every program lists the same combinations.
        plain = sorted(spot for spot, district in spots(state, seat, seat) if not district.beautified)
        most = min(self.most, state.players[seat].gold)
        return [Beautify(chosen) for count in range(1, most + 1) for chosen in combinations(plain, count)]

    def refusal(self, state: State, seat: int, action: Beautify) -> IllegalMove | None:
        places = [find(state, seat, spot) for spot in action.spots]
        if any(owner != seat for owner, _ in places):
            return IllegalMove("own_district_only")
        # The set is smaller if a district is named twice.
        if not 1 <= len(set(places)) == len(places) <= self.most:
            return IllegalMove("beautify_how_many", most=self.most)
        if any(state.players[seat].city[index].beautified for _, index in places):
            return IllegalMove("beautified_already")
        missing = len(places) - state.players[seat].gold
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None

    def perform(self, table: Table, seat: int, action: Beautify) -> None:
        for spot in action.spots:
            _, index = find(table.state, seat, spot)
            table.emit(Beautified(seat, index, spot.key))


class Artist(Character):
    """The Artist. `most`: how many districts he may beautify in a turn."""

    key = "artist"

    def __init__(self, most: int) -> None:
        self.rules = (BeautifyRule(most),)
