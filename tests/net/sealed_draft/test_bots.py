"""Bots play a sealed draft as they play an open one."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.bots.driving import drive
from citadels_lan.bots.levels import make_policy
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.wire.errors import Rejected
from tests.net.playing import seated

from .rooms import sealed

pytestmark = pytest.mark.slow


async def test_bots_play_a_whole_game(tmp_path: Path) -> None:
    async with seated(tmp_path, 3, config=sealed(3)) as (table, sessions):
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(drive(session, make_policy("sensible", str(seat)), later=Rejected))
            await table.over()
            for session in sessions:
                await session.leave()
    report = verify([session.table.transcript for session in sessions if session.table.transcript])
    assert report.code == 0
