"""The list of tables from several sources, the remembered addresses, and what players see if no source
works."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.hosted import Hosted, HostOptions
from citadels_lan.cli.launch import TableLauncher, addresses
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.adverts import Address, Advert, AdvertisedTable, TableKey, TableSource
from citadels_lan.net.discovery.interfaces import here
from citadels_lan.net.discovery.table_list import SILENT, Remembered, TableList
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.presenter.launcher import Preferences
from citadels_lan.texts import load
from tests.effort import one_case
from tests.facts import first_table
from tests.lan import Lan, missing
from tests.net.discovery import ADVERT, GAME
from tests.net.playing import QUICK, until
from tests.net.test_connections import Wire
from tests.processes import Process


class Broken(TableSource):
    """A source whose search always fails."""

    def __init__(self) -> None:
        super().__init__("broken")

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        return {}

    @property
    def signs(self) -> dict[TableKey, float]:
        return dict.fromkeys(self.tables, asyncio.get_running_loop().time())

    async def look(self) -> None:
        raise RuntimeError


class Sound(Broken):
    """A source that lists one table."""

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        table = AdvertisedTable(ADVERT, (("10.0.0.1", 1),))
        return {table.key: table}

    async def look(self) -> None:
        self.tell(True)
        await asyncio.sleep(3600)


async def test_table_sources_continue_if_another_source_fails() -> None:
    broken = Broken()
    async with asyncio.timeout(60), TableList(broken, Sound()) as listed:
        async for _ in listed.news():
            if broken.works is False:
                break
        assert listed.works
        assert list(listed.tables) == [(GAME, ADVERT.fp)]
        assert not listed.isolated


# Silent hosts


class Old(Sound):
    """A source that lists tables at these addresses, announced long ago."""

    def __init__(self, *tables: AdvertisedTable) -> None:
        super().__init__()
        self.said = tables
        self.heard = asyncio.get_running_loop().time() - SILENT

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        return {table.key: table for table in self.said}

    @property
    def signs(self) -> dict[TableKey, float]:
        return dict.fromkeys(self.tables, self.heard)


async def test_silent_host_is_queried_and_a_dead_host_does_not_hide_a_running_one(tmp_path: Path) -> None:
    """Both tables are announced at the same address, as if a host was killed and another game was opened."""
    async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0) as table:
        living = AdvertisedTable(table.advert(), (table.address,))
        source = Old(AdvertisedTable(ADVERT, (table.address,)), living)
        async with asyncio.timeout(60), TableList(source, asks=True) as listed:
            await until(lambda: list(listed.tables) == [living.key])
            source.heard = asyncio.get_running_loop().time()
            await until(lambda: len(listed.tables) == 2)


async def test_host_that_ends_while_it_is_listed_is_removed(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0) as table:
            source = Old(AdvertisedTable(table.advert(), (table.address,)))
            tables = await AsyncExitStack().enter_async_context(TableList(source, asks=True))
            await until(lambda: bool(tables._answered))
            assert len(tables.tables) == 1
        tables.ask_at(table.fp)
        await until(lambda: not tables.tables)
        await tables.__aexit__(None, None, None)


@pytest.mark.slow
def test_join_finds_the_new_game_on_the_computer_of_a_killed_host(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    host = ("host", "--headless", "--open", "--players", "2", "--port", "47110")
    join = ("join", "--timeout", "0", "--bot", "random", "--name", "Bea")
    with Lan(2) as lan:
        with Process(tmp_path / "one", *host, "--name", "Marco", before=lan.on(0)) as killed:
            killed.line("game:")
            killed.kill()
        with (
            Process(tmp_path / "two", *host, "--name", "Zoe", before=lan.on(0)) as living,
            Process(tmp_path / "bea", *join, before=lan.on(1)) as bea,
        ):
            living.line("game:")
            assert bea.line("Found ").startswith("Zoe")
            bea.line("Bea joined from")


# Remembered addresses


def test_tables_are_remembered_by_their_last_addresses(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    assert remembered.of(GAME) == ()
    remembered.keep(GAME, [("10.0.0.1", 1), ("10.0.0.2", 1)])
    remembered.keep(bytes(16), [("10.0.0.3", 1)])
    remembered.keep(GAME, [("10.0.0.4", 2)])
    assert list(remembered.of(GAME)) == [("10.0.0.4", 2), ("10.0.0.1", 1), ("10.0.0.2", 1)]
    assert remembered.hosts() == ("10.0.0.4", "10.0.0.1", "10.0.0.2", "10.0.0.3")


@one_case("text", ["", "{", "[1]", '[{"game": "x", "at": []}]', '[{"game": 1}]', "\x00"])
def test_damaged_address_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tables.json"
    path.write_text(text)
    remembered = Remembered(path)
    assert remembered.of(GAME) == ()
    remembered.keep(GAME, [("10.0.0.1", 1)])
    assert list(remembered.of(GAME)) == [("10.0.0.1", 1)]


# Views of players


@one_case("failure", [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "an interface's name"), AssertionError()])
async def test_table_opens_if_the_network_interfaces_are_unknown(
    tmp_path: Path, failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ifaddr.get_adapters", Mock(side_effect=failure))
    assert here() == ()
    hosted = Hosted(
        HostOptions(first_table(2, 1), ("random",), "Anna", tmp_path / "data", tmp_path / "out", port=0)
    )
    await hosted.open()
    async with asyncio.timeout(60):
        await hosted.table.unannounced.wait()
    assert addresses(hosted) == ()
    assert hosted.me is not None
    assert hosted.me.table.status == "lobby"
    await hosted.close()


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
    """Context with the address of a program that is not a host."""

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
    """Of the addresses in a new network only the last one is the host's. At another one is another table."""
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


async def test_table_is_joined_at_any_of_its_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
