"""The levels of bots: their names, their tastes, and that a better one plays better."""

import pytest

from citadels_lan.bots import LEVELS, SUBSTITUTES, Policy, make_policy, make_substitute
from citadels_lan.bots.heuristics.values import TASTES
from citadels_lan.bots.levels import TASTEFUL_LEVELS
from citadels_lan.bots.search.searching import EXPERT, HARD
from citadels_lan.bots.simulation import run
from citadels_lan.engine import DEFAULT, EDITIONS, from_scenario
from tests.effort import one_case, quick
from tests.facts import first_game


def test_every_level_has_a_maker() -> None:
    assert list(LEVELS) == ["random", "easy", "sensible", "normal", "hard", "expert"]
    assert len(LEVELS) == len(list(LEVELS))
    for name in LEVELS:
        assert callable(make_policy(name, 1).choose)


@one_case("level", TASTEFUL_LEVELS)
@pytest.mark.parametrize("taste", TASTES)
def test_a_level_is_known_with_each_taste(level: str, taste: str) -> None:
    assert f"{level}/{taste}" in LEVELS
    assert type(make_policy(f"{level}/{taste}", 1)) is type(make_policy(level, 1))


@one_case("name", ["", "grandmaster", "hard/", "hard/clever", "sensible/rusher", "/rusher", "hard/rusher/rusher"])
def test_no_other_name_is_known(name: str) -> None:
    assert name not in LEVELS
    with pytest.raises(KeyError):
        make_policy(name, 1)


def test_the_seed_decides_the_taste_of_a_plain_name() -> None:
    made = [make_policy("normal", seed) for seed in (1, 1, *range(2, 40))]
    tastes = [_taste_of(policy) for policy in made]
    assert tastes[0] == tastes[1]
    assert all(taste in tastes for taste in TASTES.values())


def _taste_of(policy: Policy) -> object:
    return getattr(policy, "_taste")  # noqa: B009 - no part of what a policy is


def test_any_of_them_may_stand_in_and_one_that_skips() -> None:
    assert list(SUBSTITUTES) == [*LEVELS, "skip"]
    assert make_substitute("skip", 1).deaf


def test_an_expert_has_more_time_than_a_hard_bot() -> None:
    assert HARD.trials < EXPERT.trials
    assert HARD.seconds < EXPERT.seconds
    assert HARD.moves < EXPERT.moves


@one_case("edition", quick(EDITIONS, DEFAULT, "citta_comune"))
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_they_finish_their_games(edition: str, level: str) -> None:
    players = max(EDITIONS[edition].players)
    report = run(1, from_scenario("random", players, edition_key=edition), (level,) * players, seed=level)
    assert not report.errors
    assert not report.stuck


@pytest.mark.slow
def test_normal_beats_easy() -> None:
    report = run(40, first_game(4), ("normal", "easy", "easy", "easy"), seed="duel")
    assert report.wins[0] > 20


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["first_game", "random"])
def test_normal_beats_sensible(scenario: str) -> None:
    report = run(120, from_scenario(scenario, 4), ("normal", "sensible", "sensible", "sensible"), seed="duel")
    assert report.wins[0] > 44  # three standard deviations above chance
