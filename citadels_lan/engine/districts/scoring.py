"""Unique districts that matter when points are counted."""

from collections.abc import Mapping

from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.state import District, Player, State

Types = Mapping[DistrictType, int]


class Basilica(Unique):
    """A point for each district of odd cost (R255, R256)."""

    key = "basilica"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return sum(district.cost % 2 for district in player.city)


class Capitol(Unique):
    """Points, once, for three districts of one type (R257 to R259)."""

    key = "capitol"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if max(types.values()) >= 3 else 0


class DragonGate(Unique):
    """Points (R260)."""

    key = "dragon_gate"

    def __init__(self, points: int) -> None:
        self.worth = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.worth


class HauntedCity(Unique):
    """Counts as one type of choice unless it was built in the last round (R360)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.built != state.round


class HauntedCityOfCycles(Unique):
    """Counts as a missing type unless it has come to stand there since the last call (R422)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.key not in state.fresh


class HauntedQuarter(Unique):
    """Counts as one type of choice; the scoring itself tries which (R271 to R274)."""

    key = "haunted_quarter"

    def any_type(self, state: State, district: District) -> bool:
        return True


class ImperialTreasury(Unique):
    """A point for each gold in the stash (R275)."""

    key = "imperial_treasury"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return player.gold


class IvoryTower(Unique):
    """Points if it is the only unique district (R276, R277)."""

    key = "ivory_tower"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if types["unique"] == 1 else 0


class MapRoom(Unique):
    """A point for each card in hand (R283)."""

    key = "map_room"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return len(player.hand)


class Statue(Unique):
    """Points for whoever holds the crown (R311)."""

    key = "statue"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if crowned else 0


class University(DragonGate):
    """The same (R361)."""

    key = "university"


class WishingWell(Unique):
    """A point for each unique district, or each `other` one (R318, R319, R380)."""

    key = "wishing_well"

    def __init__(self, *, other: bool = False) -> None:
        self.other = other

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return types["unique"] - self.other
