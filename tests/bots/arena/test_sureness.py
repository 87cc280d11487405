"""Intervals and the sequential test say what they promise, measured on games of coins whose chances are known."""

from random import Random
from statistics import fmean

import pytest

from citadels_lan.bots.arena import Question
from citadels_lan.bots.arena.results import interval
from tests.effort import one_case, quick

GAMES = 4


def coins(chance: float, deals: int, random: Random, alike: float = 0.0) -> list[float]:
    """Shares of deals of four games. With `alike` a game ends as the first of its deal did."""
    found = []
    for _ in range(deals):
        first = random.random() < chance
        rest = [first if random.random() < alike else random.random() < chance for _ in range(GAMES - 1)]
        found.append(fmean((first, *rest)))
    return found


@one_case("chance", [0.03, 0.25, 0.5, 0.9], parts=2)
@pytest.mark.parametrize(("deals", "alike"), quick([(15, 0.0), (100, 0.0), (60, 0.7)], (15, 0.0)))
def test_the_interval_holds_the_truth_19_times_of_20(chance: float, deals: int, alike: float) -> None:
    random = Random(f"{chance} {deals} {alike}")
    held = 0
    for _ in range(1000):
        low, high = interval(coins(chance, deals, random, alike))
        assert 0 <= low <= high <= 1
        held += low <= chance <= high
    assert 900 <= held <= 995


def test_the_interval_narrows_with_more_deals_and_with_deals_that_vary_less() -> None:
    random = Random(1)
    few, many, alike = coins(0.3, 25, random), coins(0.3, 400, random), coins(0.3, 400, random, 0.9)
    widths = [high - low for low, high in (interval(s) for s in (few, alike, many))]
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] == pytest.approx(2 * 1.96 * (0.3 * 0.7 / 1600) ** 0.5, rel=0.2)


def test_the_interval_at_the_ends() -> None:
    low, high = interval([1.0] * 50)
    assert (round(high, 9), 0.9 < low < 0.96) == (1.0, True)
    assert interval([0.0] * 50) == pytest.approx((1 - high, 1 - low))
    assert interval([0.25] * 50) == (0.25, 0.25)  # who plays against itself has nothing to vary
    assert interval([0.25]) == (0.0, 1.0)


def ended(question: Question, chance: float, random: Random) -> tuple[str, int]:
    """The answer of a sequential test, and after how many deals."""
    shares: list[float] = []
    while True:
        shares += coins(chance, 1, random)
        answer = question.settled(shares)
        if answer is not None:
            return answer, len(shares)


@pytest.mark.parametrize(("share", "margin"), quick([(0.4, 0.1), (0.25, 0.08), (0.8, 0.1)], (0.8, 0.1)))
def test_the_sequential_test_is_wrong_once_in_20_at_most(share: float, margin: float) -> None:
    random = Random(f"{share}")
    question = Question(share, margin)
    enough = [ended(question, share, random) for _ in range(300)]
    too_little = [ended(question, share - margin, random) for _ in range(300)]
    assert sum(answer == "less" for answer, _ in enough) <= 21
    assert sum(answer == "at_least" for answer, _ in too_little) <= 21


def test_what_is_clear_is_settled_sooner() -> None:
    random, question = Random(2), Question(0.5, 0.1)
    lengths = {
        chance: fmean(ended(question, chance, random)[1] for _ in range(40)) for chance in (0.45, 0.5, 0.7, 0.95)
    }
    assert lengths[0.45] > lengths[0.5] > lengths[0.7] > lengths[0.95]
    assert lengths[0.95] < 25


def test_nothing_is_settled_by_a_few_deals_that_are_all_alike() -> None:
    question = Question(0.5, 0.1)
    assert question.settled([1.0] * 9) is None
    assert question.settled([1.0] * 40) == "at_least"
    assert question.settled([0.0] * 40) == "less"
    assert question.ratio([0.45] * 40) == pytest.approx(0)
    assert question.figures([1.0] * 40)["settled"] == "at_least"
