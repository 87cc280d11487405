"""What the abilities of rank 8 have in common: which districts of which cities they reach."""

from collections.abc import Iterable

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.rules import IllegalMove
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District, State, is_killed, user_of
from citadels_lan.engine.turn.cities import complete, numbered


def untouchable(state: State, key: str) -> IllegalMove | None:
    """Why rank 8 cannot use its ability on a district, whatever its city (R209)."""
    if edition_of(state).effects.get(key, NEITHER).untouchable:
        return IllegalMove("untouchable", card=key)
    return None


def unreachable(state: State, owner: int, key: str) -> IllegalMove | None:
    """Why rank 8 cannot destroy or take a district (R170, R175, R205)."""
    if complete(state, owner):
        return IllegalMove("city_complete")
    return IllegalMove("protected") if owner == protected(state) else untouchable(state, key)


def open_cities(state: State, seats: Iterable[int]) -> list[int]:
    """The seats in whose cities there is something that rank 8 may destroy or take."""
    safe, players = protected(state), state.players
    return [seat for seat in seats if players[seat].city and seat != safe and not complete(state, seat)]


def protected(state: State) -> int | None:
    """The seat whose city a revealed character keeps rank 8 away from for this round (R170, R172, R174)."""
    abilities = edition_of(state).abilities
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            if abilities[character].protects and not is_killed(state, character):
                return user_of(state, seat, character)
    return None


def surcharge(state: State, owner: int, key: str) -> int:
    """What the Great Wall adds for any other district of this city (R210)."""
    walls = edition_of(state).walls
    more = 0
    if not walls:
        return more
    for district in state.players[owner].city:
        if district.key in walls and district.key != key:
            more += walls[district.key]
    return more


def within_reach(state: State, seat: int, owner: int, most: int) -> list[tuple[Spot, District, int]]:
    """What rank 8 may destroy or take in an open city at a price of at most this, as `seat` names it; the price is
    the cost with what the Great Wall adds."""
    played, city = edition_of(state), state.players[owner].city
    effects, walls = played.effects, played.walls
    place = None if owner == seat else owner
    found: list[tuple[Spot, District, int]] = []
    for nth, district in numbered(city):
        key, price = district.key, district.cost
        if price <= most and not (key in effects and effects[key].untouchable):
            if walls:
                price += surcharge(state, owner, key)
            if price <= most:
                found.append((Spot(key, place, nth), district, price))
    return found
