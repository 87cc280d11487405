"""Before the door: who has to go where it is crowded, and that whoever says nothing costs next to nothing."""

import asyncio
import contextlib
import random
import socket
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.net.host.gate import JOINING, PACE, SILENT, Caller, Crowd, FirstBytes, Gate, source_of
from citadels_lan.net.host.listening import listen
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.messages import Noise, encode
from tests.facts import first_table
from tests.net.playing import QUICK, join, until


class Callers:
    """Callers by name, and who of them had to go."""

    def __init__(self) -> None:
        self.gone: list[str] = []

    def come(self, crowd: Crowd, *names: str) -> None:
        """Names like `a1`: the first sign is the source."""
        for name in names:
            crowd.enter(Caller(name[0], lambda name=name: self.gone.append(name)))  # type: ignore[misc]


def oldest(most: int, of_one: int) -> Crowd:
    return Crowd(most, of_one, lambda callers: callers[0])


def test_a_source_makes_room_for_itself() -> None:
    crowd, callers = oldest(10, 3), Callers()
    callers.come(crowd, "a1", "b1", "a2", "a3", "a4", "a5", "b2")
    assert callers.gone == ["a1", "a2"]
    assert len(crowd) == 5


def test_the_largest_source_makes_room_for_others() -> None:
    crowd, callers = oldest(4, 3), Callers()
    callers.come(crowd, "b1", "a1", "a2", "c1", "d1", "e1")
    assert callers.gone == ["a1", "b1"]


def test_whoever_is_further_makes_room() -> None:
    crowd = oldest(1, 1)
    caller = Caller("a", lambda: pytest.fail("it had left"))
    crowd.enter(caller)
    crowd.leave(caller)
    crowd.leave(caller)
    crowd.enter(Caller("a", list))


def test_who_of_those_that_join_has_to_go_is_drawn_by_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that somebody gets through whatever comes behind."""
    dice, stayed = random.Random(5), 0
    monkeypatch.setattr(random, "choice", dice.choice)
    for _ in range(400):
        crowd, callers = Gate().joining, Callers()
        callers.come(crowd, "a!", *[f"a{number}" for number in range(JOINING[1] + 5)])
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
    async with opened(tmp_path) as table, asyncio.timeout(30):
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
    async with opened(tmp_path) as table, asyncio.timeout(30):
        reader, writer = await asyncio.open_connection(*table.address)
        writer.write(data)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.transport.abort()


async def test_whoever_has_gone_already_gets_no_place() -> None:
    """A storm of those is what a flood is made of; and whoever comes behind them comes in."""
    (listening,) = listen("127.0.0.1", 0)
    placed: list[str] = []
    gate, served = Gate(), asyncio.Event()

    async def serve() -> None:
        served.set()

    with listening:
        for _ in range(20):
            socket.create_connection(listening.getsockname()).close()
        async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
            porch = FirstBytes(
                tasks,
                30.0,
                lambda address: placed.append(address) or (gate, address),  # type: ignore[func-returns-value]
                lambda *_: tasks.create_task(serve()),
            )
            accepting = tasks.create_task(porch.accept(listening))
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.write(b"\x16")
            await served.wait()
            accepting.cancel()
            writer.transport.abort()
    assert len(placed) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there every address of 127.0.0.0/8 is this machine's")
async def test_a_players_address_has_a_gate_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers take no place of whoever comes back; without the seat it is a stranger's address again."""
    came: list[tuple[str, Gate]] = []
    advance = Gate.advance

    async def note(gate: Gate, caller: Caller) -> None:
        came.append((caller.source, gate))
        await advance(gate, caller)

    monkeypatch.setattr(Gate, "advance", note)
    async with opened(tmp_path) as table, asyncio.timeout(30):
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
    gate, turns = Gate(), []
    loop = asyncio.get_running_loop()

    async def come(number: int) -> None:
        await gate.advance(Caller(f"{number}", list))
        turns.append((number, loop.time()))

    begin = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for number in range(PACE[0] + 2):
            tasks.create_task(come(number))
    assert [number for number, _ in turns] == list(range(PACE[0] + 2))
    assert turns[-1][1] - begin >= 2 / PACE[1] - 0.001
