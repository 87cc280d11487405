"""Weights that foretell what a search finds: linear, and about the differences within a decision alone."""

from collections.abc import Sequence
from operator import mul
from random import Random
from typing import Final

from .findings import SearchedChoice

PASSES: Final = 30
STEP: Final = 0.02
"""How far the first steps go; each weight's later ones the less, the more it has moved (AdaGrad)."""
HOLD: Final = 2e-3
"""How much weights are drawn back towards nought."""


def regress(found: Sequence[SearchedChoice], seed: int) -> dict[str, list[float]]:
    """The weights by the name they go by."""
    count = len(found[0].numbers[0])
    keys = sorted({key for finding in found for key in finding.keys if key})
    weights = {key: [0.0] * count for key in keys}
    moved = {key: [1e-4] * count for key in keys}
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
                    _move(weights[key], moved[key], row, error - mean)
    return weights


def _move(weights: list[float], moved: list[float], row: Sequence[float], error: float) -> None:
    for index, number in enumerate(row):
        if number:
            slope = error * number - HOLD * weights[index]
            moved[index] += slope * slope
            weights[index] += STEP * slope / moved[index] ** 0.5
