"""What the abilities of rank 8 have in common: which districts of which cities they reach."""

from citadels_lan.engine.cities import complete, uniques
from citadels_lan.engine.registry import ABILITIES, EFFECTS
from citadels_lan.engine.rules import NEITHER, IllegalMove
from citadels_lan.engine.state import State


def unreachable(state: State, owner: int, key: str) -> IllegalMove | None:
    """Why rank 8 cannot touch a district of this city (R170, R205, R209)."""
    if complete(state, owner):
        return IllegalMove("city_complete")
    if protected(state, owner):
        return IllegalMove("protected")
    if EFFECTS.get(key, NEITHER).untouchable:
        return IllegalMove("untouchable", card=key)
    return None


def protected(state: State, owner: int) -> bool:
    """Whether a revealed character keeps rank 8 away from the city for this round (R170, R172, R174)."""
    spell = state.mark("bewitched")
    for seat, player in enumerate(state.players):
        for character in player.revealed:
            if ABILITIES[character].protects:
                keeper = spell.by if spell is not None and spell.character == character else seat
                return keeper == owner
    return False


def surcharge(state: State, owner: int, key: str) -> int:
    """What the Great Wall adds for any other district of this city (R210)."""
    return sum(unique.wall for unique in uniques(state.players[owner]) if unique.key != key)
