"""The tables at which bots are trained, and their players."""

from collections.abc import Mapping
from math import inf
from random import Random
from typing import Final

from citadels_lan.bots.heuristics.policies import SensiblePolicy
from citadels_lan.bots.heuristics.values import PLAIN, TASTES
from citadels_lan.bots.search.searching import Effort, SearchingPolicy
from citadels_lan.bots.search.value import LARGE, group
from citadels_lan.engine import EDITIONS, Edition, TableConfig, from_scenario
from citadels_lan.engine.flow.cycles import Cycles

GROUPS: Final[Mapping[str, tuple[int, ...]]] = {
    f"{edition}/{size}": tuple(
        players for players in played.players if group(edition, players) == f"{edition}/{size}"
    )
    for edition, played in EDITIONS.items()
    for size in (2, 3, 4, LARGE)
    if size == 4 or not isinstance(played.flow, Cycles)
}
"""By name of a group of tables with common weights: the numbers of players. With a common city, games of
heuristic bots are long, so there is only one group."""


def edition_at(name: str) -> Edition:
    """Return the edition of the group `name`."""
    return EDITIONS[name.split("/", maxsplit=1)[0]]


THOUGHTFUL: Final = (
    "2016/4", "dark_city/4", "citta_comune/4", "classic/4", "2016/3", "dark_city/4",
    "classic/4", "2016/4", "citta_comune/4", "classic/7", "2016/4", "dark_city/4",
    "classic/4", "dark_city/3", "citta_comune/4", "2016/7", "classic/3", "dark_city/7",
)  # fmt: skip
"""The groups of tables at which searching bots play, one table after another."""
CALLING: Final = frozenset(name for name in THOUGHTFUL if isinstance(edition_at(name).flow, Cycles))
"""The groups of editions in which characters are called from a deck, and all players build one common
city."""
DRAFTING: Final = frozenset(THOUGHTFUL) - CALLING
"""The groups of editions with a draft. Their games are similar, so examples of one also help the others."""
LITTLE: Final = Effort(trials=20, seconds=inf)
"""A small search effort, with which a bot plays much better than with heuristics alone."""


def table(name: str, number: int) -> TableConfig:
    """Return the configuration of game `number` in a group. Games with odd numbers have random characters and
    districts, if the edition allows a choice."""
    edition = edition_at(name)
    players = GROUPS[name][number // 2 % len(GROUPS[name])]
    return from_scenario(edition.ways[-1 if number % 2 else 0], players, edition_key=edition.key)


def seats(players: int, random: Random) -> list[SensiblePolicy]:
    """Return heuristic bots with different preferences. They use no learned weights, so a training does not
    depend on an earlier training."""
    tastes = random.choices((PLAIN, PLAIN, *TASTES.values()), k=players)
    return [SensiblePolicy(random.getrandbits(32), taste) for taste in tastes]


def thinkers(players: int, random: Random) -> list[SearchingPolicy]:
    """Return bots with different preferences that search with LITTLE effort and without a time limit."""
    tastes = random.choices((PLAIN, *TASTES.values()), k=players)
    return [SearchingPolicy(random.getrandbits(32), LITTLE, taste) for taste in tastes]
