"""Whole games with sealed drafts over real sockets on this machine."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game
from tests.net.playing import QUICK, join, play_all, seated, until

from .rooms import sealed


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), [(2, "2016"), (3, "classic"), (5, "dark_city")])
async def test_a_whole_game(tmp_path: Path, players: int, edition: str) -> None:
    async with seated(tmp_path, players, config=sealed(players, edition)) as (table, sessions):
        watcher = await join(table, tmp_path / "watcher", "Wanda", role="spectator")
        await sessions[0].start()
        await play_all([*sessions, watcher])
        async with asyncio.timeout(60):
            await table.over()
        assert [session.table.status for session in sessions] == ["over"] * players
        assert len({session.table.head for session in (*sessions, watcher)}) == 1
        await watcher.leave()
    report = verify([path for session in (*sessions, watcher) if (path := session.table.transcript)])
    assert (report.code, [finding.code for finding in report.findings if finding.kind == "proof"]) == (0, [])


async def test_a_table_gets_a_sealed_draft_in_the_lobby(tmp_path: Path) -> None:
    settings = Settings(first_game(3))
    async with open_table(settings, tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table:
        owner = await table.join("Ada", tmp_path / "0")
        await owner.configure(replace(settings, config=sealed(3)))
        guests = [await join(table, tmp_path / str(seat), f"Player {seat}") for seat in (1, 2)]
        await owner.start()
        await until(lambda: all(one.table.head.n > 3 for one in (owner, *guests)))
        header = table.table.game.host_log.header if table.table.game is not None else None
        assert header is not None
        assert header.draft == 1
        for session in (*guests, owner):
            await session.leave()
