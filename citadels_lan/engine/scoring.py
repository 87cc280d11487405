"""The end of the game: points by reason, and who wins (rulebook p. 6)."""

from collections import Counter

from citadels_lan.engine.turn.cities import uniques

from .cards import TYPES, DistrictType
from .edition import edition_of
from .state import Score, State


def scores(state: State) -> tuple[Score, ...]:
    """Every seat's score."""
    return tuple(_score(state, seat) for seat in range(len(state.players)))


def _score(state: State, seat: int) -> Score:
    """A seat's score, a district of any type counted as the one that gives most (R274); unique where that is as
    good."""
    types_of = edition_of(state).types
    types = Counter(types_of[district.key] for district in state.players[seat].city)
    if not any(unique.any_type for unique in uniques(state, seat)):
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
    effects = edition_of(state).effects
    parts = [
        ("districts", sum(district.cost for district in player.city)),
        ("types", 3 if all(types[kind] > 0 for kind in TYPES) else 0),
        ("first", 4 if state.first == seat else 0),
        ("completed", 2 if player.completed and state.first != seat else 0),
        *((unique.key, unique.score(player, types, state.crown == seat)) for unique in uniques(state, seat)),
        *((key, unique.points_in_hand * player.hand.count(key)) for key, unique in effects.items()),
    ]
    return tuple((reason, points) for reason, points in parts if points)


def winners(state: State, results: tuple[Score, ...]) -> tuple[int, ...]:
    """The seat with most points; among equals the highest rank revealed in the last round (R331 to R334)."""

    def standing(seat: int) -> tuple[int, int]:
        return results[seat].total, _highest_rank(state, seat)

    return (max(range(len(results)), key=standing),)


def _highest_rank(state: State, seat: int) -> int:
    rank = edition_of(state).ranks
    return max((rank[character] for character in state.players[seat].revealed), default=0)
