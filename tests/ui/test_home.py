"""The home screen: commands by letter keys, tables by digit keys, joining with code and address."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from citadels_lan.presenter.archive import PastGame, transcripts
from citadels_lan.presenter.launcher import FoundTable, Place, Preferences, SeenTables
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.presenter.tutorial import TutorialSession
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import LessonsEndScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import SetupScreen
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.program import ChoiceList
from tests.net.playing import until
from tests.net.room import Room

from .fake import FakeLauncher, FakeSession
from .keys import press
from .pictures import notified, shown, text, the
from .test_pictures import make
from .waiting import settle

A, B, C = (FoundTable(f"192.168.1.{n}:47110", name, 2, 5) for n, name in enumerate(("Ada", "Bea", "Caio"), 1))
MINE = FoundTable("192.168.1.9:47110", "Dora", 4, 4, started=True, mine=True)
OTHERS = (
    FoundTable("192.168.1.9:47110", "Chiara", 2, 5, "dark_city"),
    FoundTable("10.0.0.1:1", "Ivo", 1, 4, "pirates"),
)
CODE = "zebra opera radio"


def test_listed_table_keeps_its_line_and_a_reserved_seat_comes_first() -> None:
    def listed() -> list[tuple[str, bool]]:
        return [(seen.table.host, seen.gone) for seen in tables]

    tables = SeenTables()
    tables.update([A, B])
    tables.update([C, B])
    assert listed() == [("Ada", True), ("Bea", False), ("Caio", False)]
    tables.update([B, FoundTable(A.address, "Ada", 5, 5)])
    assert listed() == [("Ada", False), ("Bea", False), ("Caio", True)]
    assert next(iter(tables)).table.players == 5
    tables = SeenTables()
    tables.update([A, MINE])
    assert listed() == [("Dora", False), ("Ada", False)]


def test_new_table_at_the_address_of_a_dead_one_has_its_own_line() -> None:
    tables = SeenTables()
    old, new = replace(A, key="1"), replace(A, host="Zoe", key="2")
    tables.update([old, new])
    assert [seen.table.host for seen in tables] == ["Ada", "Zoe"]
    tables.update([new])
    assert [(seen.table.host, seen.gone) for seen in tables] == [("Zoe", False)]


async def test_game_of_another_version_is_greyed_with_the_reason_and_not_joined() -> None:
    launcher = FakeLauncher([replace(A, key="1", needs="1.1"), replace(B, key="2")])
    app = make(None, launcher)
    async with app.run_test(size=(100, 30)) as pilot:
        assert "needs version 1.1" in next(line for line in shown(app) if "Ada's" in line)
        await press(pilot, "1", "enter")
        assert "Both need the same version" in "\n".join((*shown(app), notified(app)))
        assert launcher.opened == []
        await press(pilot, "2", "enter")
        assert launcher.opened == [(f"{B.address}#2", "")]


async def test_code_prompt_waits_for_the_delay_before_it_accepts_a_code() -> None:
    app, answers = make(None, FakeLauncher()), list[str | None]()
    async with app.run_test(size=(100, 30)) as pilot:
        await app.push_screen(CodePrompt(load("en"), UNICODE, "Wrong code.", CODE, 1), answers.append)
        await until(lambda: "You can try again in 1 s." in text(pilot))
        await press(pilot, "enter")
        assert answers == []
        await until(lambda: "You can try again now." in text(pilot))
        await press(pilot, "enter")
        assert answers == [CODE]


class Changing(FakeLauncher):
    """A launcher whose list of tables changes, and with an unfinished game of the player."""

    def __init__(self, *lists: Sequence[FoundTable]) -> None:
        super().__init__()
        self.lists = lists
        self.resumed: list[PastGame] = []
        self.opening = asyncio.Event()
        self.opening.set()

    async def browse(self) -> AsyncIterator[Sequence[FoundTable]]:
        for tables in self.lists:
            yield tables
            await self.opening.wait()

    def unfinished(self) -> Sequence[PastGame]:
        return [PastGame(Path("t.journal"), "1", datetime(2026, 11, 21), ("Ada", "Bea"), (), 4, hosted=True)]

    async def go_on(self, game: PastGame) -> Place:
        self.resumed.append(game)
        await self.opening.wait()
        return Place(FakeSession(3))


async def test_only_one_table_is_opened_at_a_time() -> None:
    launcher = Changing([])
    launcher.opening.clear()
    app = make(launcher=launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c", "c", "t")
        assert "One moment" in text(pilot)
        launcher.opening.set()
        await settle(pilot)
        assert (launcher.opened, len(launcher.resumed)) == ([], 1)
        assert [type(screen) for screen in app.screen_stack].count(TableScreen) == 1


async def test_first_digit_selects_a_table_and_the_second_joins_it() -> None:
    launcher = Changing([A, B], [B])
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        assert any("1 Ada's game" in line and "not found" in line for line in shown(pilot.app))
        await press(pilot, "2")
        assert launcher.opened == []
        await press(pilot, "2")
        assert launcher.opened == [(B.address, "")]
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_arrow_keys_move_through_tables_and_commands_and_wrap_around() -> None:
    async with make(launcher=FakeLauncher([A, B])).run_test(size=(80, 24)) as pilot:
        home, pointed = pilot.app.screen, []
        assert isinstance(home, HomeScreen)
        for _ in range(9):
            assert home.pointed is not None
            pointed.append(home.pointed.key)
            await press(pilot, "down")
        assert pointed == [A.address, B.address, "p", "j", "o", "t", "r", "s", A.address]
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, SetupScreen)


async def test_new_table_does_not_move_a_cursor_that_the_player_has_moved() -> None:
    launcher = Changing([], [A])
    launcher.opening.clear()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        home = the(HomeScreen, pilot.app.screen)
        await press(pilot, "down")
        launcher.opening.set()
        await settle(pilot)
        assert "1 Ada's game" in text(pilot)
        assert home.pointed is not None
        assert home.pointed.key == "j"


async def test_home_screen_behind_a_table_is_updated_only_when_it_is_shown_again() -> None:
    launcher = Changing([A], [A, B])
    launcher.opening.clear()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        home = the(HomeScreen, pilot.app.screen)
        await until(lambda: "1 Ada's game" in text(pilot))
        await press(pilot, "1", "1")
        await until(lambda: isinstance(pilot.app.screen, LobbyScreen))
        launcher.opening.set()
        await settle(pilot)
        rows = home.query_one(ChoiceList)
        assert [row.key for row in rows.rows if row.key == B.row] == []
        pilot.app.pop_screen()
        await settle(pilot)
        assert "2 Bea's game" in text(pilot)


async def test_network_hint_appears_only_after_a_failed_join() -> None:
    launcher = FakeLauncher()
    launcher.isolated = True
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        assert "separate its devices" not in text(pilot)
        await press(pilot, "j", *"busy", "enter")
        assert "try again in 42 seconds" in notified(pilot.app)
        assert "separate its devices" in text(pilot)


async def test_home_screen_shows_the_edition_of_each_table() -> None:
    async with make(launcher=FakeLauncher(OTHERS)).run_test(size=(80, 24)) as pilot:
        lines = shown(pilot.app)
        assert any("Chiara" in line and "Dark City" in line for line in lines)
        assert any("Ivo" in line and "pirates" in line for line in lines)


async def test_table_is_joined_with_its_code() -> None:
    """Each word is checked while it is typed; Tab completes a word, and a click selects its box."""
    launcher = FakeLauncher([A])
    launcher.code = CODE
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "enter", *"zebr oprea ra")
        hints = ("│ zebra ", "│ oprea ", "× oprea: not a code word.", "opera", "· radio ravioli")
        assert [hint for hint in hints if hint not in text(pilot)] == []
        await press(pilot, "enter")
        assert len(launcher.opened) == 1, "a word that is none costs no try"
        assert "again to try it" in text(pilot)
        await press(pilot, "enter")
        assert launcher.opened[-1] == (A.address, "zebr oprea ra")
        assert "not the code" in text(pilot)
        await press(pilot, "ctrl+u", *"ze", "tab", *"opera", "space", *"radi")
        code = pilot.app.screen.query_one(Input)
        assert code.value == "zebra opera radi"
        await pilot.click(Input, offset=(25, 1))
        assert code.cursor_position == len("zebra opera")
        code.value = CODE
        await press(pilot, "enter")
        assert launcher.opened[-1] == (A.address, CODE)
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_name_is_asked_once_at_the_first_start() -> None:
    launcher = FakeLauncher(preferences=Preferences(name="login", unnamed=True))
    for keys in (("backspace",) * 5 + ("Z", "o", "e", "enter"), ()):
        async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
            assert ("What should other players call you?" in text(pilot)) is bool(keys)
            await press(pilot, *keys)
            assert "You are Zoe" in text(pilot)


async def test_name_is_not_asked_when_a_player_returns_from_a_table() -> None:
    launcher = FakeLauncher((A,), preferences=Preferences(name="login", unnamed=True))
    async with make(Place(FakeSession()), launcher).run_test(size=(80, 24)) as pilot:
        await press(pilot, "Q", "q")
        await until(lambda: isinstance(pilot.app.screen, HomeScreen))
        await settle(pilot)
        assert "Ada's game" in text(pilot)
        assert "What should other players call you?" not in text(pilot)


def test_game_with_several_files_is_listed_once(tmp_path: Path) -> None:
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


async def take(pilot: Pilot[None], screen: TableScreen, session: TutorialSession) -> int:
    """Make the move that the lesson asks for, and return the number of key presses. In the draft, first check
    that Enter alone selects a wrong character, so that it makes no move."""
    count, moved, taught = 0, session.moved, session.taught
    assert taught is not None
    if taught.verb == "pick":
        await press(pilot, "enter")
        assert session.moved == moved
    while session.moved == moved:
        asking = screen.panel.asking
        wanted = next(item for item in asking.items if item.leads_to(taught))
        await press(pilot, "enter" if asking.current is wanted else wanted.keys[0])
        count += 1
    return count


async def test_tutorial_leads_to_a_full_game_with_less_than_25_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TutorialSession, "delay", 0)
    launcher, keys = FakeLauncher(), 0
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await press(pilot, "t")
        await until(lambda: isinstance(pilot.app.screen, TableScreen))
        app = the(CitadelsApp, pilot.app)
        assert app.game is not None
        session = the(TutorialSession, app.game.session)
        while not session.finished:
            await settle(pilot)
            if session.taught is not None:
                assert isinstance(app.screen, TableScreen)
                lesson = app.game.lesson(app.keys).split()
                assert " ".join(lesson[:4]) in text(pilot)
                keys += await take(pilot, app.screen, session)
        await until(lambda: isinstance(app.screen, LessonsEndScreen))
        assert "You know the game" in text(pilot)
        await press(pilot, "p")
        await until(lambda: bool(launcher.opened))
        await until(lambda: isinstance(app.screen, TableScreen))
    assert keys < 25
