"""Choosing characters and districts on the screen; everybody sees them; the game plays exactly them."""

from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import TableConfig, from_scenario
from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.launcher import Launcher, Place, TableOptions
from citadels_lan.front.plan import Plan
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.cast import CastScreen, PlanGrid
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import InPlayScreen
from citadels_lan.ui.widgets.choice_list import ChoiceList
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import quick
from tests.facts import UNIQUES, first_game, first_table
from tests.net.playing import until

from .fake import FakeLauncher, FakeLobby, FakeSession
from .keys import settle
from .pictures import compare, language, shown, text
from .test_other_screens import press


def make(place: Place | None = None, launcher: Launcher | None = None) -> CitadelsApp:
    return CitadelsApp(place, launcher, language="en", glyphs=UNICODE, clock=map(float, count()).__next__)


def choosing(pilot: Pilot[None]) -> CastScreen:
    screen = pilot.app.screen
    assert isinstance(screen, CastScreen)
    return screen


async def click(pilot: Pilot[None], key: str) -> None:
    """Click on something in the grid."""
    grid = pilot.app.screen.query_one(PlanGrid)
    hit = next(hit for hit in grid.drawing.hits if hit.key == key)
    await pilot.click("#plan", offset=(hit.start + 1, hit.y))
    await settle(pilot)


@pytest.mark.parametrize("page", quick(["characters", "districts", "read"], "characters"))
async def test_pictures(page: str) -> None:
    session = FakeLobby(4)
    session.owner = page != "read"
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", *(["down", "down", "right"] if page == "characters" else []))
        await press(pilot, *(["tab", "space"] if page == "districts" else []))
        for _ in range(2):
            for size in ((80, 24), (120, 40), (160, 50)):
                await pilot.resize_terminal(*size)
                await settle(pilot)
                await compare(pilot.app, f"cast-{page}-{size[0]}x{size[1]}-{language(pilot.app)}")
            await press(pilot, "l")


async def test_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "right")
        assert choosing(pilot).plan.scenario == "devious_dignitaries"
        await press(pilot, "down", "down", "space")
        assert "Assassin  Character of rank 1" in text(pilot)
        assert choosing(pilot).plan.scenario == ""
        await pilot.click("#foot", offset=(shown(pilot.app)[-1].index("?"), 0))
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "escape", "o", "a")
        assert isinstance(pilot.app.screen, LobbyScreen)
        assert session.settings.config == from_scenario("devious_dignitaries", 4)
        await pilot.resize_terminal(80, 30)
        await settle(pilot)
        assert "1 Magistrate" in text(pilot)


async def test_what_cannot_be_is_refused_with_the_reason() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        await click(pilot, "queen")
        assert "[-] Queen" in text(pilot)
        assert "Queen needs at least 5 players, not 4." in shown(pilot.app)[-1]
        await click(pilot, "page")
        await click(pilot, "statue")
        assert "13 of 14" in text(pilot)
        assert "Choose 14 different unique districts." in shown(pilot.app)[3]
        await press(pilot, "a")
        assert "Choose 14 different unique districts." in shown(pilot.app)[-1]
        await press(pilot, "x")
        assert choosing(pilot).plan.uniques == ()
        await press(pilot, "f", "tab", "escape")
        assert session.settings == first_table(4, 3)


@pytest.mark.parametrize(
    ("players", "reason"), quick([(3, "rank 9 is needed"), (2, "no rank 9 is used")], (3, "rank 9 is needed"))
)
async def test_rank_nine(players: int, reason: str) -> None:
    async with make().run_test(size=(80, 24)) as pilot:
        pilot.app.push_screen(CastScreen(Plan.of(first_game(players))))
        await settle(pilot)
        await click(pilot, "no_nine" if players == 3 else "artist")
        assert reason in shown(pilot.app)[-1]


@pytest.mark.slow
async def test_by_mouse_on_one_page() -> None:
    session = FakeLobby(6)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        for key in ("queen", "queen", "no_nine", "tax_collector", "draw_uniques", "witch", "draw_cast"):
            await click(pilot, key)
        assert choosing(pilot).plan.scenario == "random"
        await click(pilot, "witch")
        assert len(pilot.app.screen.query("*")) < 30
        await press(pilot, "tab", "tab")
        await click(pilot, "accept")
        assert session.settings.config.cast[0] == "witch"
        assert session.settings.config.districts == ()
        assert "drawn by lot" in text(pilot)


