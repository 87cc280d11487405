"""What the abilities of rank 8 have in common: which districts of which cities they reach."""

from citadels_lan.engine.cities import complete, uniques
from citadels_lan.engine.registry import ABILITIES, EFFECTS
from citadels_lan.engine.rules import NEITHER, IllegalMove
from citadels_lan.engine.state import State, user_of


def shielded(state: State, owner: int, key: str) -> IllegalMove | None:
    """Why rank 8 cannot use its ability on a district, in a complete city or not (R170, R175, R209)."""
    if protected(state, owner):
        return IllegalMove("protected")
    if EFFECTS.get(key, NEITHER).untouchable:
        return IllegalMove("untouchable", card=key)
    return None


def unreachable(state: State, owner: int, key: str) -> IllegalMove | None:
    """Why rank 8 cannot destroy or take a district (R205)."""
    return IllegalMove("city_complete") if complete(state, owner) else shielded(state, owner, key)


def protected(state: State, owner: int) -> bool:
    """Whether a revealed character keeps rank 8 away from the city for this round (R170, R172, R174)."""
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            if ABILITIES[character].protects:
                return user_of(state, seat, character) == owner
    return False


def surcharge(state: State, owner: int, key: str) -> int:
    """What the Great Wall adds for any other district of this city (R210)."""
    return sum(unique.wall for unique in uniques(state.players[owner]) if unique.key != key)
