"""A host with several addresses, some of which lead elsewhere: on real sockets of this machine."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.launch import TableLauncher
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.adverts import Address, Advert, AdvertisedTable
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.presenter.launcher import Preferences
from citadels_lan.texts import load
from tests.facts import first_table
from tests.net.playing import QUICK, until
from tests.net.test_connections import Wire

NOWHERE = ("127.0.0.1", 1)


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[OpenTable]:
    async with (
        asyncio.timeout(60),
        open_table(first_table(2), folder / "host", host="127.0.0.1", port=0, timing=QUICK) as table,
    ):
        yield table


@contextlib.asynccontextmanager
async def other_program() -> AsyncIterator[Address]:
    """An address at which another program answers."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()
        yield host, port
    finally:
        server.close()


async def test_all_addresses_are_tried_and_the_working_one_comes_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, other_program() as other:
        session = await Session.join(
            NOWHERE, others=[other, table.address], data_dir=tmp_path / "a", name="Anna", timing=QUICK
        )
        assert session.table.addresses == (table.address, NOWHERE, other)
        await session.leave()
        with pytest.raises(Refusal) as turned:
            await Session.join(NOWHERE, others=[other], data_dir=tmp_path / "b", name="Bea", timing=QUICK)
        assert (turned.value.code, turned.value.details) == ("unreachable", {"address": "127.0.0.1:1"})


async def test_reconnecting_client_tries_every_announced_address(tmp_path: Path) -> None:
    """Of the addresses in a new network only the last one leads to the host. At another one is another table."""
    async with (
        opened(tmp_path) as table,
        opened(tmp_path / "other") as other,
        contextlib.AsyncExitStack() as stack,
    ):
        before, now = [await stack.enter_async_context(Wire(table).laid()) for _ in range(2)]
        asked: list[bytes] = []

        async def locate(game: bytes) -> AsyncGenerator[Sequence[Address], None]:
            asked.append(game)
            yield (NOWHERE, other.address, now.address)

        session = await Session.join(
            before.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, locate=locate
        )
        before.up = False
        before.cut()
        await until(lambda: session.table.addresses[0] == now.address)
        await until(lambda: session.table.status == "lobby")
        assert asked[0] == session.table.game_id == table.game_id
        now.cut()
        await until(lambda: session.table.status != "lobby")
        await until(lambda: session.table.status == "lobby")
        assert session.table.addresses == (now.address, before.address)
        await session.leave()


def launcher(folder: Path) -> TableLauncher:
    return TableLauncher(Console(load("en")), Preferences(name="Anna"), folder / "data", folder)


async def test_table_of_the_list_is_joined_at_any_of_its_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as table:
        advert = Advert(table.game_id, "Ada", 0, 2, "lobby", "2016", table.fp)
        announced = AdvertisedTable(advert, (NOWHERE, table.address))

        async def news() -> AsyncIterator[None]:
            yield None

        listed = SimpleNamespace(tables={announced.key: announced}, works=True, isolated=False, news=news)
        monkeypatch.setattr(
            "citadels_lan.net.discovery.table_list.everywhere", lambda **_: contextlib.nullcontext(listed)
        )
        program = launcher(tmp_path)
        (shown,) = [found async for tables in program.browse() for found in tables or ()]
        for _ in range(2):
            await program.join(shown.address, "")
            assert program.session is not None
            assert program.session.table.addresses == (table.address, NOWHERE)
        await program.close()
