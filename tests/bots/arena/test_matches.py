"""Matches are fair: every bot sits in every seat of every deal, and what is dealt is the same for all."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from citadels_lan.bots import RandomPolicy
from citadels_lan.bots.arena import Contender, Contest, Outcome, Pairing, Plugin, Workers, play
from citadels_lan.bots.arena.match import (
    ArenaGame,
    LabelledChance,
    against,
    class_of,
    play_game,
    quantile,
    rotations,
)
from citadels_lan.bots.policy import Forgetful, Policy
from citadels_lan.engine import EDITIONS, Action, Choice, State, TableConfig, from_scenario
from tests.effort import one_case, quick
from tests.facts import first_game

SHORTEST = (
    "from citadels_lan.engine import expand\n"
    "from itertools import islice\n"
    "def choose(view, seat, choices, memory, random):\n"
    "    return min(islice(expand(choices), 200), key=str)\n"
)
"""The first in the order of the notation: it needs neither chance nor its name."""


def contest(*contenders: Contender, players: int = 3, config: TableConfig | None = None) -> Contest:
    return Contest(config or first_game(players), contenders, "seed")


def outcome(of: Contest, pairing: Pairing, deals: int) -> Outcome:
    with Workers.here() as workers:
        return Outcome(of, (pairing,), tuple(play(of, [pairing], deals, workers)))


@one_case("players", [2, 3, 5, 9])
def test_everybody_sits_everywhere_equally_often(players: int) -> None:
    pairing = tuple(range(players))
    seats = Counter((bot, seat) for seating in rotations(pairing) for seat, bot in enumerate(seating))
    assert seats == Counter({(bot, seat): 1 for bot in range(players) for seat in range(players)})
    assert [seating.index(0) for seating in rotations(pairing)] == list(range(players))


def test_all_of_several_meet_all_others() -> None:
    assert against(3, 3) == [(0, 1, 1), (0, 2, 2), (1, 0, 0), (1, 2, 2), (2, 0, 0), (2, 1, 1)]


def test_chance_follows_from_its_label_alone() -> None:
    one, two = LabelledChance("seed"), LabelledChance("seed")
    one.shuffle("districts", range(5))
    assert one.shuffle("chars/1", range(20)) == two.shuffle("chars/1", range(20))
    assert two.shuffle("chars/1", range(20)) != two.shuffle("chars/2", range(20))
    assert LabelledChance("other").shuffle("chars/1", range(20)) != two.shuffle("chars/1", range(20))
    assert Counter(LabelledChance(str(seed)).pick("crown", "ab") for seed in range(400))["a"] in range(160, 240)


class Looking(Forgetful):
    """Plays at random, by other chances than the next one, and keeps what it saw first."""

    blind = False

    def __init__(self, seed: str, seen: dict[int, State]) -> None:
        self._policy = RandomPolicy(seed)
        self._seen = seen

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self._seen.setdefault(seat, view)
        return self._policy.choose(view, seat, choices)


@one_case("key", quick(EDITIONS, "2016"))
def test_a_deal_is_the_same_whoever_plays(key: str) -> None:
    config = from_scenario("random", 4, edition_key=key)
    games: list[dict[int, State]] = []
    for game in range(3):
        seen: dict[int, State] = {}
        policies: list[Policy] = [Looking(f"{game}/{seat}", seen) for seat in range(4)]
        play_game(config, policies, "deal")
        games.append(seen)
    first, *others = games
    start = next(view for view in first.values() if view.round == 1)
    for seen in others:
        assert all(view.cast == start.cast and view.districts == start.districts for view in seen.values())
    opener = [seat for seat, view in first.items() if view.tick == min(v.tick for v in first.values())]
    for seen in others:
        assert [seen[seat] for seat in opener] == [first[seat] for seat in opener]


@pytest.mark.parametrize("level", ["random", "sensible"])
def test_a_bot_against_itself_has_exactly_par(level: str) -> None:
    found = outcome(contest(Contender(level), players=4), (0, 0, 0, 0), 3)
    hero, others = found.strengths()
    assert (hero.share, hero.low, hero.high) == (0.25, 0.25, 0.25)
    assert others.share == pytest.approx(0.25)
    assert found.matches()[0].games == 12


@pytest.mark.parametrize("players", quick([2, 4], 2))
def test_a_bot_without_chance_against_itself_by_another_name_has_exactly_par(players: int) -> None:
    one, two = (Contender(name, Plugin(name, (("", f"{name}.py", SHORTEST),))) for name in ("one", "two"))
    found = outcome(contest(one, two, players=players), (0, *(1,) * (players - 1)), 2)
    assert found.won == [1 / players] * 2


def test_shares_add_up_and_the_stronger_wins() -> None:
    found = outcome(contest(Contender("sensible"), Contender("random")), (0, 1, 1), 6)
    hero, others = found.strengths()
    assert hero.share + 2 * others.share == pytest.approx(1)
    assert hero.share > 0.8
    assert hero.low < hero.share <= hero.high <= 1
    (match,) = found.matches()
    assert match.games == 18
    assert match.rows[0].points > match.rows[1].points
    assert 0 < match.rows[0].thought <= match.rows[0].long_thought


def test_a_shared_victory_is_a_part_of_one() -> None:
    of = contest(Contender("sensible"), Contender("random"))
    pairing = (0, 1, 1)
    half = ArenaGame((0.5, 0.5, 0.0), (20, 20, 10), 100, ({}, {}, {}))
    found = Outcome(of, (pairing,), (dict.fromkeys(rotations(pairing), half),) * 2)
    assert found.won == pytest.approx([1 / 3] * 2)
    nobody = ArenaGame((0.0,) * 3, (0,) * 3, 20_001, ({}, {}, {}))
    stuck = Outcome(of, (pairing,), (dict.fromkeys(rotations(pairing), nobody),) * 2)
    assert (stuck.won, stuck.matches()[0].stuck) == ([0.0, 0.0], 6)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_who_plays_changes_nothing(jobs: int) -> None:
    of = contest(Contender("sensible"), Contender("random"), config=TableConfig(3))
    pairings = against(2, 3)
    found = []
    for number in (1, jobs):
        with Workers.here(number) as workers:
            found.append(Outcome(of, tuple(pairings), tuple(play(of, pairings, 3, workers))))
    assert found[0].digest() == found[1].digest()
    assert found[0].won == found[1].won
    other = Contest(of.config, of.contenders, "other")
    with Workers.here() as workers:
        dealt = Outcome(other, tuple(pairings), tuple(play(other, pairings, 3, workers)))
    assert dealt.digest() != found[0].digest()


def test_times_are_counted_in_classes() -> None:
    random = Random(1)
    assert quantile({}, 0.5) == 0.0
    seconds = sorted(random.uniform(0.0, 0.1) for _ in range(1000))
    counted = Counter(map(class_of, seconds))
    assert quantile(counted, 0.5) == pytest.approx(seconds[500], rel=0.1)
    assert quantile(counted, 0.95) == pytest.approx(seconds[950], rel=0.1)
