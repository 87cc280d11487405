"""Sequential halving: which of several candidates is best, by trials that are the same for all of them."""

from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import TypeVar

C = TypeVar("C")


def race(candidates: Sequence[C], trial: Callable[[C, int], float], budget: int, late: Callable[[], bool]) -> C:
    """The candidate with the best mean, after about `budget` trials at most.

    The trials go in stages of as many each; after a stage the better half goes on. `trial` tells what a candidate
    came to in the trial of a number: whoever is still in the race has had the same trials. Once it is `late`, the
    race is over after the trial being run; a trial not yet run for all counts for nobody.
    """
    racing = list(candidates)
    totals = dict.fromkeys(range(len(racing)), 0.0)
    alive = list(range(len(racing)))
    stages = max(1, ceil(log2(len(racing))))
    number = 0
    for _ in range(stages):
        for _ in range(max(1, budget // (stages * len(alive)))):
            found = []
            for index in alive:
                if late():
                    return racing[max(alive, key=totals.__getitem__)]
                found.append(trial(racing[index], number))
            for index, value in zip(alive, found, strict=True):
                totals[index] += value
            number += 1
        alive = sorted(alive, key=totals.__getitem__, reverse=True)[: ceil(len(alive) / 2)]
    return racing[alive[0]]
