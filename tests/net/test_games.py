"""Whole games over real sockets on this machine, and their transcripts verified."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig, from_scenario

from .playing import join, play_all, seated

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("players", "edition"),
    [(2, "2016"), (4, "2016"), (6, "2016"), (3, "classic"), (4, "dark_city"), (3, "citta_comune")],
)
async def test_a_whole_game(tmp_path: Path, players: int, edition: str) -> None:
    config = from_scenario("first_game", players, edition_key=edition)
    async with seated(tmp_path, players, config=config) as (table, sessions):
        watcher = await join(table, tmp_path / "watcher", "Wanda", role="spectator")
        await sessions[0].start()
        await play_all([*sessions, watcher])
        async with asyncio.timeout(60):
            await table.over()
        assert [session.table.status for session in sessions] == ["over"] * players
        assert len({session.table.head for session in (*sessions, watcher)}) == 1
        await watcher.leave()
    paths = [path for session in (*sessions, watcher) if (path := session.table.transcript)]
    assert len(paths) == players + 1
    assert {path.suffix for path in paths} == {".ctr"}
    report = verify(paths)
    assert (report.code, [finding.code for finding in report.findings if finding.kind == "proof"]) == (0, [])


async def test_chance_draws_the_cast(tmp_path: Path) -> None:
    async with seated(tmp_path, 3, config=TableConfig(3)) as (table, sessions):
        await sessions[0].start()
        await play_all(sessions, seed=7)
        await table.over()
        assert len({session.table.head for session in sessions}) == 1
