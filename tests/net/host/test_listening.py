"""The sockets of a host, and the connections that have not joined: which ones are closed, and what they
cost."""

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest

from citadels_lan.net.host.connections import Caller, Pending
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.limits import source_of
from citadels_lan.net.wire.messages import Noise, encode
from tests.facts import first_table
from tests.net.playing import QUICK, join, until

# Who has to go


SOURCES = {
    "192.168.1.7": "192.168.1.7",
    "::ffff:192.168.1.7": "192.168.1.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "fe80::1%eth0": "fe80::/64",
    "somewhere": "somewhere",
}


def test_all_addresses_of_an_ipv6_64_network_count_as_one_source() -> None:
    assert {address: source_of(address) for address in SOURCES} == SOURCES


# Over sockets


def opened(folder: Path) -> contextlib.AbstractAsyncContextManager[OpenTable]:
    return open_table(first_table(2), folder / "host", host="127.0.0.1", port=0, timing=QUICK)


@pytest.mark.parametrize("data", [b"GET / HTTP/1.0\r\n\r\n", b"\x00" * 5000, encode(Noise())])
async def test_connection_without_tls_is_closed_at_once(tmp_path: Path, data: bytes) -> None:
    async with opened(tmp_path) as table, asyncio.timeout(60):
        reader, writer = await asyncio.open_connection(*table.address)
        writer.write(data)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.transport.abort()


@pytest.mark.skipif(sys.platform != "linux", reason="only there every address of 127.0.0.0/8 is this machine's")
async def test_address_of_a_player_has_separate_connection_slots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other connections cannot take the slot of a returning player. An address without a seat has no such
    slot."""
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
