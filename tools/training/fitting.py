"""Fit weights that predict the winner: a logistic regression over the seats of a table."""

from collections.abc import Sequence
from typing import Final

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from citadels_lan.bots.search.value import Weights

from .lessons import Lesson

HOLD: Final = 1e-4
"""How strongly weights are kept near their starting values."""
LEAST: Final = 0.25
"""A feature with a mean below this is rare, and is not scaled to a mean of one."""
Numbers = NDArray[numpy.float64]


class LessonRows(Struct, frozen=True):
    """A training example: the features of each seat, the known strength of each seat, and the share of the
    victory that each seat had."""

    rows: Numbers
    strengths: Numbers
    parts: Numbers


def fit(lessons: Sequence[Lesson]) -> Weights:
    """Return two sets of weights, for the beginning and for the end of a game, that make the winners in these
    training examples most likely."""
    width = len(lessons[0][1][0])
    nothing = (0.0,) * width, (0.0,) * width
    return corrections([(lesson, nothing) for lesson in lessons], HOLD)


def corrections(lessons: Sequence[tuple[Lesson, Weights]], hold: float) -> Weights:
    """Return the numbers to add to the weights of the training examples, so that their winners become most
    likely. `hold`: how strongly these numbers are kept near 0."""
    from scipy.optimize import minimize  # half a second to import

    tables = [_rows(lesson, weights) for lesson, weights in lessons]
    sizes = numpy.array([len(table.parts) for table in tables])
    rows = numpy.concatenate([table.rows for table in tables])
    known = numpy.concatenate([table.strengths for table in tables])
    won = numpy.concatenate([table.parts for table in tables])
    half = rows.shape[1] // 2
    size = numpy.sqrt(numpy.mean((rows[:, :half] + rows[:, half:]) ** 2, axis=0))
    scale = numpy.tile(1 / numpy.maximum(LEAST, size), 2)
    begin = numpy.zeros(len(scale))
    found = minimize(_loss, begin, args=(rows * scale, known, won, sizes, hold), jac=True, method="L-BFGS-B")
    early, late = numpy.split(found.x * scale, 2)
    return tuple(map(float, early)), tuple(map(float, late))


def _rows(lesson: Lesson, weights: Weights) -> LessonRows:
    done, seats, parts = lesson
    features = numpy.array(seats)
    rows = numpy.hstack([features * (1 - done), features * done])
    return LessonRows(rows, rows @ numpy.concatenate(weights), numpy.array(parts))


def _loss(
    weights: Numbers, rows: Numbers, known: Numbers, won: Numbers, sizes: NDArray[numpy.int_], hold: float
) -> tuple[float, Numbers]:
    """Return the mean loss of these weights over all examples, and its gradient."""
    first = numpy.cumsum(sizes) - sizes
    strengths = known + rows @ weights
    strengths -= numpy.repeat(numpy.maximum.reduceat(strengths, first), sizes)
    totals = numpy.repeat(numpy.add.reduceat(numpy.exp(strengths), first), sizes)
    logarithms = strengths - numpy.log(totals)
    slopes = rows.T @ (numpy.exp(logarithms) - won) / len(sizes)
    loss = -float(won @ logarithms) / len(sizes) + hold * float(weights @ weights)
    return loss, slopes + 2 * hold * weights
