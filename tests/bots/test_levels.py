"""The levels of bots: names, tastes, and that a better level wins more games."""

from collections import Counter
from collections.abc import Sequence

import pytest

from citadels_lan.bots import LEVELS, RandomPolicy, make_policy, simulation
from citadels_lan.bots.at_random import deal_at_random
from citadels_lan.bots.heuristics.values import TASTES
from citadels_lan.bots.levels import PLAIN_LEVELS, TASTEFUL_LEVELS
from citadels_lan.bots.policy import Forgetful
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.engine import Action, Choice, Deal, State, from_scenario, new_table
from citadels_lan.engine.actions import End, Gather
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.choices import Parts
from tests.effort import one_case, quick
from tests.facts import SCENARIOS, first_game


def test_every_level_makes_a_bot() -> None:
    assert set(LEVELS) == {*PLAIN_LEVELS, *TASTEFUL_LEVELS}
    assert len(LEVELS) == len(list(LEVELS))
    for name in LEVELS:
        assert callable(make_policy(name, 1).choose)


@one_case("level", TASTEFUL_LEVELS)
@pytest.mark.parametrize("taste", TASTES)
def test_level_accepts_each_taste(level: str, taste: str) -> None:
    assert f"{level}/{taste}" in LEVELS
    assert type(make_policy(f"{level}/{taste}", 1)) is type(make_policy(level, 1))


@one_case("name", ["", "grandmaster", "hard/", "hard/clever", "sensible/rusher", "/rusher", "hard/rusher/rusher"])
def test_unknown_level_is_rejected(name: str) -> None:
    assert name not in LEVELS
    with pytest.raises(KeyError):
        make_policy(name, 1)


@pytest.mark.slow
def test_normal_beats_easy() -> None:
    report = run(40, first_game(4), ("normal", "easy", "easy", "easy"), seed="duel")
    assert report.wins[0] > 20


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["first_game", "random"])
def test_normal_beats_sensible(scenario: str) -> None:
    report = run(120, from_scenario(scenario, 4), ("normal", "sensible", "sensible", "sensible"), seed="duel")
    assert report.wins[0] > 44  # three standard deviations above chance


# The random bot


DRAWS = 6000
STATE = new_table(first_game(4))


def _spread(counts: Counter[str], kinds: int) -> bool:
    """Return whether all kinds occurred, each within five standard deviations of its share."""
    share = DRAWS / kinds
    return len(counts) == kinds and all(abs(count - share) < 5 * share**0.5 for count in counts.values())


def test_random_bot_chooses_uniformly() -> None:
    policy = RandomPolicy(1)
    choices = (Gather("gold"), Gather("cards"), End())
    assert _spread(Counter(str(policy.choose(STATE, 0, choices)) for _ in range(DRAWS)), 3)


def test_random_bot_deals_parts_of_different_sizes_uniformly() -> None:
    random = RandomPolicy(4)._random
    pool = ("a", "b", "c", "d")
    seen: list[Parts] = []

    def make(parts: Parts) -> Action:
        seen.append(tuple(in_order(part) for part in parts))
        return End()

    deal = Deal("build", pool, ("with", "lent"), ((0, 2), (1, 2)), make)
    for _ in range(DRAWS):
        deal_at_random(deal, random)
    assert _spread(Counter(map(str, seen)), deal.count())


# Simulations


class Recorder(Forgetful):
    """A policy that records its views and fails."""

    blind = False

    def __init__(self) -> None:
        self.shown: list[tuple[State, int]] = []

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.shown.append((view, seat))
        raise RuntimeError("enough")


def test_run_depends_on_the_seed_and_not_on_the_processes() -> None:
    alone = run(6, first_game(4), seed="same")
    shared = run(6, first_game(4), seed="same", jobs=2)
    assert alone.digest == shared.digest
    assert alone.digest != run(6, first_game(4), seed="other").digest


@one_case("key", SCENARIOS)
@pytest.mark.parametrize("players", quick([2, 3, 5, 8], 3))
def test_sensible_bots_finish_every_scenario(key: str, players: int) -> None:
    report = run(2, from_scenario(key, players, rank_nine=True), ("sensible",) * players, seed=key)
    assert report.errors == []
    assert report.stuck == 0


def test_bot_receives_only_the_view_of_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(simulation, "make_policy", lambda level, seed: recorder)
    game = play_one(first_game(4), ("sensible",) * 4, 1, 0)
    ((view, seat),) = recorder.shown
    assert not view.whole
    assert all(set(player.hand) == {"?"} for other, player in enumerate(view.players) if other != seat)
    assert "enough" in game.error
    assert game.scores == ()
