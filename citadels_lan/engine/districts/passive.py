"""The unique districts without moves. They have fixed values, or answer questions that the turn and the
scoring ask."""

from collections.abc import Mapping

from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.pieces import District, Player, State, Table, Unique
from citadels_lan.engine.turn.piles import gain_cards


class Factory(Unique):
    """Other unique districts cost one gold less to build (R261 to R263)."""

    key = "factory"
    discount = 1


class Framework(Unique):
    """It may be destroyed instead of paying for a build (R264 to R266)."""

    key = "framework"
    pays_builds = True


class Monument(Unique):
    """It counts as two districts towards a complete city, and cannot be built in a city of five or more (R284
    to R287)."""

    key = "monument"
    counts = 2

    def unbuildable(self, player: Player) -> str | None:
        return "monument_late" if len(player.city) >= 5 else None


class Necropolis(Unique):
    """Its owner may destroy an own district instead of paying for it (R293 to R296)."""

    key = "necropolis"
    paid_by_sacrifice = True


class Quarry(Unique):
    """Identical districts may be built (R302). If `one`, only as long as no name is in the city twice (R379)."""

    key = "quarry"

    def __init__(self, *, one: bool = False) -> None:
        self.one = one

    def repeats(self, player: Player) -> bool:
        return not self.one or len({district.key for district in player.city}) == len(player.city)


class SecretVault(Unique):
    """It can never be built. In the hand it counts `points` at the end (R306, R307)."""

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


class GoldMine(Unique):
    """Gathering gold brings `gold` more (R267)."""

    key = "gold_mine"

    def __init__(self, gold: int) -> None:
        self.more_gold = gold


class Library(Unique):
    """Its owner keeps all cards drawn when gathering (R281), or at most `most` of them (R359)."""

    key = "library"

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def kept(self, drawn: int) -> int:
        return drawn if self.most is None else min(self.most, drawn)


class Observatory(Unique):
    """Its owner draws `cards` more cards when gathering (R297)."""

    key = "observatory"

    def __init__(self, cards: int) -> None:
        self.more_cards = cards


class GreatWall(Unique):
    """Rank 8 pays one gold more for any other district of the city (R210, R269)."""

    key = "great_wall"
    wall = 1


class KeepEffect(Unique):
    """Rank 8 can never use its ability on the Keep (R209)."""

    key = "keep"
    untouchable = True


class SchoolOfMagic(Unique):
    """It counts as a district of any type for income (R304)."""

    key = "school_of_magic"
    any_income = True


class Hospital(Unique):
    """If its owner's character is killed, the owner still answers the call and gathers (R375)."""

    key = "hospital"
    heals = True


class ThroneRoom(Unique):
    """Its owner gets `gold` whenever the crown moves to another player (R377)."""

    key = "throne_room"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def crowned(self, table: Table, seat: int) -> None:
        table.gain_gold(seat, self.gold, "throne_room")


class Park(Unique):
    """If its owner ends a turn without hand cards, the owner gains `cards` cards (R298, R299)."""

    key = "park"
    ends_last = True

    def __init__(self, cards: int) -> None:
        self.cards = cards

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].hand:
            gain_cards(table, seat, self.cards, "park")


class PoorHouse(Unique):
    """If its owner ends a turn without gold, the owner gains `gold`. This happens before the Alchemist's
    refund (R193, R300, R301)."""

    key = "poor_house"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].gold:
            table.gain_gold(seat, self.gold, "poor_house")


Types = Mapping[DistrictType, int]


class Basilica(Unique):
    """A point for each district of odd cost (R255, R256)."""

    key = "basilica"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return sum(district.cost % 2 for district in player.city)


class Capitol(Unique):
    """`points` once for three districts of one type (R257 to R259)."""

    key = "capitol"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if max(types.values()) >= 3 else 0


class DragonGate(Unique):
    """`points` at the end (R260)."""

    key = "dragon_gate"

    def __init__(self, points: int) -> None:
        self.worth = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.worth


class HauntedCity(Unique):
    """It counts as any one type at the end, unless it was built in the last round (R360)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.built != state.round


class HauntedCityOfCycles(Unique):
    """It counts as a missing type, unless it came to its city after the last call (Città Comune, R422)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.key not in state.fresh


class HauntedQuarter(Unique):
    """It counts as any one type at the end. The scoring chooses the best type (R271 to R274)."""

    key = "haunted_quarter"

    def any_type(self, state: State, district: District) -> bool:
        return True


class ImperialTreasury(Unique):
    """A point for each gold of its owner (R275)."""

    key = "imperial_treasury"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return player.gold


class IvoryTower(Unique):
    """`points` if it is the only unique district of the city (R276, R277)."""

    key = "ivory_tower"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        # A Haunted Quarter that counts as another type is not a unique district here.
        return self.points if types["unique"] == 1 else 0


class MapRoom(Unique):
    """A point for each hand card (R283)."""

    key = "map_room"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return len(player.hand)


class Statue(Unique):
    """`points` if its owner has the crown (R311)."""

    key = "statue"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if crowned else 0


class University(DragonGate):
    """`points` at the end, like the Dragon Gate (R361)."""

    key = "university"


class WishingWell(Unique):
    """A point for each unique district of the city. If `other`, it does not count itself (R318, R319, R380)."""

    key = "wishing_well"

    def __init__(self, *, other: bool = False) -> None:
        self.other = other

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return types["unique"] - self.other
