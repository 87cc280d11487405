"""Training examples from games, and the weights that are fitted to them."""

from random import Random

import pytest

from citadels_lan.bots.search.value import NAMES, softmax
from tools.training.fitting import fit
from tools.training.lessons import Lesson, lessons
from tools.training.tables import seats, table


def test_each_round_becomes_a_training_example_with_the_winners() -> None:
    config = table("2016/4", 0)
    found = lessons(config, seats(config.players, Random(1)), "a seed")
    assert len(found) > 3
    assert all(0 <= done <= 1 for done, _, _ in found)
    assert all(len(row) == len(NAMES) for _, rows, _ in found for row in rows)
    assert len({tuple(parts) for _, _, parts in found}) == 1
    assert sum(found[0][2]) == 1


# Weights


POINTS, GOLD = NAMES.index("points"), NAMES.index("gold_8")


def lesson(random: Random) -> Lesson:
    """Return a made-up training example: early in a game only gold makes a seat win, late only points do."""
    done = random.random()
    seats = [[0.0] * len(NAMES) for _ in range(4)]
    for seat in seats:
        seat[POINTS], seat[GOLD] = 10 * random.random(), 4 * random.random()
    strengths = [0.3 * done * seat[POINTS] + 0.5 * (1 - done) * seat[GOLD] for seat in seats]
    (winner,) = random.choices(range(4), weights=softmax(strengths))
    return done, seats, [float(seat == winner) for seat in range(4)]


@pytest.mark.slow
def test_fit_of_generated_games_recovers_their_weights() -> None:
    random = Random(1)
    early, late = fit([lesson(random) for _ in range(6000)])
    assert early[POINTS] == pytest.approx(0, abs=0.05)
    assert late[POINTS] == pytest.approx(0.3, abs=0.05)
    assert early[GOLD] == pytest.approx(0.5, abs=0.1)
    assert late[GOLD] == pytest.approx(0, abs=0.1)
    assert not any(late[index] for index, _ in enumerate(NAMES) if index not in {POINTS, GOLD})
