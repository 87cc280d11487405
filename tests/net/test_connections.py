"""Real connections on this machine: lost ones, hostile ones, silent ones, and a host that is killed."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import parse
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm, Connected, Disconnected
from citadels_lan.net.host.listening import SILENT
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.handshake import ClientHandshake, Profile, Versions
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import FROM_HOST, VERSIONS, Bye, Hello, LobbyNews, Settings, decode, encode
from citadels_lan.net.wire.timing import Timing
from tests.facts import first_table

from .playing import QUICK, join, play_all, reached, seated, until

pytestmark = pytest.mark.slow


class Wire:
    """A stretch of network between a client and a table that can be cut."""

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
        """Every connection over it is gone, without a word."""
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


async def test_a_cut_connection_comes_back_and_goes_on(tmp_path: Path) -> None:
    async with (
        seated(tmp_path, 3, bots=0) as (table, sessions),
        Wire(table).laid() as wire,
        asyncio.timeout(60),
    ):
        await sessions[2].leave()
        sessions[2] = await Session.join(wire.address, data_dir=tmp_path / "2", name="Far", timing=QUICK)
        await sessions[2].ready()
        await sessions[0].start()

        async def cutting() -> None:
            for _ in range(6):
                await until(reached(sessions[0], sessions[0].table.head.n + 12))
                wire.cut()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(sessions))
            tasks.create_task(cutting())
        await table.over()
        assert len({session.table.head for session in sessions}) == 1
        assert {session.table.status for session in sessions} == {"over"}


async def test_what_a_cut_looks_like(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions), Wire(table).laid() as wire, asyncio.timeout(60):
        await sessions[1].leave()
        far = await Session.join(wire.address, data_dir=tmp_path / "1", name="Far", timing=QUICK)
        await far.ready()
        await sessions[0].start()
        seen = []

        async def look() -> None:
            async for update in far.updates():
                seen.append(update)

        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(look())
            await until(reached(far, 3))
            wire.up = False
            wire.cut()
            await until(lambda: any(isinstance(update, Disconnected) for update in seen))
            assert far.table.status == "connecting"
            assert far.table.choices == ()
            with pytest.raises(Rejected):
                await far.act(parse("gather gold", 1))
            await until(lambda: 1 in sessions[0].table.away)
            wire.up = True
            await until(lambda: sum(isinstance(update, Connected) for update in seen) == 2)
            await until(lambda: not sessions[0].table.away)
            task.cancel()
        assert far.table.state is not None
        await far.leave()


async def test_a_cut_in_the_lobby_keeps_the_seat(tmp_path: Path) -> None:
    async with (
        open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table,
        Wire(table).laid() as wire,
        asyncio.timeout(60),
    ):
        far = await Session.join(wire.address, data_dir=tmp_path / "0", name="Far", timing=QUICK)
        await far.ready()
        wire.cut()
        await until(lambda: table.table.lobby.places[0].away)
        await until(lambda: not table.table.lobby.places[0].away)
        await until(lambda: far.table.status == "lobby")
        assert far.table.lobby[0].ready
        await far.leave()
        await until(lambda: not table.table.lobby.places)


async def test_a_lobby_that_closes_is_looked_for_until_the_person_leaves(tmp_path: Path) -> None:
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


async def test_a_table_that_nobody_attends_begins_by_itself(tmp_path: Path) -> None:
    async with (
        open_table(
            first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK, unattended=True
        ) as table,
        await join(table, tmp_path / "0", "Anna") as anna,
        await join(table, tmp_path / "1", "Bea") as bea,
    ):
        await play_all([anna, bea])
        await table.over()
        assert anna.table.head == bea.table.head


async def test_who_does_not_read_loses_the_connection(table: OpenTable) -> None:
    link = await joined(table, "Deaf")
    (viewer,) = table.table.viewers
    port = viewer.port
    assert isinstance(port, Link)
    for _ in range(2000):
        port.send(encode(Bye("left")) * 16)
    assert port.closed_as == "behind"
    await until(lambda: not table.table.viewers)
    link.abort("left")


HOST = """
    import asyncio, sys
    from pathlib import Path
    from citadels_lan.net.host.opening import open_table
    from citadels_lan.net.wire.timing import Timing
    from tests.facts import first_table

    async def main():
        folder, resume = Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None
        settings, timing = first_table(2), Timing(ping=0.5, away=1.0, drop=3.0)
        async with open_table(settings, folder, host="127.0.0.1", port=None if resume else 0, timing=timing,
                              resume=resume) as table:
            print(table.port, table.journal, flush=True)
            await table.over()

    asyncio.run(main())
