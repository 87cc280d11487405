"""Compute new weights: `python -m tools.training --help`."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from operator import add
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from msgspec import json

from citadels_lan.bots.heuristics import learned
from citadels_lan.bots.search import value
from citadels_lan.bots.search.value import NAMES, Weights, all_weights
from citadels_lan.platform.process import end_with_parent

from .findings import SearchedChoice, findings
from .lessons import Lesson, lessons
from .subjects import SUBJECTS
from .tables import CALLING, DRAFTING, GROUPS, THOUGHTFUL, seats, table, thinkers

try:
    from .fitting import corrections, fit
    from .regressing import regress
except ModuleNotFoundError as missing:
    sys.exit(f"Training needs {missing.name}: `pip install 'citadels-lan[training]'` installs it.")

T = TypeVar("T")

WEIGHTS: Final = Path(value.__file__).with_name("weights.json")
LEARNED: Final = Path(learned.__file__).with_name("learned.json")
BY_CHANCE: Final = 1
CHOOSING: Final = (
    ("2016/4", BY_CHANCE), ("dark_city/4", BY_CHANCE), ("2016/4", 0), ("classic/4", BY_CHANCE),
    ("dark_city/4", BY_CHANCE), ("2016/7", BY_CHANCE), ("2016/4", BY_CHANCE), ("dark_city/4", 0),
    ("2016/3", BY_CHANCE), ("2016/2", BY_CHANCE),
)  # fmt: skip
"""The groups of tables at which choices are learned, one table after another. Most tables have a random cast,
so that rare characters also occur."""
SELDOM: Final = 0.03
"""The share of random moves in games of bots that search."""
HOLD: Final = 0.03
"""How strongly corrections of weights are kept near 0 (see `fitting.corrections`)."""
DIGITS: Final = 4


def _lessons(name: str, seed: str, number: int) -> list[Lesson]:
    key = f"{seed}/{name}/{number}"
    config = table(name, number)
    return lessons(config, seats(config.players, Random(key)), key)


def _harder_lessons(seed: str, number: int) -> list[tuple[str, Lesson]]:
    """Return the training examples from game `number` of bots that search, each with the name of its
    group."""
    turn, place = divmod(number, len(THOUGHTFUL))
    name, key = THOUGHTFUL[place], f"{seed}/{number}"
    config = table(name, turn)
    found = lessons(config, thinkers(config.players, Random(key)), key, SELDOM)
    return [(name, lesson) for lesson in found]


def _findings(seed: str, number: int) -> list[SearchedChoice]:
    turn, place = divmod(number, len(CHOOSING))
    name, by_chance = CHOOSING[place]
    return list(findings(table(name, 2 * turn + by_chance), f"{seed}/{number}"))


def _all(play: Callable[[int], list[T]], numbers: Sequence[int], jobs: int) -> list[T]:
    """Call `play` with each number, on `jobs` processes. Return all training examples in order of the
    numbers."""
    with ProcessPoolExecutor(jobs, initializer=end_with_parent) as pool:
        return [found for each in pool.map(play, numbers, chunksize=5) for found in each]


def _write(path: Path, content: object) -> None:
    path.write_bytes(json.format(json.encode(content)) + b"\n")


def _named(names: Sequence[str], weights: Sequence[float]) -> dict[str, float]:
    return {name: round(weight, DIGITS) for name, weight in zip(names, weights, strict=True)}


def _write_values(found: Mapping[str, Weights]) -> None:
    """Write the weights of these groups to the file. The weights of other groups stay unchanged."""
    known = json.decode(WEIGHTS.read_bytes()) if WEIGHTS.exists() else {}
    for name, (early, late) in found.items():
        pairs = [[round(weight, DIGITS) for weight in pair] for pair in zip(early, late, strict=True)]
        known[name] = {feature: pair for feature, pair in zip(NAMES, pairs, strict=True) if any(pair)}
    _write(WEIGHTS, dict(sorted(known.items())))


def values(groups: Sequence[str], games: int, seed: str, jobs: int) -> None:
    """For each of these groups, fit the weights that predict the winner from a position."""
    for name in groups:
        _write_values({name: fit(_all(partial(_lessons, name, seed), range(games), jobs))})
        sys.stdout.write(f"{name}\n")


def refine(groups: Sequence[str], games: int, seed: str, jobs: int) -> None:
    """Correct the weights that predict the winner, by new games at the tables of these groups. In these games
    bots search with the present weights."""
    for alike in (DRAFTING, CALLING):
        names = sorted(alike.intersection(groups))
        numbers = [number for number in range(games) if THOUGHTFUL[number % len(THOUGHTFUL)] in names]
        if numbers:
            known = {name: all_weights()[name] for name in names}
            found = _all(partial(_harder_lessons, seed), numbers, jobs)
            more = corrections([(lesson, known[name]) for name, lesson in found], HOLD)
            _write_values({name: _sum(weights, more) for name, weights in known.items()})
            sys.stdout.write(f"{', '.join(names)}\n")


def _sum(one: Weights, other: Weights) -> Weights:
    early, late = (tuple(map(add, these, those)) for these, those in zip(one, other, strict=True))
    return early, late


def choices(games: int, seed: str, jobs: int) -> None:
    """Fit the weights for picking characters, destroying districts, and gathering gold."""
    found = _all(partial(_findings, seed), range(games), jobs)
    learned_now = {}
    for kind, subject in SUBJECTS.items():
        begin = [subject.begin.get(name, 0.0) for name in subject.names]
        weights = regress([one for one in found if one.kind == kind], begin)
        learned_now[kind] = {key: _named(subject.names, row) for key, row in weights.items()}
    _write(LEARNED, learned_now)
    sys.stdout.write(f"{len(found)} decisions\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.training", description=__doc__)
    parser.add_argument("what", choices=["values", "choices", "refine"])
    groups = (
        "an edition and its players, as 2016/4, for values (all if none) and refine (all with a draft if none)"
    )
    parser.add_argument("groups", nargs="*", help=groups)
    parser.add_argument("--games", type=int, default=3000, help="how many; of values, for each group")
    parser.add_argument("--seed", default="training")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    known = {"values": set(GROUPS), "refine": set(THOUGHTFUL)}.get(options.what, set())
    if unknown := set(options.groups) - known:
        parser.error(
            f"{options.what} knows no {', '.join(sorted(unknown))}, but: {', '.join(sorted(known)) or 'none'}"
        )
    if options.games < 1 or options.jobs < 1:
        parser.error("there must be a game at least, and a job")
    if options.what == "choices":
        choices(options.games, options.seed, options.jobs)
    elif options.what == "refine":
        refine(options.groups or sorted(DRAFTING), options.games, options.seed, options.jobs)
    else:
        values(options.groups or list(GROUPS), options.games, options.seed, options.jobs)


if __name__ == "__main__":
    main()
