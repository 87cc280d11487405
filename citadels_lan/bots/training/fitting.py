"""Weights that foretell who wins: a logistic regression between the seats of a table, by stochastic gradient."""

from collections.abc import Sequence
from operator import mul
from random import Random
from typing import Final

from citadels_lan.bots.search.features import NAMES
from citadels_lan.bots.search.value import Weights, softmax

from .lessons import Lesson

PASSES: Final = 12
STEP: Final = 0.15
"""How far the first steps go; each weight's later ones the less, the more it has moved (AdaGrad)."""
HOLD: Final = 1e-4
"""How much weights are drawn back towards nought."""


def fit(lessons: Sequence[Lesson], seed: int) -> Weights:
    """The weights at the beginning and at the end of a game under which these winners are likely."""
    count = len(NAMES)
    scale = _scale(lessons)
    rows = [(_rows(done, seats, scale), parts) for done, seats, parts in lessons]
    weights, moved = [0.0] * 2 * count, [1e-6] * 2 * count
    random = Random(seed)
    for _ in range(PASSES):
        random.shuffle(rows)
        for seats, parts in rows:
            found = softmax([sum(map(mul, weights, row)) for row in seats])
            errors = [part - chance for part, chance in zip(parts, found, strict=True)]
            slopes = [sum(map(mul, errors, column)) for column in zip(*seats, strict=True)]
            for index, slope in enumerate(slopes):
                if slope:
                    moved[index] += slope * slope
                    weights[index] += STEP * slope / moved[index] ** 0.5 - HOLD * STEP * weights[index]
    unscaled = [weight * scale[index % count] for index, weight in enumerate(weights)]
    return tuple(unscaled[:count]), tuple(unscaled[count:])


def _scale(lessons: Sequence[Lesson]) -> list[float]:
    """What brings each feature to a size of about one."""
    columns = zip(*(row for _, seats, _ in lessons for row in seats), strict=True)
    return [1 / max(0.25, (sum(map(mul, column, column)) / len(column)) ** 0.5) for column in columns]


def _rows(done: float, seats: Sequence[Sequence[float]], scale: Sequence[float]) -> list[list[float]]:
    rows = []
    for features in seats:
        late = [value * done for value in map(mul, features, scale)]
        early = [value * (1 - done) for value in map(mul, features, scale)]
        rows.append(early + late)
    return rows
