"""Whole games with sealed drafts over real sockets on this machine."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from tests.net.playing import join, play_all, seated

from .rooms import sealed

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("players", "edition"), [(2, "2016"), (3, "classic"), (5, "dark_city")])
async def test_a_whole_game(tmp_path: Path, players: int, edition: str) -> None:
    async with seated(tmp_path, players, config=sealed(players, edition)) as (table, sessions):
        watcher = await join(table, tmp_path / "watcher", "Wanda", role="spectator")
        await sessions[0].start()
        await play_all([*sessions, watcher])
        async with asyncio.timeout(30):
            await table.over()
        assert [session.status for session in sessions] == ["over"] * players
        assert len({session.head for session in (*sessions, watcher)}) == 1
        await watcher.leave()
    report = verify([path for session in (*sessions, watcher) if (path := session.transcript)])
    assert (report.code, [finding.code for finding in report.findings if finding.kind == "proof"]) == (0, [])
