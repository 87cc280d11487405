"""Every screen at three sizes and in both languages, compared with the files in `golden`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeVar

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import expand
from citadels_lan.presenter.launcher import FoundTable, Launcher, Place
from citadels_lan.presenter.symbols import UNICODE, Glyphs
from citadels_lan.presenter.tutorial import TutorialSession
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.rules import help_page
from tests.effort import quick

from .fake import INVITATION, WORDS, FakeLauncher, FakeLobby, FakeSession
from .pictures import compare, language

Session = TypeVar("Session", bound=FakeSession)
SIZES = [(80, 24), (120, 40), (160, 50)]
FOUND = (
    FoundTable("192.168.1.9:47110", "Chiara", 2, 5),
    FoundTable("192.168.1.12:47110", "Massimiliano", 4, 4, started=True),
)


async def played(players: int, moves: int) -> FakeSession:
    """Return a session after `moves` moves of seat 0, which builds if it can."""
    session = FakeSession(players, seed=3)
    for _ in range(moves):
        if session.choices():
            actions = list(expand(session.choices()))
            builds = [action for action in actions if action.verb == "build"]
            others = [action for action in actions if action.verb != "end"]
            await session.act((builds or others or actions)[0])
    return session


def make(
    place: Place | None = None, launcher: Launcher | None = None, *, language: str = "en", glyphs: Glyphs = UNICODE
) -> CitadelsApp:
    """Return an app whose clock advances by a second at each call, so that no key press is ignored as too
    early."""
    return CitadelsApp(place, launcher, language=language, glyphs=glyphs, clock=map(float, count()).__next__)


@asynccontextmanager
async def at_table(
    session: Session, size: tuple[int, int] = (80, 24), **place: Any
) -> AsyncIterator[tuple[Session, Pilot[None]]]:
    """Open the screen of a session, and yield both. `place` has further fields of the `Place`."""
    async with make(Place(session, **place)).run_test(size=size) as pilot:
        yield session, pilot


of_sizes = pytest.mark.parametrize("sizes", quick([SIZES[:1], SIZES], SIZES[:1]), ids=["small", "all"])


async def keep_all(pilot: Pilot[None], name: str, sizes: Sequence[tuple[int, int]]) -> None:
    """Compare the screen at each of these sizes and in both languages with golden files. Then restore size
    and language."""
    for _ in range(2):
        for width, height in sizes:
            await pilot.resize_terminal(width, height)
            await compare(pilot.app, f"{name}-{width}x{height}-{language(pilot.app)}")
        await pilot.press("L")


@of_sizes
@pytest.mark.parametrize(
    ("name", "keys"),
    [("home", []), ("setup", ["o"]), ("rules", ["r"]), ("settings", ["s"])],
)  # fmt: skip
async def test_remaining_screens_match_their_pictures(
    name: str, keys: list[str], sizes: Sequence[tuple[int, int]]
) -> None:
    async with make(launcher=FakeLauncher(FOUND)).run_test(size=(80, 24)) as pilot:
        for key in keys:
            await pilot.press(key)
        await keep_all(pilot, name, sizes)


async def test_home_without_tables_matches_its_pictures() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await compare(pilot.app, "home-empty-80x24-en")


@of_sizes
async def test_lobby_screens_match_their_pictures(sizes: Sequence[tuple[int, int]]) -> None:
    place = Place(FakeLobby(5), INVITATION)
    async with make(place).run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "h", "i", "enter")
        await keep_all(pilot, "lobby", sizes)


@of_sizes
@pytest.mark.parametrize(
    ("name", "players", "moves", "keys"),
    [("draft", 4, 0, []), ("turn", 8, 14, []), ("build", 5, 14, ["enter"]), ("two-players", 2, 30, [])],
)
async def test_table_screens_match_their_pictures(
    name: str, players: int, moves: int, keys: list[str], sizes: Sequence[tuple[int, int]]
) -> None:
    session = await played(players, moves)
    session.words = WORDS if players > 4 else ()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        for key in keys:
            await pilot.press(key)
        await keep_all(pilot, f"table-{name}", sizes)


@of_sizes
async def test_lesson_screen_matches_its_pictures(sizes: Sequence[tuple[int, int]]) -> None:
    async with make(Place(TutorialSession("Ada"))).run_test(size=(80, 24)) as pilot:
        await keep_all(pilot, "guided", sizes)


@of_sizes
async def test_end_screens_match_their_pictures(sizes: Sequence[tuple[int, int]]) -> None:
    async with make(Place(await played(6, 400))).run_test(size=(80, 24)) as pilot:
        assert isinstance(pilot.app, CitadelsApp)
        assert pilot.app.game is not None
        pilot.app.game.course = [[round_ * seat for seat in range(6)] for round_ in range(1, 8)]
        await keep_all(pilot, "end", sizes)


@pytest.mark.parametrize(("name", "keys"), [("help", ["f1"]), ("who", ["W"])])
async def test_help_pages_match_their_pictures(name: str, keys: list[str]) -> None:
    async with make(Place(await played(4, 2))).run_test(size=(80, 24)) as pilot:
        for key in keys:
            await pilot.press(key)
        await compare(pilot.app, f"page-{name}-80x24-en")


async def test_page_about_the_player_shows_their_characters_and_cards() -> None:
    session = await played(4, 2)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        assert isinstance(pilot.app, CitadelsApp)
        game = pilot.app.game
        assert game is not None
        assert game.table.state is not None
        own = game.table.state.players[0]
        shown = help_page(game, pilot.app.look, "0").plain
        assert game.texts.characters([*own.revealed, *own.concealed]) in shown
        assert all(game.texts.district(key) in shown for key in own.hand)
        assert "Nobody has a hidden character" not in shown
        game.hidden = True
        assert not any(game.texts.district(key) in help_page(game, pilot.app.look, "0").plain for key in own.hand)
