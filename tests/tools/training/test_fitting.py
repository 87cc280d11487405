"""Weights are found again under which games were won."""

from random import Random

import pytest

from citadels_lan.bots.search.value import NAMES, softmax
from tools.training.fitting import corrections, fit
from tools.training.lessons import Lesson

POINTS, GOLD = NAMES.index("points"), NAMES.index("gold_8")


def lesson(random: Random) -> Lesson:
    """Early gold wins and nothing else, and in the end points do."""
    done = random.random()
    seats = [[0.0] * len(NAMES) for _ in range(4)]
    for seat in seats:
        seat[POINTS], seat[GOLD] = 10 * random.random(), 4 * random.random()
    strengths = [0.3 * done * seat[POINTS] + 0.5 * (1 - done) * seat[GOLD] for seat in seats]
    (winner,) = random.choices(range(4), weights=softmax(strengths))
    return done, seats, [float(seat == winner) for seat in range(4)]


@pytest.mark.slow
def test_weights_are_found_again() -> None:
    random = Random(1)
    early, late = fit([lesson(random) for _ in range(6000)])
    assert early[POINTS] == pytest.approx(0, abs=0.05)
    assert late[POINTS] == pytest.approx(0.3, abs=0.05)
    assert early[GOLD] == pytest.approx(0.5, abs=0.1)
    assert late[GOLD] == pytest.approx(0, abs=0.1)
    assert not any(late[index] for index, _ in enumerate(NAMES) if index not in {POINTS, GOLD})


@pytest.mark.slow
def test_a_shared_victory_counts_in_parts() -> None:
    """Two of two share what they did not earn: no feature says who wins."""
    rows = [[float(index == seat) for index in range(len(NAMES))] for seat in range(2)]
    early, late = fit([(0.5, rows, [0.5, 0.5])] * 50)
    assert early[:2] == pytest.approx((0, 0), abs=1e-6)
    assert late[:2] == pytest.approx((0, 0), abs=1e-6)


@pytest.mark.slow
def test_what_is_known_needs_no_correction() -> None:
    lessons = [lesson(random) for random in (Random(1),) for _ in range(6000)]
    known = fit(lessons)
    early, late = corrections([(one, known) for one in lessons], 1e-4)
    assert [*early, *late] == pytest.approx([0.0] * 2 * len(NAMES), abs=0.02)


@pytest.mark.slow
def test_what_is_missing_is_found_as_far_as_it_is_let() -> None:
    """Of weights that know all but what gold is worth early; the tighter they are held, the less is corrected."""
    lessons = [lesson(random) for random in (Random(1),) for _ in range(6000)]
    early, late = fit(lessons)
    ignorant = (*early[:GOLD], 0.0, *early[GOLD + 1 :]), late
    free, held = (corrections([(one, ignorant) for one in lessons], hold)[0][GOLD] for hold in (1e-4, 0.1))
    assert free == pytest.approx(early[GOLD], abs=0.05)
    assert 0 < held < free / 2
