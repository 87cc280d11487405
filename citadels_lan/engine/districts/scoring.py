"""Unique districts that matter when points are counted."""

from collections.abc import Mapping

from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.rules import Unique
from citadels_lan.engine.state import Player

Types = Mapping[DistrictType, int]


class Basilica(Unique):
    """A point for each district of odd cost (R255, R256)."""

    key = "basilica"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return sum(district.cost % 2 for district in player.city)


class Capitol(Unique):
    """Three points, once, for three districts of one type (R257 to R259)."""

    key = "capitol"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return 3 if max(types.values()) >= 3 else 0


class DragonGate(Unique):
    """Two points more (R260)."""

    key = "dragon_gate"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return 2


class HauntedQuarter(Unique):
    """Counts as one type of choice; the scoring itself tries which (R271 to R274)."""

    key = "haunted_quarter"


class ImperialTreasury(Unique):
    """A point for each gold in the stash (R275)."""

    key = "imperial_treasury"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return player.gold


class IvoryTower(Unique):
    """Five points if it is the only unique district (R276, R277)."""

    key = "ivory_tower"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return 5 if types["unique"] == 1 else 0


class MapRoom(Unique):
    """A point for each card in hand (R283)."""

    key = "map_room"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return len(player.hand)


class Statue(Unique):
    """Five points for whoever holds the crown (R311)."""

    key = "statue"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return 5 if crowned else 0


class WishingWell(Unique):
    """A point for each unique district, itself included (R318, R319)."""

    key = "wishing_well"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return types["unique"]
