"""Points of Città Comune: those of a cycle, and those of the end."""

from collections import Counter
from dataclasses import dataclass

from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import uniques


@dataclass(frozen=True)
class CyclePoints:
    """What a cycle brings: points for districts of `all_types`, and for the `most` districts, also among equals
    (R405, R406)."""

    all_types: int
    most: int

    def __call__(self, state: State) -> tuple[int, ...]:
        longest = max(len(player.city) for player in state.players)
        return tuple(
            self.all_types * _has_all_types(state, seat) + self.most * (len(player.city) == longest > 0)
            for seat, player in enumerate(state.players)
        )


def _has_all_types(state: State, seat: int) -> bool:
    """Whether all types stand, one district of any type counted as the missing one (R422)."""
    edition = edition_of(state)
    city = state.players[seat].city
    kinds = [edition.types[district.key] for district in city]
    missing = len(TYPES) - len(set(kinds))
    if missing != 1 or kinds.count("unique") < 2:
        return not missing
    return any(edition.effects.get(district.key, NEITHER).any_type(state, district) for district in city)


def scores(state: State) -> tuple[Score, ...]:
    """The points of the cycles, a point for each gold that the standing districts cost (R408), and what unique
    districts give at the end (R407)."""
    return tuple(_score(state, seat) for seat in range(len(state.players)))


def _score(state: State, seat: int) -> Score:
    player = state.players[seat]
    types = Counter(edition_of(state).types[district.key] for district in player.city)
    parts = [
        ("districts", sum(district.cost for district in player.city)),
        ("cycles", player.points),
        *((unique.key, unique.score(player, types, state.crown == seat)) for unique in uniques(state, seat)),
    ]
    return Score(tuple((reason, points) for reason, points in parts if points))
