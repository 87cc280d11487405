"""The best of several, by trials that are the same for all."""

from collections import defaultdict

from citadels_lan.bots.search.searching import ENOUGH, race
from tests.effort import one_case


def never() -> bool:
    return False


@one_case("count", [2, 3, 5, 8, 10])
def test_it_finds_the_best_where_trials_do_not_lie(count: int) -> None:
    for best in range(count):
        assert race(range(count), lambda index, number, best=best: float(index == best), 60, never) == best  # type: ignore[misc]


def test_it_finds_the_best_where_worlds_differ_more_than_candidates() -> None:
    def trial(index: int, number: int) -> float:
        return 10.0 * (number % 3) + 0.1 * index

    assert race(range(6), trial, 40, never) == 5


def test_whoever_is_still_in_the_race_has_had_the_same_trials() -> None:
    tried = defaultdict[int, list[int]](list)

    def trial(index: int, number: int) -> float:
        tried[index].append(number)
        return index * (0.1 + (10.0, -10.0)[number % 2])

    race(range(8), trial, 96, never)
    assert tried[7] == list(range(len(tried[7])))
    assert all(numbers == tried[7][: len(numbers)] for numbers in tried.values())
    assert len(tried[0]) < len(tried[4]) < len(tried[7])


def test_whoever_is_surely_worse_drops_out_at_once() -> None:
    tried = defaultdict[int, list[int]](list)

    def trial(index: int, number: int) -> float:
        tried[index].append(number)
        return 10.0 * (number % 3) - 5.0 * (index > 1) + (0.1, -0.1)[(number + index) % 2]

    assert race(range(6), trial, 1000, never) in (0, 1)
    assert {len(tried[index]) for index in range(2, 6)} == {ENOUGH}, "surely worse in the same trials"
    assert len(tried[0]) > 300, "as good as the other: nobody is sure"


def test_whoever_is_always_as_good_is_not_waited_for() -> None:
    trials = []

    def trial(index: int, number: int) -> float:
        trials.append(number)
        return float(number % 3)

    assert race(range(5), trial, 1000, never) == 0
    assert len(trials) == 5 * ENOUGH


def test_a_race_that_is_settled_takes_no_more_trials() -> None:
    trials = []

    def trial(index: int, number: int) -> float:
        trials.append(number)
        return index + 0.1 * (number % 2)

    assert race(range(2), trial, 1000, never) == 1
    assert len(trials) == 2 * ENOUGH


@one_case("budget", [1, 20, 100])
def test_it_keeps_to_its_budget(budget: int) -> None:
    trials = []

    def trial(index: int, number: int) -> float:
        trials.append(number)
        return 0.0

    race(range(4), trial, budget, never)
    assert len(trials) <= max(budget, 4 + 2)


def test_when_it_is_late_the_race_is_over() -> None:
    trials: list[int] = []

    def trial(index: int, number: int) -> float:
        trials.append(index)
        return float(index == 2)

    assert race(range(4), trial, 1000, lambda: len(trials) > 9) == 2
    assert len(trials) == 10


def test_without_any_time_it_is_the_first() -> None:
    assert race("abc", lambda letter, number: 1.0, 100, lambda: True) == "a"
