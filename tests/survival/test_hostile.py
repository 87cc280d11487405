"""Small floods and crowds, with limits that do not depend on time (see also `tools.survival.flood`)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from citadels_lan.net.host.opening import open_table
from tests.facts import first_table
from tests.net.playing import QUICK, play_all, reached, seated, until
from tools.survival.flood import Sent, before_tls, greeting, silent, watching
from tools.survival.hosting import CODE, Host
from tools.survival.watching import Watcher, joined

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="/proc, and addresses of 127.0.0.0/8"),
]
GROWTH = 20_000_000
"""Most bytes by which a host's memory may have grown after a flood."""


@pytest.mark.parametrize(
    ("flood", "count"), [(silent, 1500), (before_tls, 20_000), (greeting, 20_000), (watching, 3_000)]
)
async def test_memory_is_released_after_a_flood(
    tmp_path: Path, flood: Callable[[int, str, int, Sent], Awaitable[None]], count: int
) -> None:
    """A friend can join after the flood."""
    async with asyncio.timeout(120), Host.started(tmp_path, 2) as host:
        port = await host.open()
        (await joined(port, CODE, "Before")).abort("left")
        before = await host.cost()
        sent = Sent()
        await flood(port, "127.0.0.9", count, sent)
        assert (await host.cost()).memory - before.memory < GROWTH
        assert sent.frames >= count or sent.connections == count
        (await joined(port, CODE, "Friend", "player")).abort("left")


async def test_all_spectators_receive_each_entry_once_in_order(tmp_path: Path) -> None:
    """This includes a spectator who joins late."""
    async with asyncio.timeout(120), seated(tmp_path, 2) as (table, sessions):
        watchers = [Watcher(await joined(table.port, "", f"W{number}")) for number in range(20)]
        async with asyncio.TaskGroup() as tasks:
            following = [tasks.create_task(watcher.follow()) for watcher in watchers]
            await sessions[0].start()
            playing = tasks.create_task(play_all(sessions))
            await until(reached(sessions[0], 40))
            late = Watcher(await joined(table.port, "", "Late"))
            following.append(tasks.create_task(late.follow()))
            await playing
            last = sessions[0].table.head.n
            await until(lambda: all(len(watcher.came) == last for watcher in (*watchers, late)))
            for task in following:
                task.cancel()
        for watcher in (*watchers, late):
            watcher.link.abort("left")


async def test_silent_connections_do_not_block_other_clients_of_their_address(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(120),
        open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table,
        asyncio.TaskGroup() as tasks,
    ):
        sent = Sent()
        storm = tasks.create_task(silent(table.port, "127.0.0.1", 100_000, sent))
        for number in range(5):
            await until(lambda: sent.connections >= 100 * (number + 1))  # noqa: B023
            (await joined(table.port, "", f"Anna {number}", "spectator")).abort("left")
        storm.cancel()
