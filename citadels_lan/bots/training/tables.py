"""The tables that bots learn at, and who sits there."""

from collections.abc import Mapping
from random import Random
from typing import Final

from citadels_lan.bots.search.value import LARGE, group
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import PLAIN, TASTES
from citadels_lan.engine import EDITIONS, TableConfig, from_scenario
from citadels_lan.engine.flow.cycles import Cycles

GROUPS: Final[Mapping[str, tuple[int, ...]]] = {
    f"{edition}/{size}": tuple(
        players for players in played.players if group(edition, players) == f"{edition}/{size}"
    )
    for edition, played in EDITIONS.items()
    for size in (2, 3, 4, LARGE)
    if size == 4 or not isinstance(played.flow, Cycles)
}
"""The numbers of players of each group of weights. In a city that everybody builds games of players of thumb are
long: there is one group."""


def table(name: str, number: int) -> TableConfig:
    """The table of a game of a group: every other one has its characters and districts by chance, where an edition
    leaves a choice."""
    edition = EDITIONS[name.split("/", maxsplit=1)[0]]
    players = GROUPS[name][number // 2 % len(GROUPS[name])]
    return from_scenario(edition.ways[-1 if number % 2 else 0], players, edition_key=edition.key)


def seats(players: int, random: Random) -> list[SensiblePolicy]:
    """Players of thumb of any taste. None of them has learned anything: what comes of a training has no part in
    it."""
    tastes = random.choices((PLAIN, PLAIN, *TASTES.values()), k=players)
    return [SensiblePolicy(random.getrandbits(32), taste) for taste in tastes]
