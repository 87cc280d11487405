"""Digests of games that bots of each level play. `make goldens` writes `goldens.json` in this folder.

A digest changes if a bot makes another decision in one of its games. So a change of a heuristic shows in this
file.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final
from unittest import mock

from citadels_lan.bots.search import searching
from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.simulation import run
from citadels_lan.engine import EDITIONS, TableConfig

GOLDENS: Final = Path(__file__).with_name("goldens.json")
LEVELS: Final = ("random", "easy", "sensible", "normal")
PLAYERS: Final = (2, 4, 7)
GAMES: Final = 3
LITTLE: Final = Effort(trials=16, seconds=1e9)
"""Few trials, and no time limit: the games do not depend on the speed of the computer."""


def digest(edition: str, level: str) -> list[str]:
    """Return a digest of some games of bots of this level, one for each number of players."""
    if level == "hard":
        levels = ("hard", "hard", "normal", "normal")
        with mock.patch.dict(searching.EFFORTS, hard=LITTLE):
            return [run(1, TableConfig(4, edition=edition), levels, seed="golden").digest]
    play = partial(run, GAMES, seed="golden")
    return [play(TableConfig(players, edition=edition), (level,) * players).digest for players in PLAYERS]


def digests() -> Iterator[tuple[str, list[str]]]:
    """Yield (name, digests) for every edition and level."""
    for edition in EDITIONS:
        for level in (*LEVELS, "hard"):
            yield f"{edition}/{level}", digest(edition, level)


if __name__ == "__main__":
    GOLDENS.write_text(json.dumps(dict(digests()), indent=0) + "\n", encoding="utf-8")
