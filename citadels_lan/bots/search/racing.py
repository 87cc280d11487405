"""Which of several candidates is best, by trials that are the same for all of them: sequential halving, in which
whoever is surely no better than the best drops out at once."""

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from typing import Final, TypeVar

C = TypeVar("C")

ENOUGH: Final = 8
"""After so many trials something may be sure."""
SURE: Final = 2.5
"""A mean is within so many of its own standard errors."""
HAIR: Final = 0.003
"""To be better by less is not worth a trial."""


def race(candidates: Sequence[C], trial: Callable[[C, int], float], budget: int, late: Callable[[], bool]) -> C:
    """The candidate with the best mean, after about `budget` trials at most.

    The trials go in stages of as many each; after a stage the better half goes on. `trial` tells what a candidate
    came to in the trial of a number: whoever is still in the race has had the same trials. The race is over when
    one is left, or once it is `late`, after the trial being run; a trial not yet run for all counts for nobody.
    """
    found: list[list[float]] = [[] for _ in candidates]
    alive = list(range(len(candidates)))
    going_on = len(alive)
    stages = max(1, ceil(log2(len(candidates))))
    for _ in range(stages):
        for _ in range(max(1, budget // (stages * len(alive)))):
            values = []
            for index in alive:
                if late():
                    return candidates[_best(found, alive)]
                values.append(trial(candidates[index], len(found[index])))
            for index, value in zip(alive, values, strict=True):
                found[index].append(value)
            alive = _maybe_better(found, alive)
            if len(alive) == 1:
                return candidates[alive[0]]
        going_on = ceil(going_on / 2)
        alive = sorted(alive, key=lambda index: sum(found[index]), reverse=True)[:going_on]
    return candidates[alive[0]]


def _best(found: Sequence[Sequence[float]], alive: Sequence[int]) -> int:
    return max(alive, key=lambda index: sum(found[index]))


def _maybe_better(found: Sequence[Sequence[float]], alive: Sequence[int]) -> list[int]:
    """The best so far and those that may be better than it, in their order."""
    if len(found[alive[0]]) < ENOUGH:
        return list(alive)
    best = _best(found, alive)
    return [index for index in alive if index == best or _lead(found[index], found[best]) > HAIR]


def _lead(values: Sequence[float], best: Sequence[float]) -> float:
    """By how much the mean of these may surpass the best one's at most; the trials are the same for both."""
    many = len(values)
    gaps = [high - low for low, high in zip(values, best, strict=True)]
    mean = sum(gaps) / many
    spread = sum((gap - mean) ** 2 for gap in gaps) / (many - 1)
    return SURE * sqrt(spread / many) - mean
