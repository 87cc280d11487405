"""Questions about cities: how complete, what stands where, what rank 8 can reach, what income they give."""

from collections.abc import Iterator

from .actions import Spot
from .cards import TYPE, DistrictType
from .registry import EFFECTS
from .rules import IllegalMove, Unique
from .state import District, Player, State


def goal(state: State) -> int:
    """How many districts complete a city: 7, with 2 or 3 players 8 (R320, R321)."""
    return 8 if len(state.players) < 4 else 7


def size(player: Player) -> int:
    """How many districts the city counts towards completion."""
    return sum(EFFECTS[d.key].counts if d.key in EFFECTS else 1 for d in player.city)


def complete(state: State, seat: int) -> bool:
    """Whether the city is complete now (R325)."""
    return size(state.players[seat]) >= goal(state)


def uniques(player: Player) -> list[Unique]:
    """The unique districts standing in the city."""
    return [EFFECTS[d.key] for d in player.city if d.key in EFFECTS]


def standing(player: Player, key: str) -> bool:
    """Whether a district of that name stands in the city."""
    for district in player.city:  # noqa: SIM110 - a loop is three times as fast, and this is asked all the time
        if district.key == key:
            return True
    return False


def find(state: State, seat: int, spot: Spot) -> tuple[int, int]:
    """The (owner, index) of a district as named by `seat`; IllegalMove where there is none."""
    owner = seat if spot.seat is None else spot.seat
    nth = spot.nth
    if owner < len(state.players):
        for index, district in enumerate(state.players[owner].city):
            if district.key == spot.key:
                nth -= 1
                if nth == 0:
                    return owner, index
    raise IllegalMove("no_such_district", card=spot.key)


def spots(state: State, seat: int, owner: int) -> Iterator[tuple[Spot, District]]:
    """Every district of a city with its name as `seat` says it."""
    named: dict[str, int] = {}
    place = None if owner == seat else owner
    for district in state.players[owner].city:
        named[district.key] = named.get(district.key, 0) + 1
        yield Spot(district.key, place, named[district.key]), district


def paying_districts(player: Player, wanted: DistrictType) -> int:
    """For how many districts an income of a type pays; the School of Magic counts for each (R304)."""
    return sum(TYPE[d.key] == wanted or (d.key in EFFECTS and EFFECTS[d.key].any_income) for d in player.city)
