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
    """A whole game of two."""
    return begin(2).play()


@pytest.fixture(scope="session")
def stood() -> Game:
    """A whole game in which stand-ins move for two seats, and one of them seals what only the end opens."""
    return substitute_markers()


@pytest.fixture(scope="session")
def four() -> Game:
    """A whole game of four."""
    return begin(4).play()


MARKED: TableConfig = replace(first_game(4), cast=("magistrate", "blackmailer", *first_game(4).cast[2:]))
"""A table with both characters that seal what they place."""
FIRST = 12
"""The seed from which on a game with everything is looked for."""
THREAT_SHOWN = 53


@pytest.fixture(scope="session")
def marked() -> Game:
    """A whole game with warrants and threats: some seals are broken, some opened after the game."""
    games = (recorded(setup=MARKED, seed=seed) for seed in range(FIRST, 200))
    return next(game for game in games if has_everything(game))


def has_everything(game: Game) -> bool:
    """Whether both kinds of seals are broken, a threat is a bluff, and there are openings that do not fit into
    one *close*. (Any change of what is sent changes the chance of a game, and so the game.)"""
    entries = game.host_log.entries()
    said = {entry.what for entry in entries if isinstance(entry, Move)}
    shown = [event for entry in entries for event in events_of(entry) if event[0] == THREAT_SHOWN]
    opened = any(isinstance(entry, Close) and not entry.secret for entry in entries)
    return {"confiscate yes", "reveal yes"} <= said and any(not event[-1] for event in shown) and opened
