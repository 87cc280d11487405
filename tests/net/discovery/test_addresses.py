"""A host with several addresses, some of which lead nowhere: on real sockets of this machine."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path

import pytest

from citadels_lan.cli.addresses import Address as Typed
from citadels_lan.cli.console import Console
from citadels_lan.cli.open.launcher import NoAnswer, TableLauncher
from citadels_lan.front.launcher import Preferences
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.found import Address, Advert
from citadels_lan.net.discovery.found import AdvertisedTable as Advertised
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.errors import Refusal
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
async def babbling() -> AsyncIterator[Address]:
    """An address at which something else answers."""

    async def babble(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()
        yield host, port
    finally:
        server.close()


async def test_all_addresses_are_tried_and_the_one_that_works_comes_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, babbling() as other:
        session = await Session.join(
            NOWHERE, others=[other, table.address], data_dir=tmp_path / "a", name="Anna", timing=QUICK
        )
        assert session.table.addresses == (table.address, NOWHERE, other)
        await session.leave()


async def test_who_finds_nobody_anywhere_says_so(tmp_path: Path) -> None:
    async with asyncio.timeout(60), babbling() as other:
        with pytest.raises(Refusal) as turned:
            await Session.join(NOWHERE, others=[other], data_dir=tmp_path / "a", name="Anna", timing=QUICK)
        assert (turned.value.code, turned.value.details) == ("unreachable", {"address": "127.0.0.1:1"})


async def test_coming_back_tries_every_announced_address(tmp_path: Path) -> None:
    """The network is another one: of the addresses announced now only the second leads to the host from here."""
    async with opened(tmp_path) as table, Wire(table).laid() as before, Wire(table).laid() as now:
        asked: list[bytes] = []

        async def locate(game: bytes) -> AsyncGenerator[Sequence[Address], None]:
            asked.append(game)
            yield (NOWHERE, now.address)

        session = await Session.join(
            before.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, locate=locate
        )
        before.up = False
        before.cut()
        await until(lambda: session.table.addresses[0] == now.address)
        await until(lambda: session.table.status == "lobby")
        assert asked[0] == table.game_id
        now.cut()
        await until(lambda: session.table.status != "lobby")
        await until(lambda: session.table.status == "lobby")
        assert session.table.addresses == (now.address, before.address)
        await session.leave()


async def test_another_table_at_the_old_address_is_passed_by(tmp_path: Path) -> None:
    async with opened(tmp_path) as table, opened(tmp_path / "other") as other, Wire(table).laid() as wire:

        async def locate(_: bytes) -> AsyncGenerator[Sequence[Address], None]:
            yield (other.address, table.address)

        session = await Session.join(
            wire.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, locate=locate
        )
        wire.up = False
        wire.cut()
        await until(lambda: session.table.addresses[0] == table.address)
        assert session.table.game_id == table.game_id
        await session.leave()


# The launcher


class Announced:
    """A browser that has found one table."""

    def __init__(self, table: OpenTable, addresses: tuple[Address, ...]) -> None:
        advert = Advert(table.game_id, "Ada", 0, 2, "lobby", "2016", table.fp)
        found = Advertised(advert, addresses)
        self.tables = {found.key: found}
        self.works = True
        self.isolated = False

    async def __aenter__(self) -> "Announced":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def news(self) -> AsyncIterator[None]:
        yield None


async def test_a_table_of_the_list_is_joined_at_any_of_its_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as table:
        browser = Announced(table, (NOWHERE, table.address))
        monkeypatch.setattr(TableLauncher, "everywhere", lambda _: browser)
        launcher = TableLauncher(Console(load("en")), Preferences(name="Anna"), tmp_path / "data", tmp_path)
        (shown,) = [found async for tables in launcher.browse() for found in tables or ()]
        await launcher.join(shown.address, "")
        assert launcher.session is not None
        assert launcher.session.table.addresses == (table.address, NOWHERE)
        await launcher.join(shown.address, "")
        assert launcher.session.table.addresses == (table.address, NOWHERE)
        await launcher.close()


async def test_where_no_address_answers_the_first_is_named(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(name="Anna"), tmp_path / "data", tmp_path)
    with pytest.raises(NoAnswer, match=r"127\.0\.0\.1:1:"):
        await launcher.sit([Typed(*NOWHERE), Typed("127.0.0.1", 2)])
