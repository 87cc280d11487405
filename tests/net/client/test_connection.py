"""The connection of a client: which addresses it tries, how it reconnects after silence, and when it
acknowledges."""

import asyncio
import contextlib
import random
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import Action, State
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.connection import Greeted, Search
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from tests.extras.second import load
from tests.facts import first_game, first_table
from tests.net.playing import QUICK, join, play, random_action, seated, until
from tests.net.test_connections import Wire

ONE, TWO, THREE = (("10.0.0.1", 1), ("10.0.0.2", 1), ("10.0.0.3", 1))
QUICKLY: Final = (0.001, 0.002)


class Net:
    """A network with simulated addresses. Connecting to each leads to an answer, silence, or an error."""

    def __init__(self) -> None:
        self.there: dict[Address, Exception | None] = {}
        self.tried: list[Address] = []
        self.left: list[Address] = []

    async def greet(self, address: Address) -> Greeted:
        self.tried.append(address)
        if address not in self.there:
            await asyncio.sleep(3600)
        if (failure := self.there[address]) is not None:
            raise failure
        link = SimpleNamespace(abort=lambda _: self.left.append(address))
        return Greeted(address, link, None, None)  # type: ignore[arg-type]  # no one joins


@pytest.fixture
def net() -> Net:
    return Net()


async def taken(search: Search) -> Address | None:
    async with asyncio.timeout(60):
        greeted = await search.found()
    return greeted.address if greeted is not None else None


async def test_address_that_does_not_answer_does_not_delay_the_next_one(net: Net) -> None:
    net.there[TWO] = None
    with contextlib.closing(Search(net.greet)) as search:
        search.at((ONE, TWO))
        assert await taken(search) == TWO
    assert net.tried == [ONE, TWO]


async def test_final_rejection_ends_the_search_of_a_new_client_only(net: Net) -> None:
    net.there[ONE] = Refusal("table_full")
    with contextlib.closing(Search(net.greet)) as search:
        search.at((ONE, TWO))
        with pytest.raises(Refusal):
            await taken(search)
    net.there[TWO] = None
    with contextlib.closing(Search(net.greet, QUICKLY)) as search:
        search.at((ONE, TWO))
        assert await taken(search) == TWO, "the program at the first address may be another one"


async def test_reconnecting_client_retries_known_addresses_and_tries_announced_ones_once(net: Net) -> None:
    net.there |= {ONE: Refusal("unreachable"), TWO: Refusal("unreachable")}
    with contextlib.closing(Search(net.greet, QUICKLY)) as search:
        search.at((ONE,))
        search.at((TWO,), again=False)
        await until(lambda: net.tried.count(ONE) >= 9 and TWO in net.tried)
        assert net.tried.count(TWO) == 1
        search.at((TWO,), again=False)
        await until(lambda: net.tried.count(TWO) >= 2)
        net.there[ONE] = None
        assert await taken(search) == ONE


