"""Floods and crowds: bans, the memory of connections, and the queue of spectators."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.host import connections
from citadels_lan.net.host.connections import PLAYER, SPECTATOR, SpectatorPort
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.link import BACKLOG, Link
from citadels_lan.net.wire.messages import Bye, Pong, Role, encode
from tests.facts import first_table
from tests.net.links import goodbye
from tests.net.playing import QUICK, join, until
from tests.net.room import rejects
from tools.survival.watching import joined


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[OpenTable]:
    """Context with a table on loopback."""
    async with (
        asyncio.timeout(60),
        open_table(first_table(3), folder / "host", host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        yield table


async def flood(link: Link, count: int) -> Bye:
    """Send `count` messages. Return the host's goodbye."""
    link.send(encode(Pong(0)) * count)
    return await goodbye(link)


def forgive(table: OpenTable) -> None:
    """End all bans at the table, as if much time had passed."""
    for ban in table.table.lobby.bans.flooding._sources.values():
        ban.last -= 1000.0


@pytest.mark.parametrize(("role", "limit"), [("player", PLAYER), ("spectator", SPECTATOR)])
async def test_flooding_viewer_is_banned_for_longer_each_time_and_keeps_the_seat(
    tmp_path: Path, role: Role, limit: tuple[int, float]
) -> None:
    mallory = Identity.create()
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna") as anna:
        for seconds in (5, 10):
            link = await joined(table.port, "", "Mallory", role, identity=mallory)
            assert await flood(link, 2 * limit[0]) == Bye("flooding", {"seconds": seconds})
            await until(lambda: len(table.table.audience.viewers) == 1)
            with rejects("flooding"):
                await joined(table.port, "", "Mallory", role, identity=mallory)
            forgive(table)
        assert len(table.table.lobby.places) == (2 if role == "player" else 1)
        assert anna.table.status == "lobby"


async def test_ban_covers_other_keys_of_the_same_address_but_not_players_with_a_seat(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna"):
        link = await joined(table.port, "", "Mallory")
        assert (await flood(link, 2 * SPECTATOR[0])).code == "flooding"
        with rejects("flooding"):
            await joined(table.port, "", "Mallory with another key")
        async with await join(table, tmp_path / "a", "Anna") as again:
            assert again.table.seat == 0


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_viewer_who_joins_too_often_is_banned_and_keeps_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: Role
) -> None:
    monkeypatch.setattr(connections, "COMINGS", (3, 0.001))
    mallory = Identity.create()
    async with opened(tmp_path) as table, await join(table, tmp_path / "a", "Anna"):
        for _ in range(3):
            (await joined(table.port, "", "Mallory", role, identity=mallory)).abort("left")
        for seconds in (5, 10):
            with rejects("flooding") as reason:
                await joined(table.port, "", "Mallory", role, identity=mallory)
            assert reason.value.details == {"seconds": seconds}
            forgive(table)
        assert len(table.table.lobby.places) == (2 if role == "player" else 1)
        async with await join(table, tmp_path / "a", "Anna") as again:
            assert again.table.seat == 0


# Spectators


class Ear:
    """A link that records what is sent."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.closed_as: str | None = None

    def send(self, data: bytes) -> None:
        self.heard.append(data)

    def close(self, code: str) -> None:
        self.closed_as = code

    abort = close


def test_send_queue_of_a_spectator_is_bounded_and_closes_after_its_last_frame() -> None:
    queue, slow, ear = asyncio.Queue[SpectatorPort](), Ear(), Ear()
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
