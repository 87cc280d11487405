"""The bots with which others are compared: those in `tools/opponents` and the example of docs/bots.md."""

from pathlib import Path

import pytest

from citadels_lan.bots.arena import Contender, Contest, Outcome, Workers, play, read_plugin
from citadels_lan.engine import EDITIONS, from_scenario
from tests.effort import one_case

BOTS = Path(__file__).parent.parent
ROOT = BOTS.parent.parent
OPPONENTS = [ROOT / "tools" / "opponents" / f"{name}.py" for name in ("greedy", "careful", "rusher")]
EXAMPLE = ROOT / "extras" / "bots" / "example_bot.py"
ALL = [*OPPONENTS, EXAMPLE]


def stem(path: Path) -> str:
    return path.stem


SIZES = (2, 4, 7)


@one_case("number", range(len(ALL)), ids=[path.stem for path in ALL], parts=4)
@pytest.mark.parametrize("edition", range(len(EDITIONS)))
@pytest.mark.slow
def test_plugin_opponents_play_every_edition(number: int, edition: int) -> None:
    """Each opponent plays at a table with another number of players."""
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
def test_plugin_opponents_beat_random_bots(path: Path) -> None:
    plugin = read_plugin(path)
    contest = Contest(
        from_scenario("first_game", 4), (Contender(plugin.name, plugin), Contender("random")), "chance"
    )
    with Workers.here() as workers:
        found = Outcome(contest, ((0, 1, 1, 1),), tuple(play(contest, [(0, 1, 1, 1)], 25, workers)))
    assert found.strengths()[0].low > 0.4
