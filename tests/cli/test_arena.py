"""`arena`: tables for people and for programs, pictures, and a sentence for every value that cannot be."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from citadels_lan.bots import arena
from citadels_lan.texts import load
from tests.effort import one_case, quick

from .program import Run, refused, run

ARENA = ("arena", "--deals", "4", "--players", "3", "--seed", "c0ffee")
CHOOSE = "def choose(*given):\n    "
FIRST = "def choose(view, seat, choices, memory, random):\n    return next(expand(choices))\n"


def figures(done: Run) -> dict[str, Any]:
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    path = tmp_path / "first.py"
    path.write_text("from citadels_lan.engine import expand\n\n\n" + FIRST, encoding="utf-8")
    return str(path)


def test_a_hero_against_a_table_of_others(tmp_path: Path, plugin: str) -> None:
    done = run(tmp_path, *ARENA, "sensible,first", "--plugin", plugin)
    assert done.returncode == 0, done.stderr
    hero, others = done.stdout.split("\n\n")[1].splitlines()[1:]
    assert hero.split()[0] == "sensible"
    assert others.split()[0] == "first"
    assert "33.3 %" in done.stdout
    assert "c0ffee" in done.stdout


def test_a_table_of_different_bots(tmp_path: Path, plugin: str) -> None:
    done = run(tmp_path, *ARENA, "sensible,first,random", "--json", "--plugin", plugin)
    (match,) = figures(done)["matches"]
    assert [row["bot"] for row in match["rows"]] == ["sensible", "first", "random"]
    assert sum(row["share"] for row in match["rows"]) == pytest.approx(1)
    assert match["games"] == 12


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    one, two = (figures(run(tmp_path, *ARENA, "sensible,random", "--json", "--jobs", jobs)) for jobs in "12")
    assert (one["digest"], one["seed"]) == (two["digest"], "c0ffee")
    other = figures(run(tmp_path, *ARENA[:-1], "beef", "sensible,random", "--json"))
    assert other["digest"] != one["digest"]


@pytest.mark.slow
def test_all_against_all(tmp_path: Path, plugin: str) -> None:
    asked = (*ARENA, "sensible,random,first", "--round-robin", "--plugin", plugin, "--deals", "2")
    found = figures(run(tmp_path, *asked, "--json"))
    assert len(found["matches"]) == 6
    assert [row["bot"] for row in found["overall"]] == ["sensible", "random", "first"]
    shares = [match["rows"][0]["share"] for match in found["matches"] if match["pairing"][0] == 0]
    assert found["overall"][0]["share"] == pytest.approx(sum(shares) / 2)
    cells = [line.split() for line in run(tmp_path, *asked).stdout.splitlines()]
    assert [f"{100 * share:.1f}" for share in shares] == next(
        row for row in reversed(cells) if row[:1] == ["sensible"]
    )[1:3]


@pytest.mark.parametrize(
    ("bots", "code", "said", "settled"),
    quick(
        [
            ("sensible,random", 0, "80.0 % at least", "at_least"),
            ("random,sensible", 1, "less than 80.0 %", "less"),
        ],
        ("random,sensible", 1, "less than 80.0 %", "less"),
    ),
)
def test_it_stops_when_the_question_is_settled(
    tmp_path: Path, bots: str, code: int, said: str, settled: str
) -> None:
    asked = (
        "arena",
        bots,
        "--players",
        "2",
        "--deals",
        "400",
        "--at-least",
        "80",
        "--margin",
        "30",
        "--seed",
        "1",
    )
    done = run(tmp_path, *asked)
    assert done.returncode == code
    assert said in done.stdout
    assert "alpha = beta = 0.05" in done.stdout
    found = figures(run(tmp_path, *asked, "--json"))
    assert (found["test"]["settled"], found["test"]["against"]) == (settled, pytest.approx(0.5))
    assert found["deals"] < 60


def test_what_is_not_settled_is_no_success(tmp_path: Path) -> None:
    done = run(tmp_path, *ARENA, "sensible,random", "--at-least", "50")
    assert done.returncode == 1
    assert "not settled after 4 deals" in done.stdout


@pytest.mark.slow
def test_a_picture(tmp_path: Path) -> None:
    out = tmp_path / "strengths.svg"
    asked = (*ARENA, "sensible,random", "--svg", str(out))
    assert run(tmp_path, *asked).returncode == 0
    assert "sensible" in "".join(ElementTree.parse(out).getroot().itertext())
    assert "--force" in refused(run(tmp_path, *asked), 1)
    assert run(tmp_path, *asked, "--force", "--lang", "it").returncode == 0
    assert load("it").say("par") in "".join(ElementTree.parse(out).getroot().itertext())
    nowhere = run(tmp_path, *ARENA, "random,random", "--svg", str(tmp_path / "nowhere" / "x.svg"))
    assert "nowhere" in refused(nowhere, 1)


def test_ctrl_c_gives_what_there_is_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = arena.play

    def interrupted(*given: Any) -> Iterator[arena.PlayedDeal]:
        for number, deal in enumerate(play(*given)):
            if number == 3:
                raise KeyboardInterrupt
            yield deal

    monkeypatch.setattr(arena, "play", interrupted)
    done = run(tmp_path, "arena", "sensible,random", "--json", "--deals", "100000")
    assert done.returncode == 130
    assert figures(done)["deals"] == 3


def test_who_played_and_is_gone_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "leaving.py"
    path.write_text("import os\n" + CHOOSE + "os._exit(0)\n", encoding="utf-8")
    done = run(tmp_path, *ARENA, "leaving,random", "--jobs", "2", "--plugin", str(path))
    assert "gone" in refused(done, 1)


def test_help_says_that_a_plugin_is_to_be_trusted(tmp_path: Path) -> None:
    said = " ".join(run(tmp_path, "arena", "--help").stdout.split())
    assert "take only what you trust" in said


@one_case(
    ("arguments", "said"),
    [
        ("", "missing"),
        ("sensible", "0 are named"),
        ("sensible,random,random", "3"),
        ("sensible,clever", "clever"),
        ("sensible,", "''"),
        ("sensible,random --deals 0", "--deals"),
        ("sensible,random --jobs many", "--jobs"),
        ("sensible,random --jobs 2 --dask tcp://127.0.0.1:1", "--dask"),
        ("sensible,random --dask nowhere", "tcp://"),
        ("sensible,random --dask foo://bar:1", "tcp://"),
        ("sensible,random --players 9", "8"),
        ("sensible,random --edition pirates", "pirates"),
        ("sensible,random --seed xyz", "--seed"),
        ("sensible,random --bots random", "--bots"),
        ("sensible,random --at-least 100", "--at-least"),
        ("sensible,random --at-least nan", "--at-least"),
        ("sensible,random --at-least 4 --margin 5", "--margin"),
        ("sensible,random --margin 5", "--at-least"),
        ("sensible,random --at-least 50 --round-robin", "--round-robin"),
        ("sensible,sensible --round-robin", "--round-robin"),
        ("sensible --round-robin", "--round-robin"),
        ("sensible,random --force", "--svg"),
    ],
)
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, arguments: str, said: str) -> None:
    assert said in refused(run(tmp_path, "arena", *arguments.split()))


@one_case(
    ("name", "source", "code", "said"),
    [
        ("absent.py", None, 3, "cannot be read"),
        ("broken.py", "def", 3, "SyntaxError"),
        ("empty.py", "", 3, "`choose`"),
        ("a-b.py", "", 1, "called so"),
        ("random.py", FIRST, 2, "random"),
        ("lazy.py", "def choose(*given):\n    pass\n", 1, "NoneType"),
        (
            "wrong.py",
            "def choose(*given):\n    raise ValueError('no\\nidea')\n",
            1,
            "ValueError: no idea (wrong.py:2)",
        ),
        (
            "sly.py",
            "from citadels_lan.engine.actions import End\n\n\ndef choose(*given):\n    return End()\n",
            1,
            "end",
        ),
    ],
)
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_a_plugin_that_fails_is_named(
    tmp_path: Path, name: str, source: str | None, code: int, said: str, language: str
) -> None:
    path = tmp_path / name
    if source is not None:
        path.write_text(source, encoding="utf-8")
    bots = f"{path.stem},sensible"
    done = run(tmp_path, *ARENA, bots, "--plugin", str(path), "--lang", language)
    line = refused(done, code)
    assert path.stem in line
    if language == "en":
        assert said in line


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "citadels-lan[dask]" in refused(run(tmp_path, *ARENA, "sensible,random", "--dask", "tcp://127.0.0.1:1"))
