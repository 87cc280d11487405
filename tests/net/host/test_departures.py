"""After a crowd its memory is given back; a connection that has ended keeps nothing."""

import asyncio
import contextlib
import gc
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.host import server
from citadels_lan.net.host.listening import Caller
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.server import CALM, CROWD, SPECTATOR, MemoryTrim
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import Pong, encode
from tests.effort import quick
from tests.facts import first_table
from tests.net.playing import QUICK, until
from tests.survival.watching import joined


def test_a_crowd_has_left_once_it_is_calm() -> None:
    trim = MemoryTrim()
    for number in range(CROWD):
        assert not trim.due(100.0)
        trim.note(float(number))
    assert not trim.due(CROWD - 1 + CALM / 2)
    assert trim.due(CROWD - 1 + CALM)
    assert not trim.due(200.0), "told once"


async def test_what_a_crowd_has_needed_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    monkeypatch.setattr(server, "give_back", lambda: given.append(True))
    async with (
        asyncio.timeout(60),
        open_table(first_table(3), tmp_path, host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        for number in range(CROWD):
            (await joined(table.port, "", f"W{number}")).abort("left")
        await until(lambda: given == [True])


def alive() -> list["weakref.ref[object]"]:
    """What serves a connection."""
    return [weakref.ref(one) for one in gc.get_objects() if isinstance(one, Link | Caller)]


async def come_and_go(table: OpenTable) -> None:
    """A spectator who leaves."""
    link = await joined(table.port, "", "Anna", identity=Identity.create())
    await until(lambda: len(table.table.viewers) == 1)
    link.abort("left")
    await until(lambda: not table.table.viewers)


async def flood(table: OpenTable) -> None:
    """A spectator who is sent away."""
    link = await joined(table.port, "", "Mallory", identity=Identity.create())
    await until(lambda: len(table.table.viewers) == 1)
    link.send(encode(Pong(0)) * (100 * SPECTATOR[0]))
    with contextlib.suppress(OSError):
        while await link.frame() is not None:
            pass
    link.abort("left")
    await until(lambda: not table.table.viewers)


async def send_garbage(table: OpenTable) -> None:
    """What begins like TLS and is none."""
    reader, writer = await asyncio.open_connection(*table.address)
    writer.write(b"\x16\x03\x01\x02\x00" + bytes(5000))
    with contextlib.suppress(OSError):
        while await reader.read(1000):
            pass
    writer.transport.abort()


@pytest.mark.parametrize("connect", quick([come_and_go, flood, send_garbage], send_garbage))
async def test_a_connection_that_has_ended_keeps_nothing(
    tmp_path: Path, connect: Callable[[OpenTable], Awaitable[None]]
) -> None:
    """Not even until Python looks for what nobody needs: its buffers are most of a host's memory."""
    async with (
        asyncio.timeout(60),
        open_table(first_table(3), tmp_path, host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        gc.collect()
        gc.disable()
        try:
            await connect(table)
            left = alive()
            await until(lambda: all(one() is None for one in left))
        finally:
            gc.enable()
