"""Real connections on this machine: lost connections, and hostile clients."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import parse
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.handshake import Versions
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.link import connect
from citadels_lan.net.wire.messages import VERSIONS, Bye, Hello, encode
from tests.facts import first_table
from tests.net.links import goodbye
from tests.net.room import rejects
from tools.survival.watching import joined

from .playing import QUICK, join, reached, seated, until


class Wire:
    """A network connection between a client and a table, which a test can cut."""

    def __init__(self, table: OpenTable) -> None:
        self._table = table
        self._writers: set[asyncio.StreamWriter] = set()
        self.up = True
        self.address = ("127.0.0.1", 0)

    @contextlib.asynccontextmanager
    async def laid(self) -> AsyncIterator["Wire"]:
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = server.sockets[0].getsockname()
        try:
            yield self
        finally:
            server.close()
            self.cut()

    def cut(self) -> None:
        """Close every connection without a goodbye."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.up:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(*self._table.address)
        self._writers |= {writer, back}
        with contextlib.suppress(OSError):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pump(reader, back))
                tasks.create_task(self._pump(there, writer))

    @staticmethod
    async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.transport.abort()


async def test_lost_connection_is_shown_to_both_sides_until_it_is_restored(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions), Wire(table).laid() as wire, asyncio.timeout(60):
        await sessions[1].leave()
        far = await Session.join(wire.address, data_dir=tmp_path / "1", name="Far", timing=QUICK)
        await far.ready()
        wire.cut()
        await until(lambda: table.table.lobby.places[1].away)
        await until(lambda: not table.table.lobby.places[1].away and far.table.status == "lobby")
        assert far.table.lobby[1].ready
        await sessions[0].start()
        await until(reached(far, 3))
        wire.up = False
        wire.cut()
        async for update in far.updates():
            if isinstance(update, Disconnected) and not wire.up and far.table.status == "connecting":
                break
        assert far.table.choices == ()
        with pytest.raises(Rejected):
            await far.act(parse("gather gold", 1))
        await until(lambda: 1 in sessions[0].table.away)
        wire.up = True
        await until(lambda: not sessions[0].table.away and far.connection.up)
        assert far.table.state is not None
        await far.leave()


async def test_client_searches_for_a_closed_lobby_until_its_player_leaves(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table:
        session = await Session.join(table.address, data_dir=tmp_path / "0", name="Anna", timing=QUICK)
    async with asyncio.timeout(60):
        async for update in session.updates():
            if update == Disconnected("closing"):
                break
        assert session.table.status == "connecting"
        assert session.table.reason is None
        await session.leave()
    assert session.table.reason is not None


# Hostile clients


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[OpenTable]:
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as opened:
        yield opened


def hello(program: str, versions: tuple[int, int], rules: bytes, name: str) -> bytes:
    """Return the bytes of a hello message with these fields."""
    key = Identity.create().public
    return encode(
        Hello("citadels-lan", *versions, rules, program, (), bytes(32), "player", name, key, SeatKind.PLAYER)
    )


async def test_invalid_bytes_end_only_their_own_connection(table: OpenTable, tmp_path: Path) -> None:
    own, bad = Versions(), Bye("malformed")
    other: dict[str, str | int] = {"joining": "citadels-lan 9 (protocol 9, rules 00000000)", "host": str(own)}
    before = {
        b"\x00" * 64: bad,
        b"\xff" * 64: bad,
        b"\x00\x00\x01\x00\x01" + b"\xc1" * 256: bad,
        encode(Bye("left")): bad,
        hello(own.program, VERSIONS, own.rules, "A\u202ennA"): bad,
        hello("citadels-lan 9", (7, 9), bytes(32), "Anna"): Bye("other_version", other),
    }
    for data, bye in before.items():
        link = await connect(*table.address, 5)
        link.send(data)
        assert await goodbye(link) == bye
    for data in (b"\xff" * 64, b"\x00\x00\x01\x00\x20" + b"\xc1" * 256):
        link = await joined(table.port, "", "Mallory")
        link.send(data)
        assert await goodbye(link) == bad
    reader, writer = await asyncio.open_connection(*table.address)
    writer.write(b"\x16\x03\x01\xff\xff" + b"x" * 70_000)
    with contextlib.suppress(OSError):
        await reader.read()
    writer.transport.abort()
    async with await join(table, tmp_path / "a", "Anna") as session:
        assert session.table.seat == 0


async def test_address_without_a_table_is_reported(tmp_path: Path) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        await reader.read()
        writer.close()

    with rejects("unreachable") as reason:
        await Session.join(("127.0.0.1", 1), data_dir=tmp_path, name="Anna", timing=QUICK)
    assert "127.0.0.1:1" in str(reason.value)
    async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
        with rejects("not_citadels"):
            await Session.join(server.sockets[0].getsockname(), data_dir=tmp_path, name="Anna", timing=QUICK)
