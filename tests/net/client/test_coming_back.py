"""Coming back to a host that is silent, or that is an older copy of itself: real sessions on loopback."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path

import pytest

from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from tests.facts import first_table
from tests.net.playing import QUICK, play, seated, until
from tests.net.test_connections import Wire

SILENT = Timing(ping=0.2, away=60.0, drop=120.0, handshake=5.0, frame=5.0, retry=(0.02, 0.2), sealed=0.02)


class SlowWire(Wire):
    """A stretch of network on which nothing arrives while `open` is not set; it arrives later."""

    def __init__(self, table: OpenTable) -> None:
        super().__init__(table)
        self.open = asyncio.Event()
        self.open.set()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:  # type: ignore[override]
        while data := await reader.read(65536):
            await self.open.wait()
            writer.write(data)
            await writer.drain()


@contextlib.asynccontextmanager
async def slow(folder: Path) -> AsyncIterator[tuple[OpenTable, SlowWire]]:
    async with (
        asyncio.timeout(60),
        open_table(first_table(2), folder / "host", host="127.0.0.1", port=0, timing=SILENT) as table,
    ):
        wire = SlowWire(table)
        async with wire.laid():
            yield table, wire


async def heard(session: Session) -> AsyncIterator[Disconnected]:
    async with asyncio.timeout(60):
        async for update in session.updates():
            if isinstance(update, Disconnected):
                yield update


async def test_a_silent_link_is_left_for_one_that_answers(tmp_path: Path) -> None:
    """The old one is given up when the new one is there, and the host is told of no cut before."""
    async with slow(tmp_path) as (table, wire):

        async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
            yield (table.address,)
            await asyncio.sleep(3600)

        session = await Session.join(
            wire.address, data_dir=tmp_path / "a", name="Anna", timing=SILENT, locate=locate
        )
        wire.open.clear()
        async for cut in heard(session):
            assert cut == Disconnected("no_answer")
            break
        await until(lambda: session.table.status == "lobby")
        assert session.table.addresses[0] == table.address
        await session.leave()


async def test_a_link_that_speaks_again_is_kept(tmp_path: Path) -> None:
    """While the host is looked for, and nothing is found."""
    async with slow(tmp_path) as (_, wire):
        looked = asyncio.Event()

        async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
            looked.set()
            yield ()
            await asyncio.sleep(3600)

        session = await Session.join(
            wire.address, data_dir=tmp_path / "a", name="Anna", timing=SILENT, locate=locate
        )
        wire.up = False
        wire.open.clear()
        await looked.wait()
        wire.open.set()
        link = session.connection._link
        await session.ready()
        assert session.connection._link is link
        await session.leave()


@pytest.mark.slow
async def test_client_leaves_a_host_with_an_older_copy_and_finds_the_newer_one(tmp_path: Path) -> None:
    where: list[Address] = []

    async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
        while True:
            yield tuple(where)
            await asyncio.sleep(0.05)

    old = tmp_path / "old.journal"
    new = tmp_path / "new.journal"
    async with seated(tmp_path, 2) as (table, sessions):
        await sessions[1].leave()
        guest = await Session.join(
            table.address, data_dir=tmp_path / "1", name="Player 1", timing=QUICK, locate=locate
        )
        await guest.ready()
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            for count, session in enumerate((sessions[0], guest)):
                tasks.create_task(play(session, count, until=40))
        await until(lambda: guest.table.head.n >= 40)
        new.write_bytes(table.journal.read_bytes())
        journal = new.read_bytes()
        old.write_bytes(journal[: len(journal) * 3 // 4])  # the record at its end is torn
    settings: Settings = first_table(2)
    here = {"host": "127.0.0.1", "port": 0, "timing": QUICK}
    stopped: Refusal | None = None
    try:
        async with open_table(settings, tmp_path / "h", resume=old, **here) as older:  # type: ignore[arg-type]
            where[:] = [older.address]
            async for cut in heard(guest):
                if cut.reason == "older_host":
                    break
            await asyncio.Event().wait()
    except Refusal as reason:
        stopped = reason
    assert stopped is not None
    assert stopped.code == "later_entries"
    assert guest.table.status == "connecting"
    async with open_table(settings, tmp_path / "h", resume=new, **here) as newer:  # type: ignore[arg-type]
        where[:] = [newer.address]
        await until(lambda: guest.table.status == "playing")
        assert guest.table.addresses[0] == newer.address
        await guest.leave()
