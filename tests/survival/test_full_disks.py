"""The disk with the host's journal is full. The disk is a small file system in memory."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.net.host.opening import open_table
from tests.facts import first_table
from tests.net.playing import QUICK, play_all, seated, until
from tests.net.room import rejects

pytestmark = pytest.mark.slow
MB = 1_000_000


@pytest.fixture
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Context with a folder on a disk of this many megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("making a disk in memory needs root")
    made = ("mount", "-t", "tmpfs", "-o", f"size={request.param}m", "none", str(folder))
    if subprocess.run(made, capture_output=True, check=False).returncode:
        pytest.skip("disks in memory cannot be made here")
    try:
        yield folder
    finally:
        subprocess.run(("umount", "-l", str(folder)), check=False)


def fill(path: Path) -> None:
    """Write a file until the disk is full. Raises OSError."""
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(MB) if file.tell() < 30 * MB else bytes(512))


@pytest.mark.parametrize("disk", [10], indirect=True)
async def test_disk_that_is_too_small_is_rejected_before_the_game(disk: Path) -> None:
    with rejects("no_room") as turned:
        async with open_table(first_table(2), disk, host="127.0.0.1", port=0, timing=QUICK):
            pass
    assert turned.value.details == {"path": str(disk / "tables"), "megabytes": 20}


@pytest.mark.parametrize("disk", [40], indirect=True)
async def test_full_disk_stops_the_game_until_there_is_space(disk: Path) -> None:
    async with seated(disk, 2) as (table, sessions):
        await sessions[0].start()
        await until(lambda: all(session.table.state is not None for session in sessions))
        filling = disk / "other"
        with pytest.raises(OSError, match="space"):
            fill(filling)
        played = play_all(sessions)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(played)
            await until(lambda: any(session.table.halted for session in sessions))
            filling.unlink()
        assert {session.table.status for session in sessions} == {"over"}
        assert table.table.game is not None
        assert {session.table.head.hash for session in sessions} == {table.table.game.head}
