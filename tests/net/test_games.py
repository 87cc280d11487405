"""Whole games over real sockets on this machine."""

import asyncio
from pathlib import Path

import pytest

from .playing import play_all, seated


@pytest.mark.parametrize("players", [2, 4, 6])
async def test_a_whole_game(tmp_path: Path, players: int) -> None:
    async with seated(tmp_path, players) as (table, sessions):
        await sessions[0].start()
        await play_all(sessions)
        async with asyncio.timeout(5):
            await table.over()
        assert [session.status for session in sessions] == ["over"] * players
        assert len({session.head for session in sessions}) == 1
