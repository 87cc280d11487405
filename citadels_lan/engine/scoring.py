"""The end of the game: points by reason, and who wins (rulebook p. 6)."""

from collections import Counter

from .cards import RANK, TYPE, TYPES, DistrictType
from .cities import uniques
from .state import Player, Score, State

HAUNTED = "haunted_quarter"
VAULT = "secret_vault"


def scores(state: State) -> tuple[Score, ...]:
    """Every seat's score."""
    return tuple(_score(state, seat) for seat in range(len(state.players)))


def _score(state: State, seat: int) -> Score:
    """A seat's score, the Haunted Quarter counted as the type that gives most (R274); unique where that is as
    good."""
    player = state.players[seat]
    types = Counter(TYPE[district.key] for district in player.city)
    if not any(district.key == HAUNTED for district in player.city):
        return Score(_parts(state, seat, types))
    options = [Score(_parts(state, seat, types), "unique")]
    for other in TYPES[:-1]:
        moved = types.copy()
        moved["unique"] -= 1
        moved[other] += 1
        options.append(Score(_parts(state, seat, moved), other))
    return max(options, key=lambda score: score.total)


def _parts(state: State, seat: int, types: Counter[DistrictType]) -> tuple[tuple[str, int], ...]:
    player = state.players[seat]
    parts = [
        ("districts", sum(district.cost for district in player.city)),
        ("types", 3 if all(types[kind] > 0 for kind in TYPES) else 0),
        ("first", 4 if state.first == seat else 0),
        ("completed", 2 if player.completed and state.first != seat else 0),
        *((unique.key, unique.score(player, types, state.crown == seat)) for unique in uniques(player)),
        (VAULT, 3 * player.hand.count(VAULT)),
    ]
    return tuple((reason, points) for reason, points in parts if points)


def winners(state: State, results: tuple[Score, ...]) -> tuple[int, ...]:
    """The seat with most points; among equals the highest rank revealed in the last round (R331 to R334)."""

    def standing(seat: int) -> tuple[int, int]:
        return results[seat].total, _highest_rank(state.players[seat])

    return (max(range(len(results)), key=standing),)


def _highest_rank(player: Player) -> int:
    return max((RANK[character] for character in player.revealed), default=0)
