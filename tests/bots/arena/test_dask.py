"""The same games by the workers of a Dask scheduler: a real one, with two processes on this machine."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import refused, run

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")

BOT = Path(__file__).parent.parent / "opponents" / "greedy.py"
WANTED = (
    *["arena", "greedy,sensible", "--players", "3", "--deals", "6", "--seed", "5", "--json", "--plugin"],
    str(BOT),
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        cluster.wait_for_workers(2)
        yield cluster.scheduler_address


def test_the_same_games_the_same_result(tmp_path: Path, address: str) -> None:
    here, there = (run(tmp_path, *WANTED, *more) for more in ((), ("--dask", address)))
    one, two = (json.loads(done.stdout) for done in (here, there))
    for found in (one, two):
        for row in found["matches"][0]["rows"]:
            del row["thought"], row["long_thought"]
    assert one == two


def test_a_plugin_that_fails_there_is_named_here(tmp_path: Path, address: str) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def choose(*given):\n    return 1 // 0\n", encoding="utf-8")
    said = refused(run(tmp_path, "arena", "bad,random", "--plugin", str(bad), "--dask", address), 1)
    assert "bad" in said
    assert "ZeroDivisionError" in said


def test_where_nobody_answers_it_is_said(tmp_path: Path) -> None:
    said = refused(run(tmp_path, "arena", "random,random", "--dask", "tcp://127.0.0.1:1"), 1)
    assert "127.0.0.1:1" in said
