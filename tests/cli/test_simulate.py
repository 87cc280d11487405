"""`simulate`: figures for people and for programs, and a sentence for every value that cannot be."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.effort import one_case

from .program import Run, refused, run, run_process

WANTED = {"games", "players", "games_per_second", "moves_per_second", "copy_microseconds", "stuck", "errors"}


def figures(home: Path, *arguments: str, run: Callable[..., Run] = run) -> dict[str, Any]:
    done = run(home, "simulate", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_the_last_line_is_one_object(tmp_path: Path) -> None:
    found = figures(tmp_path, "--games", "10")
    assert set(found) >= WANTED
    assert (found["games"], found["players"], found["stuck"], found["errors"]) == (10, 4, 0, 0)
    assert found["bots"] == ["random"] * 4
    assert found["games_per_second"] > 0
    assert found["copy_microseconds"] > 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    one = figures(tmp_path, "--games", "6", "--seed", "c0ffee")
    two = figures(tmp_path, "--games", "6", "--seed", "c0ffee", "--jobs", "2", run=run_process)
    assert one["digest"] == two["digest"]
    assert one["digest"] != figures(tmp_path, "--games", "6", "--seed", "beef")["digest"]


def test_without_json_the_figures_are_lines(tmp_path: Path) -> None:
    done = run(tmp_path, "simulate", "--games", "3", "--bots", "sensible", "--players", "5")
    assert done.returncode == 0
    assert "games_per_second" in done.stdout


@one_case("players", ["2", "3", "8"])
def test_first_game_is_fitted_to_the_table(tmp_path: Path, players: str) -> None:
    found = figures(tmp_path, "--games", "2", "--players", players)
    assert len(found["cast"]) == (8 if players == "2" else 9)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    wanted = (
        "--games 2 --players 5 --cast witch,Queen --uniques park --bots random,sensible,random,sensible,random"
    )
    found = figures(tmp_path, *wanted.split())
    assert found["cast"][0] == "witch"
    assert found["cast"][-1] == "queen"
    assert found["bots"][1] == "sensible"


@pytest.mark.parametrize("scenario", ["vicious_nobles", "random"])
def test_scenarios(tmp_path: Path, scenario: str) -> None:
    assert figures(tmp_path, "--games", "2", "--scenario", scenario)["errors"] == 0


@one_case(
    ("arguments", "said"),
    [
        ("--games 0", "--games"),
        ("--games many", "many"),
        ("--games 1e3", "--games"),
        ("--jobs -1", "--jobs"),
        ("--seed xyz", "--seed"),
        ("--players 1", "--players"),
        ("--players 9", "8"),
        ("--players ٣", "--players"),
        ("--bots clever", "sensible"),
        ("--bots random,random", "4"),
        ("--bots ,", "--bots"),
        ("--edition pirates", "2016"),
        ("--scenario nowhere", "vicious_nobles"),
        ("--cast jester", "jester"),
        ("--cast king,emperor", "Emperor"),
        ("--players 2 --cast emperor", "Emperor"),
        ("--players 2 --cast artist", "2"),
        ("--players 3 --cast assassin,thief,magician,king,bishop,merchant,architect,warlord", "3"),
        ("--scenario random --cast king", "rank"),
        ("--uniques castle", "castle"),
        ("--uniques keep,keep", "--uniques"),
    ],
)
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, arguments: str, said: str) -> None:
    assert said.casefold() in refused(run(tmp_path, "simulate", *arguments.split())).casefold()


def test_refusals_come_in_the_users_language(tmp_path: Path) -> None:
    english = refused(run(tmp_path, "simulate", "--players", "9"))
    italian = refused(run(tmp_path, "simulate", "--players", "9", "--lang", "it"))
    assert english != italian
