"""The cards of the 2016/2021 edition under short names, for tests that play it."""

from citadels_lan.engine.cards import BASICS, CHARACTERS, COST, DISTRICTS, RANK, TYPE, UNIQUES
from citadels_lan.engine.setup import FIRST_GAME, FIRST_GAME_UNIQUES
from citadels_lan.engine.state import District

__all__ = [
    "BASICS", "CHARACTERS", "COST", "DISTRICTS", "FIRST_GAME", "FIRST_GAME_UNIQUES", "RANK", "TYPE", "UNIQUES",
    "standing",
]  # fmt: skip


def standing(key: str) -> District:
    """A district in a city, as it was built."""
    return District(key, COST[key])
