"""The rules that the Warlord, the Diplomat and the Marshal share: which districts they reach, and at what
price."""

from collections.abc import Iterable

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import District, IllegalMove, State
from citadels_lan.engine.state import is_killed, user_of
from citadels_lan.engine.turn.cities import complete, numbered


def untouchable(state: State, key: str) -> IllegalMove | None:
    """Return why rank 8 can never use its ability on the district `key` in any city (R209), or None."""
    if edition_of(state).effect(key).untouchable:
        return IllegalMove("untouchable", card=key)
    return None


def unreachable(state: State, owner: int, key: str) -> IllegalMove | None:
    """Return why rank 8 cannot destroy or take the district `key` of `owner` (R170, R175, R205), or None."""
    if complete(state, owner):
        return IllegalMove("city_complete")
    return IllegalMove("protected") if owner == protected(state) else untouchable(state, key)


def open_cities(state: State, seats: Iterable[int]) -> list[int]:
    """Return those of `seats` whose cities have districts and are neither complete nor protected."""
    safe, players = protected(state), state.players
    return [seat for seat in seats if players[seat].city and seat != safe and not complete(state, seat)]


def protected(state: State) -> int | None:
    """Return the seat whose city a revealed character protects from rank 8 in this round (R170, R172, R174),
    or None."""
    abilities = edition_of(state).abilities
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            # A killed Bishop protects no city, even if a Hospital revealed him.
            if abilities[character].protects and not is_killed(state, character):
                return user_of(state, seat, character)
    return None


def surcharge(state: State, owner: int, key: str) -> int:
    """Return how much more gold rank 8 pays for the district `key` of `owner` because of a Great Wall in that
    city (R210)."""
    walls = edition_of(state).walls
    # The wall does not protect itself.
    return sum([walls[each.key] for each in state.players[owner].city if each.key in walls and each.key != key])


def within_reach(state: State, seat: int, owner: int, most: int) -> list[tuple[Spot, District, int]]:
    """Return the districts of `owner` that rank 8, played by `seat`, may destroy or take for at most `most`
    gold. Each is (the spot by which `seat` names it, the district, its price with the Great Wall). The caller
    has checked that the city is one of `open_cities`."""
    played, city = edition_of(state), state.players[owner].city
    effects, walls = played.effects, played.walls
    place = None if owner == seat else owner
    reachable: list[tuple[Spot, District, int]] = []
    for nth, district in numbered(city):
        key, price = district.key, district.cost
        # Without the surcharge first, because most editions and cities have no wall.
        if price <= most and not (key in effects and effects[key].untouchable):
            if walls:
                price += surcharge(state, owner, key)
            if price <= most:
                reachable.append((Spot(key, place, nth), district, price))
    return reachable
