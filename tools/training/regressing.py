"""Weights that foretell what a search finds: linear, and about the differences within a decision alone.

Each is the sum of one that all of a kind share, and of one of its own, which is drawn back to nought: what was
seen seldom stays near all others.
"""

from collections.abc import Sequence
from typing import Final

import numpy

from .findings import SearchedChoice

HOLD: Final = 100.0
"""How much what is its own is drawn back to nought: as so many rows of the size of one would."""
BEGUN: Final = 1.0
"""How much what is shared is drawn to where it begins."""


def regress(found: Sequence[SearchedChoice], begin: Sequence[float]) -> dict[str, list[float]]:
    """The weights by the name they go by, of the least squares; what they share begins with these."""
    keys = sorted({key for finding in found for key in finding.keys if key})
    width = len(begin)
    places = {key: width * number for number, key in enumerate(keys, 1)}
    products = numpy.diag([BEGUN] * width + [HOLD] * width * len(keys))
    sums = numpy.concatenate([BEGUN * numpy.array(begin), numpy.zeros(width * len(keys))])
    for finding in found:
        known = list(dict.fromkeys(filter(None, finding.keys)))
        columns = [*range(width), *(column for key in known for column in range(places[key], places[key] + width))]
        rows = numpy.zeros((len(finding.keys), len(columns)))
        for line, (key, numbers) in enumerate(zip(finding.keys, finding.numbers, strict=True)):
            if key:
                own = width * (1 + known.index(key))
                rows[line, :width] = rows[line, own : own + width] = numbers
        rows -= rows.mean(axis=0)
        products[numpy.ix_(columns, columns)] += rows.T @ rows
        sums[columns] += rows.T @ numpy.array(finding.found)
    shared, *own_ones = numpy.split(numpy.linalg.solve(products, sums), 1 + len(keys))
    return {key: [float(weight) for weight in shared + own] for key, own in zip(keys, own_ones, strict=True)}
