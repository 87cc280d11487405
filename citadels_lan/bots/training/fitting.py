"""Weights that foretell who wins: a logistic regression between the seats of a table."""

from collections.abc import Sequence
from typing import Final

import numpy
from numpy.typing import NDArray
from scipy.optimize import minimize

from citadels_lan.bots.search.value import Weights

from .lessons import Lesson

HOLD: Final = 1e-4
"""How much weights are drawn back towards nought."""
LEAST: Final = 0.25
"""A feature that is smaller at the mean is not brought to a size of one: it is seldom there."""
Numbers = NDArray[numpy.float64]


def fit(lessons: Sequence[Lesson]) -> Weights:
    """The weights at the beginning and at the end of a game under which these winners are likeliest."""
    features = numpy.array([row for _, seats, _ in lessons for row in seats])
    scale = 1 / numpy.maximum(LEAST, numpy.sqrt(numpy.mean(features**2, axis=0)))
    sizes = numpy.array([len(seats) for _, seats, _ in lessons])
    done = numpy.repeat([done for done, _, _ in lessons], sizes)[:, None]
    rows = numpy.hstack([features * scale * (1 - done), features * scale * done])
    won = numpy.concatenate([parts for _, _, parts in lessons])
    begin = numpy.zeros(rows.shape[1])
    found = minimize(_loss, begin, args=(rows, won, sizes), jac=True, method="L-BFGS-B")
    early, late = numpy.split(found.x, 2)
    return tuple(map(float, early * scale)), tuple(map(float, late * scale))


def _loss(weights: Numbers, rows: Numbers, won: Numbers, sizes: NDArray[numpy.int_]) -> tuple[float, Numbers]:
    """How badly these weights foretell who has won, for a table at the mean, and how that changes with each."""
    first = numpy.cumsum(sizes) - sizes
    strengths = rows @ weights
    strengths -= numpy.repeat(numpy.maximum.reduceat(strengths, first), sizes)
    totals = numpy.repeat(numpy.add.reduceat(numpy.exp(strengths), first), sizes)
    logarithms = strengths - numpy.log(totals)
    slopes = rows.T @ (numpy.exp(logarithms) - won) / len(sizes)
    loss = -float(won @ logarithms) / len(sizes) + HOLD * float(weights @ weights)
    return loss, slopes + 2 * HOLD * weights
