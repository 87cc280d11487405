"""Weights that foretell what a search finds: linear, and about the differences within a decision alone.

They begin with what rules of thumb say, and are drawn back to that: what was seen seldom stays near it.
"""

from collections.abc import Sequence
from operator import mul
from random import Random
from typing import Final

from .findings import SearchedChoice

PASSES: Final = 30
STEP: Final = 0.02
"""How far the first steps go; each weight's later ones the less, the more it has moved (AdaGrad)."""
HOLD: Final = 2e-3
"""How much weights are drawn back to where they began."""


def regress(found: Sequence[SearchedChoice], begin: Sequence[float], seed: int) -> dict[str, list[float]]:
    """The weights by the name they go by; each of them begins with the same."""
    keys = sorted({key for finding in found for key in finding.keys if key})
    weights = {key: list(begin) for key in keys}
    moved = {key: [1e-4] * len(begin) for key in keys}
    shuffled, random = list(found), Random(seed)
    for _ in range(PASSES):
        random.shuffle(shuffled)
        for finding in shuffled:
            guesses = [
                sum(map(mul, weights[key], row)) if key else 0.0
                for key, row in zip(finding.keys, finding.numbers, strict=True)
            ]
            errors = [value - guess for value, guess in zip(finding.found, guesses, strict=True)]
            mean = sum(errors) / len(errors)
            for key, row, error in zip(finding.keys, finding.numbers, errors, strict=True):
                if key:
                    _move(weights[key], begin, moved[key], row, error - mean)
    return weights


def _move(
    weights: list[float], begin: Sequence[float], moved: list[float], row: Sequence[float], error: float
) -> None:
    for index, number in enumerate(row):
        if number:
            slope = error * number - HOLD * (weights[index] - begin[index])
            moved[index] += slope * slope
            weights[index] += STEP * slope / moved[index] ** 0.5
