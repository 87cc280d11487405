"""`arena` and `simulate`: output for people and for programs, pictures, and plug-ins with errors."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.bots import arena
from tests.effort import one_case, quick

from .program import Run, refused, run, run_process

ARENA = ("arena", "--deals", "4", "--players", "3", "--seed", "c0ffee")
FIRST = "def choose(view, seat, choices, memory, random):\n    return next(expand(choices))\n"


def figures(home: Path, *arguments: str, code: int = 0, run: Callable[..., Run] = run) -> dict[str, Any]:
    """Run the program with `--json`, and return the JSON object that it prints."""
    done = run(home, *arguments, "--json")
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    path = tmp_path / "first.py"
    path.write_text("from citadels_lan.engine import expand\n\n\n" + FIRST, encoding="utf-8")
    return str(path)


# Matches


def test_arena_plays_a_bot_against_opponents_in_all_other_seats(tmp_path: Path, plugin: str) -> None:
    done = run(tmp_path, *ARENA, "sensible,first", "--plugin", plugin)
    assert done.returncode == 0, done.stderr
    hero, others = done.stdout.split("\n\n")[1].splitlines()[1:]
    assert hero.split()[0] == "sensible"
    assert others.split()[0] == "first"
    assert "33.3%" in done.stdout
    assert "c0ffee" in done.stdout
    (match,) = figures(tmp_path, *ARENA, "sensible,first,random", "--plugin", plugin)["matches"]
    assert [row["bot"] for row in match["rows"]] == ["sensible", "first", "random"]
    assert sum(row["share"] for row in match["rows"]) == pytest.approx(1)
    assert match["games"] == 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "processes"), [(("simulate", "--games", "6"), run_process), ((*ARENA[:5], "sensible,random"), run)]
)
def test_same_seed_gives_the_same_games(
    tmp_path: Path, command: tuple[str, ...], processes: Callable[..., Run]
) -> None:
    one = figures(tmp_path, *command, "--seed", "c0ffee")
    two = figures(tmp_path, *command, "--seed", "c0ffee", "--jobs", "2", run=processes)
    assert (one["digest"], one["seed"]) == (two["digest"], "c0ffee")
    assert figures(tmp_path, *command, "--seed", "beef")["digest"] != one["digest"]


@pytest.mark.parametrize(
    ("bots", "code", "said", "settled"),
    quick(
        [("sensible,random", 0, "at least 80.0%", "at_least"), ("random,sensible", 1, "less than 80.0%", "less")],
        ("random,sensible", 1, "less than 80", "less"),
    ),
)
def test_arena_stops_when_the_sequential_test_is_decided(
    tmp_path: Path, bots: str, code: int, said: str, settled: str
) -> None:
    asked = f"arena {bots} --players 2 --deals 400 --at-least 80 --margin 30 --seed 1".split()
    done = run(tmp_path, *asked)
    assert done.returncode == code
    assert said in done.stdout
    assert "alpha = beta = 0.05" in done.stdout
    found = figures(tmp_path, *asked, code=code)
    assert (found["test"]["settled"], found["test"]["against"]) == (settled, pytest.approx(0.5))
    assert found["deals"] < 60


def test_ctrl_c_in_the_arena_prints_the_results_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = arena.play

    def interrupted(*given: Any) -> Iterator[arena.PlayedDeal]:
        for number, deal in enumerate(play(*given)):
            if number == 3:
                raise KeyboardInterrupt
            yield deal

    monkeypatch.setattr(arena, "play", interrupted)
    assert figures(tmp_path, "arena", "sensible,random", "--deals", "100000", code=130)["deals"] == 3


# Plug-ins


@one_case(
    ("name", "source", "code", "said"),
    [
        ("absent.py", None, 3, "Cannot read"),
        ("broken.py", "def", 3, "SyntaxError"),
        ("empty.py", "", 3, "`choose`"),
        ("a-b.py", "", 1, "Invalid plug-in name"),
        ("random.py", FIRST, 2, "random"),
        ("lazy.py", "def choose(*_):\n    pass\n", 1, "NoneType"),
        ("wrong.py", "def choose(*_):\n    raise ValueError('no\\nidea')\n", 1, "ValueError: no idea (wrong"),
        ("sly.py", "from citadels_lan.engine.actions import End\ndef choose(*_):\n    return End()\n", 1, "end"),
    ],
)
def test_plugin_with_an_error_is_reported_by_name(
    tmp_path: Path, name: str, source: str | None, code: int, said: str
) -> None:
    path = tmp_path / name
    if source is not None:
        path.write_text(source, encoding="utf-8")
    line = refused(run(tmp_path, *ARENA, f"{path.stem},sensible", "--plugin", str(path)), code)
    assert path.stem in line
    assert said in line


# Simulations


@one_case(
    ("options", "bots", "cast"),
    [
        ("--games 10", ["random"] * 4, 8),
        ("--games 2 --players 2", ["random"] * 2, 8),
        ("--games 2 --players 8 --scenario vicious_nobles", ["random"] * 8, 9),
        ("--games 2 --scenario random", ["random"] * 4, 0),
        ("--games 2 --players 5 --cast witch,Queen --uniques park --bots sensible", ["sensible"] * 5, 9),
    ],
)  # fmt: skip
def test_simulate_plays_the_game_that_its_options_describe(
    tmp_path: Path, options: str, bots: list[str], cast: int
) -> None:
    found = figures(tmp_path, "simulate", *options.split())
    assert (found["bots"], len(found["cast"]), found["stuck"], found["errors"]) == (bots, cast, 0, 0)
    assert found["games_per_second"] > 0
    assert "games_per_second  " in run(tmp_path, "simulate", *options.split()).stdout
