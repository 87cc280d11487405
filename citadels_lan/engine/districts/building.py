"""Unique districts that matter when something is built."""

from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.state import Player


class Factory(Unique):
    """Other unique districts cost one gold less to build (R261 to R263)."""

    key = "factory"
    discount = 1


class Framework(Unique):
    """May be destroyed instead of paying for a build (R264 to R266)."""

    key = "framework"
    pays_builds = True


class Monument(Unique):
    """Counts as two districts towards a complete city; not for a city of five or more (R284 to R287)."""

    key = "monument"
    counts = 2

    def unbuildable(self, player: Player) -> str | None:
        return "monument_late" if len(player.city) >= 5 else None


class Necropolis(Unique):
    """May be built by destroying an own district instead of paying (R293 to R296)."""

    key = "necropolis"
    paid_by_sacrifice = True


class Quarry(Unique):
    """Identical districts may be built (R302); where only `one` may be, while no name stands twice (R379)."""

    key = "quarry"

    def __init__(self, *, one: bool = False) -> None:
        self.one = one

    def repeats(self, player: Player) -> bool:
        return not self.one or len({district.key for district in player.city}) == len(player.city)


class SecretVault(Unique):
    """Can never be built; counts from the hand at the end (R306, R307)."""

    key = "secret_vault"

    def __init__(self, points: int) -> None:
        self.points_in_hand = points

    def unbuildable(self, player: Player) -> str | None:
        return "never_built"


class Stables(Unique):
    """Building them does not use the limit (R309, R310)."""

    key = "stables"
    outside_limit = True


class ThievesDen(Unique):
    """Hand cards may pay for it, one gold each (R316, R317)."""

    key = "thieves_den"
    paid_by_cards = True
