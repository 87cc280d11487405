"""After a crowd its memory is given back; a connection that has ended keeps nothing."""

import asyncio
import contextlib
import gc
import weakref
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.host import server
from citadels_lan.net.host.departures import CALM, CROWD, Departures
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.porch import Standing
from citadels_lan.net.host.server import SPECTATOR
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import Pong, encode
from tests.facts import first_table
from tests.net.playing import QUICK, until
from tests.survival.watching import joined


def test_a_crowd_has_left_once_it_is_calm() -> None:
    departures = Departures()
    for number in range(CROWD):
        assert not departures.over(100.0)
        departures.note(float(number))
    assert not departures.over(CROWD - 1 + CALM / 2)
    assert departures.over(CROWD - 1 + CALM)
    assert not departures.over(200.0), "told once"


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
    return [weakref.ref(one) for one in gc.get_objects() if isinstance(one, Link | Standing)]


@pytest.mark.parametrize("flooding", [True, False])
async def test_a_connection_that_has_ended_keeps_nothing(tmp_path: Path, flooding: bool) -> None:
    """Not even until Python looks for what nobody needs: its buffers are most of a host's memory."""
    async with (
        asyncio.timeout(60),
        open_table(first_table(3), tmp_path, host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        gc.collect()
        gc.disable()
        try:
            await come_and_go(table, flooding=flooding)
            left = alive()
            await until(lambda: all(one() is None for one in left))
        finally:
            gc.enable()


async def come_and_go(table: OpenTable, *, flooding: bool) -> None:
    """A spectator."""
    link = await joined(table.port, "", "Mallory", identity=Identity.create())
    await until(lambda: len(table.table.viewers) == 1)
    if flooding:
        link.send(encode(Pong(0)) * (100 * SPECTATOR[0]))
        with contextlib.suppress(OSError):
            while await link.frame() is not None:
                pass
    link.abort("left")
    await until(lambda: not table.table.viewers)
