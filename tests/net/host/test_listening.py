"""Where a host listens; which connections have to go before they have joined; that a silent one costs little."""

import asyncio
import contextlib
import random
import socket
import ssl
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.net.host.listening import (
    INCOMING,
    JOINING,
    MUTE,
    PACE,
    PORT,
    SILENT,
    Acceptor,
    Caller,
    Pending,
    listen,
)
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.limits import Slots, source_of
from citadels_lan.net.wire.messages import Noise, encode
from tests.facts import first_table
from tests.net.playing import QUICK, join, until

HERE = "127.0.0.1"


def test_a_port_that_is_taken_is_an_error_of_the_system() -> None:
    (taken,) = listen(HERE, 0)
    with taken, pytest.raises(OSError, match="in use"):
        listen(HERE, taken.getsockname()[1])


def test_the_usual_port_is_that_of_the_protocol() -> None:
    text = Path(__file__).parents[3].joinpath("docs", "protocol.md").read_text(encoding="utf-8")
    assert f"port {PORT} or any free one" in text


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """The options of a listening socket, which the connections that it accepts inherit."""
    done: list[tuple[object, ...]] = []

    class Noting:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *given: done.append((name, *given))

    monkeypatch.setattr(socket, "create_server", lambda *_, **__: Noting())
    monkeypatch.setattr(socket, "TCP_DEFER_ACCEPT", 9, raising=False)
    listen(HERE, 1)
    return [given for name, *given in done if name == "setsockopt"]


def test_the_system_keeps_little_of_what_a_flood_sends(options: list[list[object]]) -> None:
    assert [socket.SOL_SOCKET, socket.SO_RCVBUF, INCOMING] in options


def test_the_system_keeps_whoever_says_nothing(options: list[list[object]]) -> None:
    assert [socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, MUTE] in options


def test_a_system_that_cannot_lets_them_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "TCP_DEFER_ACCEPT", raising=False)
    (sock,) = listen(HERE, 0)
    with sock, socket.create_connection(sock.getsockname()):
        sock.setblocking(True)
        sock.accept()[0].close()


# Who has to go


class Line:
    """A connection's socket that does nothing."""

    def close(self) -> None: ...


class Callers:
    """Callers by name in one `Pending`. They are silent, or all of them `join` at once."""

    def __init__(self, pending: Pending) -> None:
        self.pending = pending
        self.gone: list[str] = []

    def come(self, *names: str, joining: bool = False) -> None:
        """Names like `a1`: the first letter is the source."""
        for name in names:
            caller = Caller(Line(), "", self.pending, name[0])  # type: ignore[arg-type]
            caller.dismiss = partial(self.gone.append, name)  # type: ignore[method-assign]
            if joining:
                self.pending._enter(self.pending.joining, caller, random.choice)
            else:
                self.pending.enter(caller)


def test_a_source_makes_room_for_itself() -> None:
    slots = Slots[str](10, 3)
    for name in ("a1", "b1", "a2", "a3"):
        assert not slots.rivals(name[0])
        slots.enter(name[0], name)
    assert slots.rivals("a") == ["a1", "a2", "a3"]
    assert not slots.rivals("b")
    assert not slots.rivals("c")


def test_the_largest_source_makes_room_for_others() -> None:
    slots = Slots[str](4, 3)
    for name in ("b1", "a1", "a2", "c1"):
        slots.enter(name[0], name)
    assert slots.rivals("d") == ["a1", "a2"]


def test_a_holder_that_leaves_makes_room() -> None:
    slots = Slots[str](1, 1)
    slots.enter("a", "a1")
    assert slots.rivals("a") == ["a1"]
    slots.leave("a", "a1")
    slots.leave("a", "a1")
    assert len(slots) == 0
    assert not slots.rivals("a")


def test_the_oldest_silent_connection_has_to_go() -> None:
    callers = Callers(Pending())
    callers.come(*[f"a{number}" for number in range(SILENT[1] + 2)])
    assert callers.gone == ["a0", "a1"]
    assert len(callers.pending.silent) == SILENT[1]


