"""Games that many tests read. Tests must not change them."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Close, Move, events_of
from citadels_lan.engine import TableConfig
from tests.facts import first_game

from .table import Game, begin, recorded
from .tables import substitute_markers


@pytest.fixture(scope="session")
def duel() -> Game:
    """Return a whole game of two players."""
    return begin(2).play()


@pytest.fixture(scope="session")
def stood() -> Game:
    """Return a whole game in which substitute bots play two seats. One bot places a marker that is opened
    only at the end."""
    return substitute_markers()


@pytest.fixture(scope="session")
def four() -> Game:
    """Return a whole game of four players."""
    return begin(4).play()


MARKED: TableConfig = replace(first_game(4), cast=("magistrate", "blackmailer", *first_game(4).cast[2:]))
"""A table with the Magistrate and the Blackmailer, whose markers are sealed."""
FIRST = 12
"""The first seed in the search for a game that contains all kinds of openings."""
THREAT_SHOWN = 53


@pytest.fixture(scope="session")
def marked() -> Game:
    """Return a whole game with warrants and threats: some markers are revealed, others opened after the game."""
    games = (recorded(setup=MARKED, seed=seed) for seed in range(FIRST, 200))
    return next(game for game in games if has_everything(game))


def has_everything(game: Game) -> bool:
    """Return whether players reveal both kinds of markers, one threat is a bluff, and the openings need more
    than one *close*. (If the messages change, the chance changes, and so does the game.)"""
    entries = game.host_log.entries()
    said = {entry.what for entry in entries if isinstance(entry, Move)}
    shown = [event for entry in entries for event in events_of(entry) if event[0] == THREAT_SHOWN]
    opened = any(isinstance(entry, Close) and not entry.secret for entry in entries)
    return {"confiscate yes", "reveal yes"} <= said and any(not event[-1] for event in shown) and opened
