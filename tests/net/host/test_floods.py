"""Whoever sends far too much is sent away with a reason, for longer each time, and keeps the seat."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.host import server
from citadels_lan.net.host.lobby import FLOODING, Bans
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.server import AT_ONCE, PLAYER, SPECTATOR, SpectatorPort, SpectatorQueue
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import BACKLOG, Link
from citadels_lan.net.wire.messages import FROM_HOST, Bye, Pong, Role, decode, encode
from tests.facts import first_table
from tests.net.playing import QUICK, join, until
from tests.survival.watching import joined

# How long


FIRST, MEMORY, MOST = FLOODING[1], FLOODING[3], FLOODING[4]


def test_each_ban_is_twice_as_long_and_is_forgotten_after_an_hour() -> None:
    floods = Bans().flooding
    floods.note("a", 100.0)
    floods.note("a", 200.0)
    assert (floods.left("a", 200.0), floods.left("a", 207.0), floods.left("b", 200.0)) == (2 * FIRST, 3.0, 0.0)
    floods.note("a", 200.0 + MEMORY - 1)
    assert floods.left("a", 200.0 + MEMORY - 1) == 4 * FIRST
    floods.note("a", 200.0 + 2 * MEMORY)
    assert floods.left("a", 200.0 + 2 * MEMORY) == FIRST, "it was forgotten"


def test_the_last_bans_are_remembered() -> None:
    floods = Bans().flooding
    for number in range(MOST + 1):
        floods.note(f"{number}", 0.0)
    assert [floods.left(who, 0.0) for who in ("0", "1", f"{MOST}")] == [0.0, FIRST, FIRST]


# At a table


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[OpenTable]:
    """A table on loopback."""
    async with (
        asyncio.timeout(60),
        open_table(first_table(3), folder / "host", host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        yield table


async def reason_of(link: Link) -> Bye:
    """The host's goodbye."""
    while (frame := await link.frame()) is not None:
        if frame.type == Bye.type:
            bye = decode(frame, FROM_HOST)
            assert isinstance(bye, Bye)
            return bye
    raise AssertionError("it went without a word")


@pytest.mark.parametrize(("role", "limit"), [("player", PLAYER), ("spectator", SPECTATOR)])
async def test_a_flood_is_answered_with_a_reason(tmp_path: Path, role: Role, limit: tuple[int, float]) -> None:
    mallory = Identity.create()
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna") as anna:
        for seconds in (5, 10):
            link = await joined(table.port, "", "Mallory", role, identity=mallory)
            link.send(encode(Pong(0)) * (2 * limit[0]))
            assert await reason_of(link) == Bye("flooding", {"seconds": seconds})
            link.abort("left")
            await until(lambda: len(table.table.viewers) == 1)
            with pytest.raises(Refusal, match="far more than a player can") as turned:
                await joined(table.port, "", "Mallory", role, identity=mallory)
            assert turned.value.code == "flooding"
            forgive(table)
        assert [place.name for place in table.table.lobby.places] == (
            ["Anna", "Mallory"] if role == "player" else ["Anna"]
        )
        assert anna.table.status == "lobby"


def forgive(table: OpenTable) -> None:
    """The time is over."""
    for ban in table.table.lobby.bans.flooding._sources.values():
        ban.last -= 1000.0


async def test_a_key_is_free_so_the_source_counts_too(tmp_path: Path) -> None:
    """But whoever sits here comes in from there."""
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna"):
        link = await joined(table.port, "", "Mallory")
        link.send(encode(Pong(0)) * (2 * SPECTATOR[0]))
        assert (await reason_of(link)).code == "flooding"
        link.abort("left")
        with pytest.raises(Refusal) as turned:
            await joined(table.port, "", "Mallory with another key")
        assert turned.value.code == "flooding"
        async with await join(table, tmp_path / "a", "Anna") as again:
            assert again.table.seat == 0


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_whoever_comes_and_goes_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: Role
) -> None:
    """The seat stays, and whoever else sits here comes back as ever."""
    monkeypatch.setattr(server, "COMINGS", (3, 0.001))
    mallory = Identity.create()
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna"):
        for _ in range(3):
            (await joined(table.port, "", "Mallory", role, identity=mallory)).abort("left")
        for seconds in (5, 10):
            with pytest.raises(Refusal) as turned:
                await joined(table.port, "", "Mallory", role, identity=mallory)
            assert (turned.value.code, turned.value.details) == ("flooding", {"seconds": seconds})
            forgive(table)
        assert len(table.table.lobby.places) == (2 if role == "player" else 1)
        async with await join(table, tmp_path / "a", "Anna") as again:
            assert again.table.seat == 0


async def test_what_programs_of_ours_send_is_no_flood(tmp_path: Path) -> None:
    """The limit is far beyond what a burst of moves and acknowledgements needs."""
    async with opened(tmp_path) as table:
        link = await joined(table.port, "", "Wanda", "player")
        link.send(encode(Pong(0)) * (PLAYER[0] // 2))
        await until(lambda: link._transport.get_write_buffer_size() == 0)
        assert len(table.table.viewers) == 1
        link.abort("left")


# Spectators


class Ear:
    """A link that notes what is sent over it."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.closed_as: str | None = None

    def send(self, data: bytes) -> None:
        self.heard.append(data)

    def close(self, code: str) -> None:
        self.closed_as = code

    abort = close


async def test_spectators_are_served_a_few_at_a_time() -> None:
    queue, ears = SpectatorQueue(), [Ear() for _ in range(AT_ONCE + 3)]
    ports = [SpectatorPort(ear, queue) for ear in ears]  # type: ignore[arg-type]
    for port in ports:
        port.send(b"one")
        port.send(b"two")
    assert not any(ear.heard for ear in ears)
    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(queue.serve())
        await asyncio.sleep(0)
        assert [ear.heard for ear in ears] == [[b"onetwo"]] * AT_ONCE + [[]] * 3
        await until(lambda: ears[-1].heard == [b"onetwo"])
        ports[0].send(b"three")
        await until(lambda: ears[0].heard == [b"onetwo", b"three"])
        serving.cancel()


def test_port_of_a_spectator_is_bounded_and_closes_in_order() -> None:
    queue, slow, ear = SpectatorQueue(), Ear(), Ear()
    port = SpectatorPort(slow, queue)  # type: ignore[arg-type]
    for _ in range(3):
        port.send(bytes(BACKLOG // 2))
    assert (slow.closed_as, slow.heard) == ("behind", [])
    port.send(b"more")
    other = SpectatorPort(ear, queue)  # type: ignore[arg-type]
    other.send(b"last")
    other.close("over")
    other.send(b"too late")
    other.flush()
    assert (ear.heard, ear.closed_as) == ([b"last"], "over")
