"""The one city of Città Comune. Each player builds a part of it. Two players' parts never have a district of
the same name, and the game ends when all districts are built (R400, R407)."""

from typing import Final

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.state import State

from .building import not_twice_in_a_city

SOONER: Final = 30
"""The number of different district names that ends the game after the Bell Tower was turned (R421)."""


def not_twice_in_all_cities(state: State, seat: int) -> dict[str, str]:
    """Return {district: code} for each district that the seat on turn cannot build because one of that name
    is in another player's part of the city (R400) or in its own part, unless it may build duplicates there
    (R490)."""
    others = [player.city for other, player in enumerate(state.players) if other != seat]
    elsewhere = {district.key: "stands_elsewhere" for city in others for district in city}
    # A name in another part is the stronger reason: no effect allows it.
    return not_twice_in_a_city(state, seat) | elsewhere


def names(state: State) -> set[str]:
    """Return the names of all districts built by any player. Second copies count once."""
    return {district.key for player in state.players for district in player.city}


def names_wanted(state: State) -> int:
    """Return how many different names must be built to end the game: the fixed number if a Bell Tower is
    turned, otherwise all that can still be built (R410). For a view the result may be too high, because it
    does not contain the cards under other players' Museums."""
    under: list[str] = []
    for player in state.players:
        for district in player.city:
            # The Bell Tower's number is fixed, so cards under a Museum no longer matter.
            if district.turned:
                return SOONER
            if district.under:
                under += [card for _, card in district.under]
    districts = edition_of(state).districts
    # In a view the other cards are hidden, so the client's number may be too large.
    visible = [(card, under.count(card)) for card in set(under) if card != HIDDEN]
    return len(districts) - len([card for card, copies in visible if copies >= districts[card].count])


def all_stand(state: State) -> bool:
    """Return whether the common city has so many districts that the game ends."""
    stand = 0
    # This runs after every move, so a cheap bound comes first.
    for player in state.players:
        stand += len(player.city)
    if stand < SOONER:
        return False
    needed = names_wanted(state)
    # Second copies count for the bound, but not for the names.
    return stand >= needed and len(names(state)) >= needed
