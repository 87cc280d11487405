"""A real Dask scheduler with two worker processes on this machine plays the same games."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import refused, run

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")

BOT = Path(__file__).parents[3] / "tools" / "opponents" / "greedy.py"
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


def test_dask_workers_play_the_same_games(tmp_path: Path, address: str) -> None:
    here, there = (run(tmp_path, *WANTED, *more) for more in ((), ("--dask", address)))
    one, two = (json.loads(done.stdout) for done in (here, there))
    for found in (one, two):
        for row in found["matches"][0]["rows"]:
            del row["thought"], row["long_thought"]
    assert one == two


def test_failing_plugin_on_a_worker_is_reported_by_name(tmp_path: Path, address: str) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def choose(*given):\n    return 1 // 0\n", encoding="utf-8")
    said = refused(run(tmp_path, "arena", "bad,random", "--plugin", str(bad), "--dask", address), 1)
    assert "bad" in said
    assert "ZeroDivisionError" in said
