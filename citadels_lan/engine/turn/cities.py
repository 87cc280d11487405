"""Cities: how complete they are, which districts they have, the income from them, and how a district is lost."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Completed, Destroyed
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import District, IllegalMove, Player, State, Table, Unique

from .piles import discard


def size(state: State, seat: int) -> int:
    """Return how many districts the city of `seat` has, as counted for its completion (a Monument counts as
    two)."""
    city, larger = state.players[seat].city, edition_of(state).larger
    count = len(city)
    # Only the deck of 2016 has a Monument, and bots ask for the size all the time.
    if larger:
        for district in city:
            if district.key in larger:
                count += larger[district.key] - 1
    return count


def complete(state: State, seat: int) -> bool:
    """Return whether the city is complete now (R325)."""
    needed = edition_of(state).goal(state)
    return needed is not None and size(state, seat) >= needed


def check_completed(table: Table, *seats: int) -> None:
    """Emit an event for each of `seats` whose city is complete and was not complete before (R323)."""
    for seat in seats:
        # A city is recorded once. It keeps the record if it shrinks later (R324).
        if not table.state.players[seat].completed and complete(table.state, seat):
            table.emit(Completed(seat))


def destroy(table: Table, owner: int, index: int, why: str) -> None:
    """Destroy the district at `index` in the city of `owner` (R048), and discard it and the cards under it
    (R213). If a Graveyard asks its owner, the answer decides where the district's card goes."""
    district = table.state.players[owner].city[index]
    under = tuple(card for _, card in district.under)
    table.emit(Destroyed(owner, index, district.key, under, why))
    # A Graveyard keeps the card from being discarded until its owner has answered.
    if not any(unique.lost(table, seat, district.key, why) for seat, unique in all_uniques(table.state)):
        discard(table, (district.key,), why)
    discard(table, under, "museum")


def uniques(state: State, seat: int) -> list[Unique]:
    """Return the unique districts in a city."""
    effects = edition_of(state).effects
    return [effects[d.key] for d in state.players[seat].city if d.key in effects]


def all_uniques(state: State) -> list[tuple[int, Unique]]:
    """Return the unique districts of all cities, each with the seat of its owner."""
    effects = edition_of(state).effects
    return [(seat, effects[d.key]) for seat, p in enumerate(state.players) for d in p.city if d.key in effects]


def standing(player: Player, key: str) -> bool:
    """Return whether the player's city has a district of the name `key`."""
    return key in [district.key for district in player.city]


def find(state: State, seat: int, spot: Spot) -> tuple[int, int]:
    """Return (owner, index) of the district that `seat` names by `spot`. Raises IllegalMove if it does not
    exist."""
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
    """Yield every district of the city of `owner`, with the spot by which `seat` names it."""
    place = None if owner == seat else owner
    for nth, district in numbered(state.players[owner].city):
        yield Spot(district.key, place, nth), district


def numbered(city: Sequence[District]) -> Iterable[tuple[int, District]]:
    """Return each district of a city with its number among the districts of the same name, from 1."""
    names = [district.key for district in city]
    # Without duplicates every number is 1. This is the usual case, and bots ask all the time.
    if len(set(names)) == len(names):
        return zip(repeat(1), city)
    return zip([names[: place + 1].count(name) for place, name in enumerate(names)], city, strict=True)


def paying_districts(state: State, seat: int, kind: DistrictType) -> int:
    """Return how many districts of `seat` an income for the type `kind` counts. The School of Magic counts
    for each type (R304)."""
    paying, count = edition_of(state).paying[kind], 0
    # A loop, because bots call this in every decision.
    for district in state.players[seat].city:
        if district.key in paying:
            count += 1
    return count