"""


def start_host(folder: Path, *journal: str) -> tuple[subprocess.Popen[str], int, str]:
    """The table in a process of its own."""
    code = textwrap.dedent(HOST)
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(folder), *journal], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    port, path = process.stdout.readline().split()
    return process, int(port), path


async def test_a_killed_host_is_resumed_and_nobody_has_to_do_anything(tmp_path: Path) -> None:
    host, port, journal = start_host(tmp_path / "host")
    sessions: list[Session] = []
    try:
        for seat in range(2):
            folder = tmp_path / str(seat)
            address = ("127.0.0.1", port)
            sessions.append(await Session.join(address, data_dir=folder, name=f"P{seat}", timing=QUICK))
            await sessions[-1].ready()
        await sessions[0].start()

        async def killing() -> None:
            nonlocal host
            for n in (15, 40, 41):
                await until(reached(sessions[0], n))
                host.send_signal(signal.SIGKILL)
                host.communicate()
                host, again, _ = start_host(tmp_path / "host", journal)
                assert again == port

        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(sessions))
            tasks.create_task(killing())
        assert len({session.table.head for session in sessions}) == 1
        assert os.stat(journal).st_mode & 0o777 == 0o600
    finally:
        for session in sessions:
            await session.leave()
        host.kill()
        host.communicate()


async def test_a_host_whose_disk_is_full_says_so_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions):
        await sessions[0].start()
        game = table.table.game
        assert game is not None
        keep, game._keep = game._keep, full
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(sessions))
            await until(lambda: all(session.table.halted == "disk_full" for session in sessions))
            game._keep = keep
        assert {session.table.status for session in sessions} == {"over"}
        assert {session.table.halted for session in sessions} == {""}


def full(_: object) -> None:
    raise OSError(28, "No space left on device")


async def test_errors_of_those_who_use_a_table_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0):
            raise ZeroDivisionError


# What knocks at the door


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[OpenTable]:
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as opened:
        yield opened


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.0\r\n\r\n", b"\x00" * 5000, b"\xff" * 5000, b"\x16\x03\x01\xff\xff" + b"x" * 70000]
)
async def test_garbage_instead_of_tls(table: OpenTable, tmp_path: Path, data: bytes) -> None:
    reader, writer = await asyncio.open_connection(*table.address)
    writer.write(data)
    with contextlib.suppress(OSError):
        await reader.read()
    writer.transport.abort()
    async with await join(table, tmp_path / "a", "Anna") as session:
        assert session.table.seat == 0


@pytest.mark.parametrize(
    "data", [b"\x00" * 64, b"\xff" * 64, b"\x00\x00\x01\x00\x01" + b"\xc1" * 256, encode(Bye("left"))]
)
async def test_garbage_inside_tls(table: OpenTable, tmp_path: Path, data: bytes) -> None:
    link = await connect(*table.address, 5)
    link.send(data)
    frame = await link.frame()
    assert frame is not None
    assert decode(frame, FROM_HOST) == Bye("malformed")
    assert await link.frame() is None
    link.abort("left")
    async with await join(table, tmp_path / "a", "Anna") as session:
        assert session.table.seat == 0


async def joined(table: OpenTable, name: str) -> Link:
    """A raw connection that has joined and read its first lobby."""
    link = await connect(*table.address, 5)
    handshake = ClientHandshake(Identity.create(), Profile(name), link.fp, Versions())
    link.send(handshake.hello)
    for _ in range(2):
        frame = await link.frame()
        assert frame is not None
        handshake.receive(frame)
    link.send(handshake.join(0, bytes(32)))
    link.trust()
    while (frame := await link.frame()) is not None and frame.type != LobbyNews.type:
        pass
    return link


@pytest.mark.parametrize("data", [b"\xff" * 64, b"\x00\x00\x01\x00\x20" + b"\xc1" * 256])
async def test_garbage_after_joining(table: OpenTable, tmp_path: Path, data: bytes) -> None:
    link = await joined(table, "Mallory")
    link.send(data)
    frame = await link.frame()
    while frame is not None and frame.type != Bye.type:
        frame = await link.frame()
    assert frame is not None
    assert decode(frame, FROM_HOST) == Bye("malformed")
    link.abort("left")
    async with await join(table, tmp_path / "a", "Anna") as session:
        assert session.table.status == "lobby"


async def test_a_frame_that_trickles_in_is_given_up(tmp_path: Path) -> None:
    hurried = Timing(ping=0.5, away=1.0, drop=3.0, handshake=0.5, frame=0.3, retry=(0.02, 0.2), sealed=0.02)
    async with (
        open_table(Settings(), tmp_path / "host", host="127.0.0.1", port=0, timing=hurried) as table,
        asyncio.timeout(60),
    ):
        link = await joined(table, "Slow")
        link.send(b"\x00\x00")
        frame = await link.frame()
        while frame is not None and frame.type != Bye.type:
            frame = await link.frame()
        link.abort("left")
        assert all(viewer.name != "Slow" for viewer in table.table.viewers)


async def test_hundreds_of_silent_connections_keep_nobody_out(table: OpenTable, tmp_path: Path) -> None:
    writers = []
    for count in range(300):
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(*table.address)
            writers.append(writer)
            if count % 3 == 0:
                writer.write(b"\x16\x03\x01\x02\x00\x01")
    async with asyncio.timeout(60), await join(table, tmp_path / "a", "Anna") as session:
        assert session.table.seat == 0
    assert len(writers) > SILENT[1]
    for writer in writers:
        writer.transport.abort()


async def test_other_version_is_rejected_with_both_names(table: OpenTable) -> None:
    link = await connect(*table.address, 5)
    hello = Hello(
        "citadels-lan",
        7,
        9,
        bytes(32),
        "citadels-lan 9",
        (),
        bytes(32),
        "player",
        "Anna",
        bytes(32),
        SeatKind.PLAYER,
    )
    link.send(encode(hello))
    frame = await link.frame()
    assert frame is not None
    bye = decode(frame, FROM_HOST)
    assert bye == Bye(
        "other_version",
        {"joining": "citadels-lan 9 (protocol 9, rules 00000000)", "host": str(Versions())},
    )
    link.abort("left")


async def test_a_full_table_over_the_wire(table: OpenTable, tmp_path: Path) -> None:
    async with await join(table, tmp_path / "a", "Anna"), await join(table, tmp_path / "b", "Bea"):
        with pytest.raises(Refusal, match="The table is full"):
            await join(table, tmp_path / "c", "Carla")
        async with await join(table, tmp_path / "c", "Carla", role="spectator") as watcher:
            assert watcher.table.seat is None
            assert watcher.table.names == ("Anna", "Bea")


async def test_names_with_control_characters(table: OpenTable, tmp_path: Path) -> None:
    async with await join(table, tmp_path / "a", "\x1b[2JA\u202enna\u200b") as session:
        assert session.table.names == ("[2JAnna",)
    with pytest.raises(Refusal) as turned:
        await join(table, tmp_path / "b", "\u200b\n")
    assert turned.value.code == "no_name"


async def test_a_hostile_client_does_not_get_its_name_through(table: OpenTable) -> None:
    link = await connect(*table.address, 5)
    own = Versions()
    hello = Hello(
        "citadels-lan",
        *VERSIONS,
        own.rules,
        own.program,
        (),
        bytes(32),
        "player",
        "A\u202ennA",
        Identity.create().public,
        SeatKind.PLAYER,
    )
    link.send(encode(hello))
    frame = await link.frame()
    assert frame is not None
    assert decode(frame, FROM_HOST) == Bye("malformed")
    link.abort("left")


async def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as turned:
        await Session.join(("127.0.0.1", 1), data_dir=tmp_path, name="Anna", timing=QUICK)
    assert turned.value.code == "unreachable"
    assert "127.0.0.1:1" in str(turned.value)


async def test_something_else_there(tmp_path: Path) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        await reader.read()
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        with pytest.raises(Refusal) as turned:
            await Session.join(address, data_dir=tmp_path, name="Anna", timing=QUICK)
    assert turned.value.code == "not_citadels"


# Sessions


async def test_the_lobby_over_the_wire(table: OpenTable, tmp_path: Path) -> None:
    async with (
        await table.join("Anna", tmp_path / "a") as anna,
        await join(table, tmp_path / "b", "Bea") as bea,
    ):
        assert (anna.table.owner, bea.table.owner) == (True, False)
        with pytest.raises(Rejected) as rejected:
            await bea.start()
        assert rejected.value.code == "owner_only"
        await anna.configure(first_table(3))
        with pytest.raises(Rejected) as rejected:
            await anna.start()
        assert rejected.value.code == "seats_free"
        await anna.configure(first_table(2))
        await bea.ready()
        await anna.chat("let's go")
        await anna.start()
        await until(lambda: anna.table.status == "playing")


async def test_a_spectator_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions), asyncio.timeout(60):
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play_all(sessions))
            await until(reached(sessions[0], 20))
            watcher = await join(table, tmp_path / "w", "Wanda", role="spectator")
            async for update in watcher.updates():
                assert not isinstance(update, Alarm)
                if watcher.table.status == "over":
                    break
        assert watcher.table.head == sessions[0].table.head
        assert watcher.table.transcript is not None
        await watcher.leave()


async def test_after_the_game_the_host_says_goodbye(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions):
        await sessions[0].start()
        await play_all(sessions)
        await table.over()
    assert [session.table.status for session in sessions] == ["over", "over"]