def test_who_of_those_that_join_has_to_go_is_drawn_by_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that somebody gets through whatever comes behind."""
    dice, stayed = random.Random(5), 0
    monkeypatch.setattr(random, "choice", dice.choice)
    for _ in range(400):
        callers = Callers(Pending())
        callers.come("a!", *[f"a{number}" for number in range(JOINING[1] + 5)], joining=True)
        stayed += "a!" not in callers.gone
    assert 200 < stayed < 320  # (11 / 12) ** 6 of 400 is 237


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_what_counts_as_one_source(address: str, source: str) -> None:
    assert source_of(address) == source


# Over sockets


def opened(folder: Path) -> contextlib.AbstractAsyncContextManager[OpenTable]:
    return open_table(first_table(2), folder / "host", host="127.0.0.1", port=0, timing=QUICK)


@pytest.mark.slow
async def test_nothing_of_tls_is_made_for_whoever_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    wrap = ssl.SSLContext.wrap_bio

    def wrap_bio(*args: Any, **options: Any) -> ssl.SSLObject:
        if options["server_side"]:
            made.append(args)
        return wrap(*args, **options)

    monkeypatch.setattr(ssl.SSLContext, "wrap_bio", wrap_bio)
    async with opened(tmp_path) as table, asyncio.timeout(60):
        streams = [await asyncio.open_connection(*table.address) for _ in range(SILENT[1] + 5)]
        for reader, _ in streams[:5]:
            assert await reader.read() == b"", "the oldest make room"
        assert not made
        session = await join(table, tmp_path / "a", "Anna")
        assert len(made) == 1
        await session.leave()
        for _, writer in streams:
            writer.transport.abort()


@pytest.mark.parametrize("data", [b"GET / HTTP/1.0\r\n\r\n", b"\x00" * 5000, encode(Noise())])
async def test_what_is_no_tls_is_closed_at_once(tmp_path: Path, data: bytes) -> None:
    async with opened(tmp_path) as table, asyncio.timeout(60):
        reader, writer = await asyncio.open_connection(*table.address)
        writer.write(data)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.transport.abort()


async def test_whoever_has_gone_already_gets_no_place() -> None:
    """A storm of those is what a flood is made of; and whoever comes behind them comes in."""
    (listening,) = listen("127.0.0.1", 0)
    placed: list[str] = []
    pending, served = Pending(), asyncio.Event()

    async def serve() -> None:
        served.set()

    with listening:
        for _ in range(20):
            socket.create_connection(listening.getsockname()).close()
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            acceptor = Acceptor(
                tasks,
                30.0,
                lambda address: placed.append(address) or (pending, address),  # type: ignore[func-returns-value]
                lambda _: tasks.create_task(serve()),
            )
            accepting = tasks.create_task(acceptor.run(listening))
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.write(b"\x16")
            await served.wait()
            accepting.cancel()
            writer.transport.abort()
    assert len(placed) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there every address of 127.0.0.0/8 is this machine's")
async def test_a_players_address_has_slots_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers take no place of whoever comes back; without the seat it is a stranger's address again."""
    came: list[tuple[str, Pending]] = []
    advance = Pending.advance

    async def note(pending: Pending, caller: Caller) -> None:
        came.append((caller.source, pending))
        await advance(pending, caller)

    monkeypatch.setattr(Pending, "advance", note)
    async with opened(tmp_path) as table, asyncio.timeout(60):
        anna = await join(table, tmp_path / "a", "Anna")
        writers: list[asyncio.StreamWriter] = []
        for own in ("127.0.0.2", "127.0.0.1", "127.0.0.1"):
            _, writer = await asyncio.open_connection(*table.address, local_addr=(own, 0))
            writer.write(b"\x16")
            await until(lambda: len(came) > len(writers) + 1)
            writers.append(writer)
            if len(writers) == 2:
                await anna.leave()
                await until(lambda: not table.table.lobby.places)
        (_, first), (_, stranger), (_, player), (_, again) = came
        assert first is stranger is again
        assert player is not stranger
        for writer in writers:
            writer.transport.abort()


async def test_who_begins_tls_waits_for_the_turn() -> None:
    """After the first ones, each some time after the one before, and in the order in which they came."""
    pending, turns = Pending(), []
    loop = asyncio.get_running_loop()

    async def come(number: int) -> None:
        caller = Caller(Line(), "", pending, f"{number}")  # type: ignore[arg-type]
        await pending.advance(caller)
        turns.append((number, loop.time()))
        pending.leave(caller)

    begin = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for number in range(PACE[0] + 2):
            tasks.create_task(come(number))
    assert [number for number, _ in turns] == list(range(PACE[0] + 2))
    assert turns[-1][1] - begin >= 2 / PACE[1] - 0.001
