"""One city that everybody builds a part of: no name stands in two parts, and the game ends when all stand (R400,
R407)."""

from typing import Final

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.state import State

from .building import not_twice_in_a_city

SOONER: Final = 30
"""So many names end the game once the Bell Tower is turned (R421)."""


def not_twice_in_all_cities(state: State, seat: int) -> dict[str, str]:
    """The code of what forbids the seat on turn each district that stands in another part (R400), or, unless
    something allows it, in its own (R490)."""
    others = [player.city for other, player in enumerate(state.players) if other != seat]
    elsewhere = {district.key: "stands_elsewhere" for city in others for district in city}
    return not_twice_in_a_city(state, seat) | elsewhere


def names(state: State) -> set[str]:
    """The names that stand; second copies are not counted."""
    return {district.key for player in state.players for district in player.city}


def names_wanted(state: State) -> int:
    """How many names end the game: all that can stand still (R410), or as many as the Bell Tower says. A view
    knows no cards under the Museum of somebody else."""
    under: list[str] = []
    for player in state.players:
        for district in player.city:
            if district.turned:
                return SOONER
            if district.under:
                under += [card for _, card in district.under]
    districts = edition_of(state).districts
    known = [(card, under.count(card)) for card in set(under) if card != HIDDEN]
    return len(districts) - len([card for card, copies in known if copies >= districts[card].count])


def all_stand(state: State) -> bool:
    """Whether the city is finished."""
    stand = 0
    for player in state.players:  # asked after every move: a bound, then what it is
        stand += len(player.city)
    if stand < SOONER:
        return False
    wanted = names_wanted(state)
    return stand >= wanted and len(names(state)) >= wanted
