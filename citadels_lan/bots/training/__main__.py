"""Make the weights anew, or those of some groups: `python -m citadels_lan.bots.training --help`."""

import argparse
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Final

from msgspec import json

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.search import value
from citadels_lan.bots.search.features import NAMES
from citadels_lan.bots.search.value import Weights, group
from citadels_lan.bots.thumb.taste import PLAIN, TASTES
from citadels_lan.engine import EDITIONS, from_scenario
from citadels_lan.systems.process import end_with_parent

from .fitting import fit
from .lessons import Lesson, game

TABLES: Final[Mapping[str, tuple[int, ...]]] = {
    f"{edition}/{size}": tuple(
        players for players in played.players if group(edition, players) == f"{edition}/{size}"
    )
    for edition, played in EDITIONS.items()
    for size in (2, 3, 4, 7)
}
"""The numbers of players of each group."""
WEIGHTS: Final = Path(value.__file__).with_name("weights.json")


def learned(name: str, games: int, seed: str) -> Weights:
    """The weights of a group, from so many games of players of thumb."""
    lessons: list[Lesson] = []
    edition = EDITIONS[name.split("/", maxsplit=1)[0]]
    for number in range(games):
        random = Random(f"{seed}/{name}/{number}")
        players = TABLES[name][number % len(TABLES[name])]
        config = from_scenario(edition.ways[-1 if number % 2 else 0], players, edition_key=edition.key)
        tastes = random.choices((PLAIN, PLAIN, *TASTES.values()), k=players)
        seats = [SensiblePolicy(random.getrandbits(32), taste) for taste in tastes]
        lessons += game(config, seats, f"{seed}/{name}/{number}")
    return fit(lessons, seed=games)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn what a table is worth, and write the weights.")
    parser.add_argument("--games", type=int, default=1000, help="games for each group")
    parser.add_argument("--seed", default="lessons")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("groups", nargs="*", choices=[*TABLES, []], help="all, where none is named")
    options = parser.parse_args()
    found = json.decode(WEIGHTS.read_bytes()) if WEIGHTS.exists() else {}
    names = options.groups or list(TABLES)
    with ProcessPoolExecutor(options.jobs, initializer=end_with_parent) as pool:
        tasks = {name: pool.submit(learned, name, options.games, options.seed) for name in names}
        for name, task in tasks.items():
            pairs = zip(*task.result(), strict=True)
            found[name] = {
                feature: [round(early, 3), round(late, 3)]
                for feature, (early, late) in zip(NAMES, pairs, strict=True)
            }
            WEIGHTS.write_bytes(json.format(json.encode(found)) + b"\n")
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
