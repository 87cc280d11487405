"""Who gives up joining leaves nothing behind that still knocks."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.net.client.session import Session
from tests.net.playing import until


async def test_who_does_not_wait_for_the_table_any_more_lets_go_of_it(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    called: list[asyncio.StreamWriter] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append(writer)  # kept: without it the connection is closed

    async with asyncio.timeout(60), await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        loop = asyncio.get_running_loop()
        joining = loop.create_task(  # kept: awaited below
            Session.join(address, data_dir=tmp_path, name="Ann")
        )
        await until(lambda: bool(called))
        joining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await joining
        assert asyncio.all_tasks() == before
        called[0].close()
