"""The options of the classic edition, and of those that are made of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.config import Value
from citadels_lan.engine.edition import Edition
from citadels_lan.engine.scoring import gold, highest_rank, most_points, worth_of_districts

Option: TypeAlias = Mapping[Value, Callable[[Edition], Edition]]


def as_it_is(edition: Edition) -> Edition:
    return edition


def _seven(edition: Edition) -> Edition:
    return replace(edition, goal=lambda state: 7)


def crown_stays(edition: Edition) -> Edition:
    """A killed King stays unrevealed."""
    return replace(edition, abilities={**edition.abilities, "king": KingAtTheCall(heir=False)})


def _gold_decides(edition: Edition) -> Edition:
    return replace(edition, winners=most_points(worth_of_districts, gold))


def _rank_decides(edition: Edition) -> Edition:
    return replace(edition, winners=most_points(highest_rank))


DISTRICTS_TO_END: Final[Option] = {8: as_it_is, 7: _seven}
"""How many districts complete a city (R342)."""
KILLED_KING: Final[Option] = {"heir": as_it_is, "stays": crown_stays}
"""Whether a killed King takes the crown when the round ends (R349)."""
TIE_BREAK: Final[Option] = {"districts": as_it_is, "districts_then_gold": _gold_decides, "rank": _rank_decides}
"""What decides between players with as many points (R363)."""
