"""Fit linear weights that predict the result of a search, from the differences between the candidates of one
decision.

The weight of a card is the sum of a common weight of all cards and a weight of this card alone. The latter is
kept near 0, so that rare cards stay close to the common weight.
"""

from collections.abc import Sequence
from typing import Final

import numpy

from .findings import SearchedChoice

HOLD: Final = 100.0
"""How strongly the weights of a single card are kept near 0: as strongly as this many rows of size one
would."""
BEGUN: Final = 1.0
"""How strongly the common weights are kept near their starting values, in the same unit as HOLD."""


def regress(found: Sequence[SearchedChoice], begin: Sequence[float]) -> dict[str, list[float]]:
    """Return the weights, by name of a card, that fit `found` best (least squares). The common weights start
    from `begin`."""
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
