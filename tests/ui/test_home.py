"""The first screen: nothing changes its place or its key while somebody reads it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from citadels_lan.engine import DEFAULT
from citadels_lan.front.archive import PastGame, transcripts
from citadels_lan.front.launcher import FoundTable, Place, SeenTables, TableOptions
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import SetupScreen
from tests.net.playing import until
from tests.net.room import Room

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import shown
from .test_pictures import make

A, B, C = (FoundTable(f"192.168.1.{n}:47110", name, 2, 5) for n, name in enumerate(("Ada", "Bea", "Caio"), 1))
MINE = FoundTable("192.168.1.9:47110", "Dora", 4, 4, started=True, mine=True)


def listed(tables: SeenTables) -> list[tuple[str, bool]]:
    return [(seen.table.host, seen.gone) for seen in tables]


def test_a_table_keeps_its_line() -> None:
    tables = SeenTables()
    tables.update([A, B])
    tables.update([C, B])
    assert listed(tables) == [("Ada", True), ("Bea", False), ("Caio", False)]
    tables.update([B, A])
    assert listed(tables) == [("Ada", False), ("Bea", False), ("Caio", True)]


def test_the_own_seat_is_first_among_the_new() -> None:
    tables = SeenTables()
    tables.update([A, MINE])
    assert listed(tables) == [("Dora", False), ("Ada", False)]


def test_what_is_new_of_a_table_is_shown() -> None:
    tables = SeenTables()
    tables.update([A])
    tables.update([FoundTable(A.address, "Ada", 5, 5, DEFAULT)])
    assert [seen.table.players for seen in tables] == [5]


class Changing(FakeLauncher):
    """Tables come and go."""

    def __init__(self, *lists: Sequence[FoundTable]) -> None:
        super().__init__()
        self.lists = lists
        self.went_on: list[PastGame] = []

    async def browse(self) -> AsyncIterator[Sequence[FoundTable]]:
        for tables in self.lists:
            yield tables

    def unfinished(self) -> Sequence[PastGame]:
        return [PastGame(Path("t.journal"), "1", datetime(2026, 11, 21), ("Ada", "Bea"), (), 4, hosted=True)]

    async def go_on(self, game: PastGame) -> Place:
        self.went_on.append(game)
        return Place(FakeSession(3))


class Slow(Changing):
    """A table takes its time to open."""

    def __init__(self) -> None:
        super().__init__([])
        self.ready = asyncio.Event()

    async def alone(self, options: TableOptions) -> Place:
        place = await super().alone(options)
        await self.ready.wait()
        return place


async def test_no_other_table_is_opened_while_one_is() -> None:
    """Both would be sat down at, and the first of them has been left by then."""
    launcher = Slow()
    app = make(launcher=launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("t", "t", "c")
        launcher.ready.set()
        await settle(pilot)
        assert len(launcher.opened) == 1
        assert launcher.went_on == []
        assert [type(screen) for screen in app.screen_stack].count(TableScreen) == 1


async def test_a_digit_points_and_its_second_press_sits_down() -> None:
    launcher = Changing([A, B], [B])
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert any("1 Ada's table" in line and "gone" in line for line in shown(pilot.app))
        await pilot.press("2")
        await settle(pilot)
        assert launcher.opened == []
        await pilot.press("2")
        await settle(pilot)
        assert launcher.opened == [(B.address, "")]
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_arrows_go_over_tables_and_commands_and_round() -> None:
    async with make(launcher=FakeLauncher([A, B])).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        pointed = []
        for _ in range(8):
            pointed.append(home.cursor)
            await pilot.press("down")
        assert pointed == [A.address, B.address, "t", "o", "j", "p", "r", "s"]
        assert home.cursor == A.address
        await pilot.press("up", "up", "up", "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, SetupScreen)


async def test_a_table_that_comes_does_not_take_the_cursor_away() -> None:
    launcher = Changing([], [A])
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        home.action_move(1)
        at = home.cursor
        await settle(pilot)
        assert home.cursor == at


async def test_the_table_that_was_open_here_goes_on_with_one_key() -> None:
    launcher = Changing()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await until(lambda: any("C  Continue your table" in line for line in shown(pilot.app)))
        await pilot.press("c")
        await settle(pilot)
        assert [game.game for game in launcher.went_on] == ["1"]


@pytest.mark.slow
async def test_a_click_on_a_table_sits_down() -> None:
    launcher = FakeLauncher([A, B])
    async with make(launcher=launcher).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        row = next(y for y, line in enumerate(shown(pilot.app)) if "Bea's table" in line)
        await pilot.click(offset=(12, row))
        await settle(pilot)
        assert launcher.opened == [(B.address, "")]


def test_a_game_is_listed_once_by_the_file_of_its_person(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    room = Room(tmp_path / "room", 3).begin()
    for guest in room.guests:
        guest.records.close()
    files = list((tmp_path / "room").rglob("*.ctr"))
    assert len(files) == 3
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for path in files:
        path.rename(shelf / f"{path.parent.name}-{path.name}")
    (shelf / "broken.ctr").write_bytes(b"nothing")
    games = transcripts(shelf)
    assert sorted(len(game.names) for game in games) == [0, 3]
    assert not any(game.bot for game in games)
