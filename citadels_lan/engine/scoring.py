"""The end of the game: points by reason, and who wins (rulebook p. 6)."""

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.turn.cities import complete, uniques

from .cards import TYPES, DistrictType
from .score import Score
from .state import State

ALL_TYPES: Final = 3
"""Points for a city with districts of all types."""
FIRST: Final = 4
"""Points for the first completed city."""
COMPLETED: Final = 2
"""Points for each complete city that was not the first one."""

Measure: TypeAlias = Callable[[State, int], int]
"""Returns a number that decides between seats with equal points. More is better."""


def scores(state: State) -> tuple[Score, ...]:
    """Return every seat's score. The points for a complete city also go to a city that was complete earlier
    and is no longer (R324)."""
    return tuple(_score(state, seat, completed=player.completed) for seat, player in enumerate(state.players))


def scores_of_the_end(state: State) -> tuple[Score, ...]:
    """Return every seat's score. The points for a complete city only go to cities that are complete at the
    end. The first completed city keeps its points in any case (R365)."""
    return tuple(_score(state, seat, completed=complete(state, seat)) for seat in range(len(state.players)))


def _score(state: State, seat: int, *, completed: bool) -> Score:
    """Return a seat's score. `completed`: it gets the points for a complete city. A district that counts as
    any type counts as the one that gives most points (R274), as unique if no other type gives more."""
    edition = edition_of(state)
    city = state.players[seat].city
    types = Counter([edition.types[district.key] for district in city])
    plain = Score(_parts(state, seat, types, completed=completed), "unique")
    if not any(edition.effect(district.key).any_type(state, district) for district in city):
        return Score(plain.parts)
    options = [plain]
    # The last type is `unique`, which is the plain option.
    for other in TYPES[:-1]:
        moved = types.copy()
        moved["unique"] -= 1
        moved[other] += 1
        options.append(Score(_parts(state, seat, moved, completed=completed), other))
    # `max` keeps the first of equal scores, so the district stays unique if nothing is gained.
    return max(options, key=lambda score: score.total)


def _parts(
    state: State, seat: int, types: Counter[DistrictType], *, completed: bool
) -> tuple[tuple[str, int], ...]:
    player = state.players[seat]
    effects = edition_of(state).effects
    parts = [
        ("districts", sum(district.cost for district in player.city)),
        ("types", ALL_TYPES if all(types[kind] > 0 for kind in TYPES) else 0),
        ("first", FIRST if state.first == seat else 0),
        ("completed", COMPLETED if completed and state.first != seat else 0),
        *[(unique.key, unique.score(player, types, state.crown == seat)) for unique in uniques(state, seat)],
        *[(key, u.points_in_hand * player.hand.count(key)) for key, u in effects.items() if u.points_in_hand],
    ]
    # Reasons without points are left out, so that the table of scores has no empty rows.
    return tuple((reason, points) for reason, points in parts if points)


def most_points(*then: Measure) -> Callable[[State, tuple[Score, ...]], tuple[int, ...]]:
    """Return a function that finds the winners of a game: the seats with most points. Among equal ones the
    measures in `then` decide, in order. Seats that are equal in all of them share the victory."""

    def winners(state: State, results: tuple[Score, ...]) -> tuple[int, ...]:
        # Tuples compare element by element, so the measures count in their order.
        standing = [
            (result.total, *[measure(state, seat) for measure in then]) for seat, result in enumerate(results)
        ]
        best = max(standing)
        return tuple(seat for seat, reached in enumerate(standing) if reached == best)

    return winners


def highest_rank(state: State, seat: int) -> int:
    """Return the highest rank that a seat revealed in the last round (R331 to R334)."""
    rank = edition_of(state).ranks
    return max((rank[character] for character in state.players[seat].revealed), default=0)


def worth_of_districts(state: State, seat: int) -> int:
    """Return the value of a seat's districts without bonuses: their costs, and the extra points printed on
    some of them (R363)."""
    city = sum(district.cost for district in state.players[seat].city)
    return city + sum(unique.worth for unique in uniques(state, seat))


def gold(state: State, seat: int) -> int:
    """Return the gold of a seat."""
    return state.players[seat].gold
