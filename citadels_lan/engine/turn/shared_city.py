"""The one city of Città Comune, of which each player builds a part. No name is in two parts, and the game ends
when all districts are built (R400, R407)."""

from typing import Final

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.state import State

from .building import not_twice_in_a_city

SOONER: Final = 30
"""How many names end the game after the Bell Tower was turned (R421)."""


def not_twice_in_all_cities(state: State, seat: int) -> dict[str, str]:
    """Return, by district, why the seat on turn cannot build it: it is in another part of the city (R400) or,
    unless an effect allows a second copy, in its own part (R490)."""
    others = [player.city for other, player in enumerate(state.players) if other != seat]
    elsewhere = {district.key: "stands_elsewhere" for city in others for district in city}
    # A name in another part is the stronger reason: no effect allows it.
    return not_twice_in_a_city(state, seat) | elsewhere


def names(state: State) -> set[str]:
    """Return the names of all districts built. Second copies count once."""
    return {district.key for player in state.players for district in player.city}


def names_wanted(state: State) -> int:
    """Return how many names end the game: all that can still be built (R410), or the Bell Tower's number. A
    view does not contain the cards under other players' Museums."""
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
