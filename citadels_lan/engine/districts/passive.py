"""The unique districts without moves of their own. Each one changes values, or answers questions of the turn
and the scoring."""

from collections.abc import Mapping

from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.pieces import District, Player, State, Table, Unique
from citadels_lan.engine.turn.piles import gain_cards


class Factory(Unique):
    """Factory: other unique districts cost its owner one gold less (R261 to R263)."""

    key = "factory"
    discount = 1


class Framework(Unique):
    """Framework: its owner may destroy it instead of paying for a build (R264 to R266)."""

    key = "framework"
    pays_builds = True


class Monument(Unique):
    """Monument: it counts as two districts towards a complete city, and cannot be built in a city of five or
    more districts (R284 to R287)."""

    key = "monument"
    counts = 2

    def unbuildable(self, player: Player) -> str | None:
        return "monument_late" if len(player.city) >= 5 else None


class Necropolis(Unique):
    """Necropolis: the player who builds it may destroy one of their own districts instead of paying (R293 to
    R296)."""

    key = "necropolis"
    paid_by_sacrifice = True


class Quarry(Unique):
    """Quarry: its owner may build a district whose name is already in their city (R302). If `one`, this is
    only allowed while the city has no two districts of the same name (R379)."""

    key = "quarry"

    def __init__(self, *, one: bool = False) -> None:
        self.one = one

    def repeats(self, player: Player) -> bool:
        return not self.one or len({district.key for district in player.city}) == len(player.city)


class SecretVault(Unique):
    """Secret Vault: it can never be built. A player who still has it in the hand at the end gets `points`
    (R306, R307)."""

    key = "secret_vault"

    def __init__(self, points: int) -> None:
        self.points_in_hand = points

    def unbuildable(self, player: Player) -> str | None:
        return "never_built"


class Stables(Unique):
    """Stables: building them does not use the building limit (R309, R310)."""

    key = "stables"
    outside_limit = True


class ThievesDen(Unique):
    """Thieves' Den: its builder may pay for it with hand cards, which count one gold each (R316, R317)."""

    key = "thieves_den"
    paid_by_cards = True


class GoldMine(Unique):
    """Gold Mine: its owner gets `gold` more when gathering gold (R267)."""

    key = "gold_mine"

    def __init__(self, gold: int) -> None:
        self.more_gold = gold


class Library(Unique):
    """Library: its owner keeps all cards drawn when gathering (R281), or at most `most` of them (R359)."""

    key = "library"

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def kept(self, drawn: int) -> int:
        return drawn if self.most is None else min(self.most, drawn)


class Observatory(Unique):
    """Observatory: its owner draws `cards` more cards when gathering (R297)."""

    key = "observatory"

    def __init__(self, cards: int) -> None:
        self.more_cards = cards


class GreatWall(Unique):
    """Great Wall: rank 8 pays one gold more to destroy any other district of its city (R210, R269)."""

    key = "great_wall"
    wall = 1


class KeepEffect(Unique):
    """Keep: rank 8 can never use its ability on it (R209)."""

    key = "keep"
    untouchable = True


class SchoolOfMagic(Unique):
    """School of Magic: it counts as a district of any type for income (R304)."""

    key = "school_of_magic"
    any_income = True


class Hospital(Unique):
    """Hospital: if its owner's character is killed, the owner still answers the call and gathers (R375)."""

    key = "hospital"
    heals = True


class ThroneRoom(Unique):
    """Throne Room: its owner gets `gold` whenever the crown moves to another player (R377)."""

    key = "throne_room"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def crowned(self, table: Table, seat: int) -> None:
        table.gain_gold(seat, self.gold, "throne_room")


class Park(Unique):
    """Park: if its owner ends a turn without hand cards, the owner gains `cards` cards (R298, R299)."""

    key = "park"
    ends_last = True

    def __init__(self, cards: int) -> None:
        self.cards = cards

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].hand:
            gain_cards(table, seat, self.cards, "park")


class PoorHouse(Unique):
    """Poor House: if its owner ends a turn without gold, the owner gains `gold`. This happens before the
    Alchemist's refund (R193, R300, R301)."""

    key = "poor_house"

    def __init__(self, gold: int) -> None:
        self.gold = gold

    def ending(self, table: Table, seat: int) -> None:
        if not table.state.players[seat].gold:
            table.gain_gold(seat, self.gold, "poor_house")


Types = Mapping[DistrictType, int]


class Basilica(Unique):
    """Basilica: a point at the end for each district of odd cost in its city (R255, R256)."""

    key = "basilica"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return sum(district.cost % 2 for district in player.city)


class Capitol(Unique):
    """Capitol: `points` at the end if its city has three districts of one type, once (R257 to R259)."""

    key = "capitol"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if max(types.values()) >= 3 else 0


class DragonGate(Unique):
    """Dragon Gate: worth `points` more than its cost at the end (R260)."""

    key = "dragon_gate"

    def __init__(self, points: int) -> None:
        self.worth = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.worth


class HauntedCity(Unique):
    """Haunted City: at the end it counts as a district of any one type, unless it was built in the last round
    (R360)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.built != state.round


class HauntedCityOfCycles(Unique):
    """Haunted City of Città Comune: at the end it counts as a district of a type that its city lacks, unless
    it came to its city after the last call (R422)."""

    key = "haunted_city"

    def any_type(self, state: State, district: District) -> bool:
        return district.key not in state.fresh


class HauntedQuarter(Unique):
    """Haunted Quarter: at the end it counts as a district of any one type. The scoring chooses the type that
    gives most points (R271 to R274)."""

    key = "haunted_quarter"

    def any_type(self, state: State, district: District) -> bool:
        return True


class ImperialTreasury(Unique):
    """Imperial Treasury: a point at the end for each gold of its owner (R275)."""

    key = "imperial_treasury"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return player.gold


class IvoryTower(Unique):
    """Ivory Tower: `points` at the end if its city has no other unique district (R276, R277)."""

    key = "ivory_tower"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        # A Haunted Quarter that counts as another type is not a unique district here.
        return self.points if types["unique"] == 1 else 0


class MapRoom(Unique):
    """Map Room: a point at the end for each hand card of its owner (R283)."""

    key = "map_room"

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return len(player.hand)


class Statue(Unique):
    """Statue: `points` at the end if its owner has the crown (R311)."""

    key = "statue"

    def __init__(self, points: int) -> None:
        self.points = points

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return self.points if crowned else 0


class University(DragonGate):
    """University: worth `points` more than its cost at the end, like the Dragon Gate (R361)."""

    key = "university"


class WishingWell(Unique):
    """Wishing Well: a point at the end for each unique district of its city. If `other`, the Wishing Well
    itself does not count (R318, R319, R380)."""

    key = "wishing_well"

    def __init__(self, *, other: bool = False) -> None:
        self.other = other

    def score(self, player: Player, types: Types, crowned: bool) -> int:
        return types["unique"] - self.other
