"""The bots that others are measured by: those here, the example, and the sensible one as it was."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from citadels_lan.bots.arena import Contender, Contest, Outcome, Workers, play, read_plugin
from citadels_lan.bots.arena.games import play_game
from citadels_lan.bots.policy import Forgetful
from citadels_lan.engine import EDITIONS, Action, Choice, State, from_scenario
from tests.bots.classic_sensible import ClassicSensiblePolicy
from tests.effort import quick

BOTS = Path(__file__).parent.parent
ROOT = BOTS.parent.parent
OPPONENTS = [BOTS / "opponents" / f"{name}.py" for name in ("greedy", "careful", "rusher")]
EXAMPLE = ROOT / "extras" / "bots" / "example_bot.py"
ALL = [*OPPONENTS, EXAMPLE, BOTS / "classic_sensible"]


def stem(path: Path) -> str:
    return path.stem


SIZES = (2, 4, 7)


@pytest.mark.parametrize("number", range(len(ALL)), ids=[path.stem for path in ALL])
@pytest.mark.parametrize("edition", quick(range(len(EDITIONS)), 1))
def test_they_play_every_edition(number: int, edition: int) -> None:
    """Each at a table of another size."""
    path, key, players = ALL[number], list(EDITIONS)[edition], SIZES[(number + edition) % len(SIZES)]
    plugin = read_plugin(path)
    config = from_scenario("random", players, edition_key=key)
    contest = Contest(config, (Contender(plugin.name, plugin), Contender("random")), "editions")
    pairing = (0, *(1 - seat % 2 for seat in range(players - 1)))
    with Workers.here() as workers:
        found = Outcome(contest, (pairing,), tuple(play(contest, [pairing], 2, workers)))
    assert found.matches()[0].stuck == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", [*OPPONENTS, EXAMPLE], ids=stem)
def test_they_beat_chance(path: Path) -> None:
    plugin = read_plugin(path)
    contest = Contest(
        from_scenario("first_game", 4), (Contender(plugin.name, plugin), Contender("random")), "chance"
    )
    with Workers.here() as workers:
        found = Outcome(contest, ((0, 1, 1, 1),), tuple(play(contest, [(0, 1, 1, 1)], 25, workers)))
    assert found.strengths()[0].low > 0.4


@pytest.mark.parametrize("path", OPPONENTS, ids=stem)
def test_they_are_short_and_stand_alone(path: Path) -> None:
    """So that no search has learnt from them, and they stay what they are."""
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 150
    assert "citadels_lan.bots" not in source


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 30
    assert "extras/bots/example_bot.py" in (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


class Noting(Forgetful):
    """Notes the moves that are chosen."""

    blind = False

    def __init__(self, choose: Callable[[State, int, Sequence[Choice]], Action], notes: list[str]) -> None:
        self._choose = choose
        self._notes = notes

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        action = self._choose(view, seat, choices)
        self._notes.append(str(action))
        return action


COURSES = {
    "2016": "df1cbd9bff245bbb",
    "classic": "a2dadb945684b7da",
    "dark_city": "7fc16e59b1abeeb9",
    "citta_comune": "75638e97b0675c6d",
}
"""What four of the classic bots do in a game of each edition: what the sensible ones did when they were taken from
them."""


@pytest.mark.parametrize("key", COURSES)
def test_the_classic_bot_plays_as_the_sensible_one_did(key: str) -> None:
    notes: list[str] = []
    policies = [Noting(ClassicSensiblePolicy(Random(f"classic/{seat}")).choose, notes) for seat in range(4)]
    game = play_game(from_scenario("random", 4, edition_key=key), policies, "classic")
    assert hashlib.sha256(repr((notes, game.points)).encode()).hexdigest()[:16] == COURSES[key]


def test_the_classic_bot_knows_the_engine_alone() -> None:
    for path in (BOTS / "classic_sensible").glob("*.py"):
        assert "import citadels_lan" not in path.read_text(encoding="utf-8")
        assert "from citadels_lan.bots" not in path.read_text(encoding="utf-8")