@pytest.mark.slow
async def test_other_numbers_of_players_in_the_lobby() -> None:
    session = FakeLobby(6)
    session.settings = Settings(Plan.of(first_game(6)).choose("queen").choose("emperor").config, 4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "1", "left", "left")
        assert session.settings.players == 4
        assert "Artist instead of Queen." in shown(pilot.app)[-1]
        await press(pilot, "left", "left")
        assert (session.settings.config.cast[3], len(session.settings.config.cast)) == ("king", 8)
        said = "King instead of Emperor. Rank 9 is not used with 2 players: Artist is removed."
        assert said in shown(pilot.app)[-1]


@pytest.mark.slow
async def test_before_a_table_is_opened() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "6", "enter")
        await click(pilot, "emperor")
        await click(pilot, "artist")
        await press(pilot, "a", "2", "left", "left")
        assert "King instead of Emperor. Rank 9 is not used with 2 players" in shown(pilot.app)[-1]
        await press(pilot, "right", "5", "left", "6", "enter", "escape", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert opened.settings.config == TableConfig(3)


@pytest.mark.slow
async def test_an_own_choice_goes_to_the_table() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "6", "enter")
        await click(pilot, "witch")
        await press(pilot, "a", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert opened.settings.config.cast[0] == "witch"
        assert len(opened.settings.config.districts) == 14


@pytest.mark.slow
async def test_pictures_of_the_cards_in_play() -> None:
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "P", "down", "down")
        for _ in range(2):
            for size in ((80, 24), (120, 40), (160, 50)):
                await pilot.resize_terminal(*size)
                await settle(pilot)
                await compare(pilot.app, f"cards-{size[0]}x{size[1]}-{language(pilot.app)}")
            await press(pilot, "L")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_what_these_screens_are_for(key: str) -> None:
    """Where the cursor is on no card, ? tells of the screen, as F1 does everywhere."""
    async with make(Place(FakeLobby(4))).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "p", key)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "Enter takes the character of a rank" in text(pilot)
        await press(pilot, "escape", "escape")
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "P")
        pilot.app.screen.query_one(ChoiceList).highlighted = None
        await press(pilot, key)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "that this table plays with" in text(pilot)


@pytest.mark.slow
async def test_during_the_game() -> None:
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "P")
        assert isinstance(pilot.app.screen, InPlayScreen)
        assert "Assassin" in text(pilot)
        await press(pilot, "end", "up")
        assert "Wishing Well" in text(pilot)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "escape", "P")
        assert isinstance(pilot.app.screen, TableScreen)


@pytest.mark.slow
async def test_two_sessions_play_what_the_owner_chose(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(first_table(2), tmp_path / "host"))
        owner = await table.join("Ada", tmp_path / "a")
        friend = await Session.join(table.address, data_dir=tmp_path / "b", name="Bruno")
        pilots = [
            await stack.enter_async_context(make(Place(session)).run_test(size=(80, 24)))
            for session in (owner, friend)
        ]
        host, guest = pilots
        await until(lambda: len(owner.table.lobby) == len(friend.table.lobby) == 2)
        await press(guest, "p")
        assert "1 Assassin" in text(guest)
        await press(host, "p")
        choosing(host).dice = Random(5)
        await click(host, "witch")
        await click(host, "emperor")
        assert "Emperor needs at least 3 players" in shown(host.app)[-1]
        await press(host, "x", "f")
        wanted = choosing(host).plan
        await press(host, "a")
        await until(lambda: friend.table.settings.config.cast == wanted.cast)
        await settle(guest)
        assert "1 Witch" in text(guest)
        await friend.ready()
        await until(lambda: owner.table.lobby[1].ready)
        await press(host, "s")
        await until(lambda: all(isinstance(pilot.app.screen, TableScreen) for pilot in pilots))
        for session in (owner, friend):
            assert session.table.state is not None
            assert wanted.uniques is not None
            assert wanted.cast == tuple(session.table.state.cast)
            assert set(wanted.uniques) == set(session.table.state.districts) < set(UNIQUES)
            await session.leave()
