"""Weights that foretell what a search finds: linear, and about the differences within a decision alone.

Each is the sum of one that all of a kind share, which begins with what rules of thumb say, and of one of its own,
which is drawn back to nought: what was seen seldom stays near all others.
"""

from collections.abc import Sequence
from operator import add, mul
from random import Random
from typing import Final

from .findings import SearchedChoice

PASSES: Final = 10
STEP: Final = 0.02
"""How far the first steps go; each weight's later ones the less, the more it has moved (AdaGrad)."""
HOLD: Final = 5e-3
"""How much what is its own is drawn back to nought."""
UNMOVED: Final = 1e-4


def regress(found: Sequence[SearchedChoice], begin: Sequence[float], seed: int) -> dict[str, list[float]]:
    """The weights by the name they go by; what they share begins with the same."""
    shared, own = Fitted(begin), dict[str, Fitted]()
    for key in sorted({key for finding in found for key in finding.keys if key}):
        own[key] = Fitted([0.0] * len(begin), HOLD)
    shuffled, random = list(found), Random(seed)
    for _ in range(PASSES):
        random.shuffle(shuffled)
        for finding in shuffled:
            guesses = [
                own[key].at(row) + shared.at(row) if key else 0.0
                for key, row in zip(finding.keys, finding.numbers, strict=True)
            ]
            errors = [value - guess for value, guess in zip(finding.found, guesses, strict=True)]
            mean = sum(errors) / len(errors)
            for key, row, error in zip(finding.keys, finding.numbers, errors, strict=True):
                if key:
                    own[key].move(row, error - mean)
                    shared.move(row, error - mean)
    return {key: list(map(add, weights.values, shared.values)) for key, weights in own.items()}


class Fitted:
    """Weights that are being fitted, and how far each of them has been moved."""

    def __init__(self, begin: Sequence[float], hold: float = 0.0) -> None:
        self.values = list(begin)
        self._moved = [UNMOVED] * len(begin)
        self._hold = hold

    def at(self, row: Sequence[float]) -> float:
        """What they foretell of these numbers."""
        return float(sum(map(mul, self.values, row)))

    def move(self, row: Sequence[float], error: float) -> None:
        """Nearer to what would have foretold better."""
        for index, number in enumerate(row):
            if number:
                slope = error * number - self._hold * self.values[index]
                self._moved[index] += slope * slope
                self.values[index] += STEP * slope / self._moved[index] ** 0.5
