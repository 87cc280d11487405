"""The list of tables from several sources, remembered addresses, and what players see if nothing works."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from unittest.mock import Mock

import pytest

from citadels_lan.cli.hosted import Hosted, HostOptions
from citadels_lan.cli.launch import addresses
from citadels_lan.net.discovery.adverts import AdvertisedTable, TableKey, TableSource
from citadels_lan.net.discovery.interfaces import here
from citadels_lan.net.discovery.table_list import SILENT, Remembered, TableList
from citadels_lan.net.host.opening import open_table
from tests.effort import one_case
from tests.facts import first_table
from tests.lan import Lan, missing
from tests.net.playing import until
from tests.processes import Process

from . import ADVERT, GAME


class Broken(TableSource):
    """A source that fails."""

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
    """A source that has found a table."""

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        table = AdvertisedTable(ADVERT, (("10.0.0.1", 1),))
        return {table.key: table}

    async def look(self) -> None:
        self.tell(True)
        await asyncio.sleep(3600)


async def test_other_sources_continue_if_one_fails() -> None:
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
    """Tables that were announced long ago, at these addresses."""

    def __init__(self, *tables: AdvertisedTable) -> None:
        super().__init__()
        self.announced = tables
        self.heard = asyncio.get_running_loop().time() - SILENT

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        return {table.key: table for table in self.announced}

    @property
    def signs(self) -> dict[TableKey, float]:
        return dict.fromkeys(self.tables, self.heard)


async def test_silent_host_is_asked_and_a_dead_one_hides_no_living_one(tmp_path: Path) -> None:
    """Both tables are announced at the same address, as after a host was killed and another game was opened."""
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
            bea.line("Bea sits at")


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
def test_damaged_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tables.json"
    path.write_text(text)
    remembered = Remembered(path)
    assert remembered.of(GAME) == ()
    remembered.keep(GAME, [("10.0.0.1", 1)])
    assert list(remembered.of(GAME)) == [("10.0.0.1", 1)]


# What players see


@one_case("failure", [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "an interface's name"), AssertionError()])
async def test_table_is_opened_if_the_interfaces_are_not_known(
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
