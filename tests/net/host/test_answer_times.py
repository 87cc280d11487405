"""Nobody can tell from the time of an answer whether a marker counts: measured over sockets (`answering.py`)."""

import random
from pathlib import Path

import pytest

from tests.net.distributions import kolmogorov_smirnov, permutation_of_means
from tools.answering import ALPHA, HELD, SECRETS, told_apart


@pytest.mark.slow
@pytest.mark.parametrize("verb", list(SECRETS))
@pytest.mark.long
async def test_500_answers_look_alike(tmp_path: Path, verb: str) -> None:
    found = await told_apart(tmp_path, verb, 500, HELD)
    assert min(found[-1]) >= ALPHA, found


@pytest.mark.slow
async def test_without_the_holding_they_do_not(tmp_path: Path) -> None:
    found = await told_apart(tmp_path, "confiscate", 60, 0.0, runs=1)
    assert max(found[0]) < ALPHA, found


# The tests themselves


def groups(seed: int, shift: float, wide: float = 1.0) -> tuple[list[float], list[float]]:
    dice = random.Random(seed)
    return [dice.gauss(0, 1) for _ in range(500)], [dice.gauss(shift, wide) for _ in range(500)]


@pytest.mark.slow
def test_what_is_alike_is_rarely_rejected() -> None:
    rejected = [kolmogorov_smirnov(*groups(seed, 0.0)) < 0.05 for seed in range(100)]
    assert sum(rejected) <= 14
    rejected = [permutation_of_means(*groups(seed, 0.0), random.Random(seed), 60) < 0.05 for seed in range(20)]
    assert sum(rejected) <= 5


def test_what_differs_is_rejected() -> None:
    assert kolmogorov_smirnov(*groups(1, 0.4)) < ALPHA
    assert kolmogorov_smirnov(*groups(1, 0.0, 2.0)) < ALPHA
    assert permutation_of_means(*groups(1, 0.4), random.Random(1), 300) < ALPHA


def test_a_known_value() -> None:
    """The distance of these is 1/2: 2 (e^-2x² - e^-8x² + …) at x = (√5 + 0.12 + 0.11/√5) / 2."""
    one, other = [float(n) for n in range(10)], [float(n) for n in range(5, 15)]
    assert kolmogorov_smirnov(one, other) == pytest.approx(0.1108, abs=0.0001)