async def test_cancelled_join_leaves_no_task_behind(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    called: list[asyncio.StreamWriter] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append(writer)  # kept: without it the connection is closed

    async with asyncio.timeout(60), await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        joining = asyncio.get_running_loop().create_task(  # kept: awaited below
            Session.join(server.sockets[0].getsockname(), data_dir=tmp_path, name="Ann")
        )
        await until(lambda: bool(called))
        joining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await joining
        assert asyncio.all_tasks() == before
        called[0].close()


# Reconnecting

SILENT = Timing(ping=0.2, away=60.0, drop=120.0, handshake=5.0, frame=5.0, retry=(0.02, 0.2), sealed=0.02)


class SlowWire(Wire):
    """A connection that holds back all data while `open` is not set."""

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
async def slow(folder: Path, *, found: bool) -> AsyncIterator[tuple[OpenTable, SlowWire, Session, asyncio.Event]]:
    """Context with a table, the connection of a session to it, the session, and an event that is set when the
    session searches for its host. `found`: the search finds the host."""
    searched = asyncio.Event()

    async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
        searched.set()
        if not found:
            raise ExceptionGroup("while searching", [OSError()])
        yield (table.address,)
        await asyncio.sleep(3600)

    async with (
        asyncio.timeout(60),
        open_table(first_table(2), folder / "host", host="127.0.0.1", port=0, timing=SILENT) as table,
    ):
        wire = SlowWire(table)
        async with wire.laid():
            session = await Session.join(
                wire.address, data_dir=folder / "a", name="Anna", timing=SILENT, locate=locate
            )
            yield table, wire, session, searched
            await session.leave()


async def cuts(session: Session) -> AsyncIterator[Disconnected]:
    async with asyncio.timeout(60):
        async for update in session.updates():
            if isinstance(update, Disconnected):
                yield update


async def test_connection_that_is_silent_is_replaced_by_one_that_answers(tmp_path: Path) -> None:
    async with slow(tmp_path, found=True) as (table, wire, session, _):
        wire.open.clear()
        async for cut in cuts(session):
            assert cut == Disconnected("no_answer")
            break
        await until(lambda: session.table.status == "lobby")
        assert session.table.addresses[0] == table.address


@pytest.mark.slow
async def test_client_leaves_a_resumed_older_copy_and_finds_the_newer_host(tmp_path: Path) -> None:
    where: list[Address] = []

    async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
        while True:
            yield tuple(where)
            await asyncio.sleep(0.05)

    old, new = tmp_path / "old.journal", tmp_path / "new.journal"
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
        journal = table.journal.read_bytes()
        new.write_bytes(journal)
        old.write_bytes(journal[: len(journal) * 3 // 4])  # the last record of the copy is torn
    here = {"host": "127.0.0.1", "port": 0, "timing": QUICK}

    async def meet_the_older_copy() -> None:
        async with open_table(first_table(2), tmp_path / "h", resume=old, **here) as older:  # type: ignore[arg-type]
            where[:] = [older.address]
            async for cut in cuts(guest):
                if cut.reason == "older_host":
                    break
            await asyncio.Event().wait()

    with pytest.raises(Refusal) as stopped:
        await meet_the_older_copy()
    assert stopped.value.code == "later_entries"
    assert guest.table.status == "connecting"
    async with open_table(first_table(2), tmp_path / "h", resume=new, **here) as newer:  # type: ignore[arg-type]
        where[:] = [newer.address]
        await until(lambda: guest.table.status == "playing")
        assert guest.table.addresses[0] == newer.address
        await guest.leave()


class Bot:
    """A substitute bot that moves at random."""

    ignores_events = True

    def told(self, *_: object) -> None:
        raise AssertionError("a bot that ignores events is sent nothing")

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, random.Random(seat))


@contextlib.asynccontextmanager
async def table_of(folder: Path, resume: Path | None = None) -> AsyncIterator[OpenTable]:
    """Context with a table (resumed from `resume` if given) at which no player is on the host's computer.
    Substitute bots move for absent players."""
    takeover = Takeover(lambda _: Bot(), 0.0)
    here = {"host": "127.0.0.1", "port": 0, "timing": QUICK, "unattended": True}
    async with open_table(Settings(first_game(3)), folder, resume=resume, takeover=takeover, **here) as table:  # type: ignore[arg-type]
        yield table


@contextlib.asynccontextmanager
async def begun(folder: Path) -> AsyncIterator[tuple[OpenTable, list[Session], Path]]:
    """Context with a game that waits for one seat and whose clients have all entries: its table, its
    sessions, and a copy of its journal."""
    async with contextlib.AsyncExitStack() as stack:
        table = await stack.enter_async_context(table_of(folder / "host"))
        sessions = [await join(table, folder / str(seat), f"Player {seat}") for seat in range(3)]
        for session in sessions:
            stack.push_async_callback(session.leave)
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(play(session, seat, until=20))
        await until(lambda: len({session.table.head for session in sessions}) == 1 and bool(asked(sessions)))
        yield table, sessions, Path(shutil.copy(table.journal, folder / "copy.journal"))


def asked(sessions: Sequence[Session]) -> list[Session]:
    return [session for session in sessions if session.table.choices]


async def move(session: Session) -> None:
    await session.act(random_action(session.table.choices, random.Random(1)))


async def back_at(table: OpenTable, session: Session, folder: Path) -> Session:
    """Let the player of a session reconnect to this table, with the player's files. Return the new
    session."""
    return await Session.join(table.address, data_dir=folder / str(session.table.seat), name="Back", timing=QUICK)


async def split(folder: Path, sessions: list[Session], second: OpenTable) -> list[Path]:
    """Make two hosts sign two histories: the player who has to move stays with the first host and moves;
    another player joins the second host, where a bot moves. Return the files of both players."""
    mover = asked(sessions)[0]
    other = next(session for session in sessions if session is not mover)
    n = mover.table.head.n
    await other.leave()
    await move(mover)
    there = await back_at(second, other, folder)
    await until(lambda: there.table.head.n > n)
    await there.leave()
    staying = [session for session in sessions if session is not other]
    while mover.table.head.n < there.table.head.n:  # the first host must not be behind the second one
        await until(lambda: bool(asked(staying)) or mover.table.head.n >= there.table.head.n)
        for session in asked(staying):
            await move(session)
    return [path for path in (mover.table.transcript, there.table.transcript) if path is not None]


def proofs(*paths: Path) -> set[str]:
    return {finding.code for finding in verify(paths).findings if finding.kind == "proof"}


async def test_player_who_meets_both_hosts_has_proof_and_stops_the_host(tmp_path: Path) -> None:
    stopped: Refusal | None = None
    try:
        async with begun(tmp_path) as (first, sessions, journal):
            async with table_of(tmp_path / "host", resume=journal) as second:
                files = await split(tmp_path, sessions, second)
            assert [proofs(path) for path in files] == [set(), set()], "each is one history"
            assert proofs(*files) == {"two_histories"}
            assert load().main([str(path) for path in files]) == 1, "the second verifier agrees"
            other = next(session for session in sessions if session.table.transcript == files[1])
            await until(lambda: bool(asked(sessions)))  # no bot has to move
            assert first.table.game is not None
            n = first.table.game.n
            with pytest.raises(Refusal) as turned:
                await back_at(first, other, tmp_path)
            await until(lambda: first.table.stopped is not None)
            assert first.table.game.n == n, "nothing is signed after that"
            await asyncio.Event().wait()
    except Refusal as reason:
        stopped = reason
    assert (turned.value.code, turned.value.transcript) == ("two_histories", files[1])
    assert stopped is not None
    assert stopped.code == "signed_elsewhere"
    assert read(files[1]).alarm is not None
