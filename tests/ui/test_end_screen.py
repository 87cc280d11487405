"""The end of a game: what is drawn at which size, the letters and clicks, the points over the rounds."""

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.front.launcher import Place, TableOptions
from citadels_lan.front.retelling import points_of_game
from citadels_lan.net.client.updates import Update
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.screens.end import Ending, EndScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.tables import leaving
from tests.effort import quick

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import shown, text
from .test_pictures import make, played


@pytest.fixture
async def session() -> FakeSession:
    """A game that is over."""
    return await played(6, 400)


def told(session: FakeSession) -> list[Update]:
    """Everything that the session has told, which it tells no more."""
    return [session.queue.get_nowait() for _ in range(session.queue.qsize())]


def lines_of(session: FakeSession, width: int, height: int = 0, *, language: str = "en") -> list[str]:
    game = Game(session, load(language))
    drawing = Ending(game, Look(DARK, UNICODE)).draw(width, height)
    return [str(line) for line in drawing.lines]


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize(("width", "height"), [(80, 20), (120, 36), (160, 46), (30, 5)])
async def test_nothing_is_wider_than_the_screen(
    session: FakeSession, width: int, height: int, language: str
) -> None:
    session.names = ["\u5927" * 30, *session.names[1:]]
    assert all(cell_len(line) <= max(width, 79) for line in lines_of(session, width, height, language=language))


async def test_cities_grow_into_the_room_and_are_there_without_it(session: FakeSession) -> None:
    assert len(lines_of(session, 160, 46)) <= 46
    assert len(lines_of(session, 160, 46)) > len(lines_of(session, 160, 0))
    cities = lines_of(session, 80)
    assert sum(line.startswith(f" {name} ") for name in session.names for line in cities) == 2 * len(session.names)


async def test_characters_have_their_names_where_there_is_room(session: FakeSession) -> None:
    game = Game(session, load("en"))
    for update in told(session):
        game.take(update)
    wide, narrow = (
        [str(line) for line in Ending(game, Look(DARK, UNICODE)).draw(room).lines] for room in (160, 80)
    )
    assert any("Warlord" in line and "Assassin" in line for line in wide)
    assert any(line.startswith(" Ada ") and "7  4  3" in line for line in narrow)


def test_the_points_of_each_round_come_out_of_the_transcript(tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(leaving({}, players=3).transcript(0))
    rounds = points_of_game(path)
    assert len(rounds) > 1
    assert all(len(round_) == 3 for round_ in rounds)
    assert sum(rounds[-1]) > sum(rounds[0])
    assert list(points_of_game(tmp_path / "none.ctr")) == list(points_of_game(None)) == []
    path.write_bytes(b"damaged")
    assert list(points_of_game(path)) == []


async def test_the_course_is_drawn_as_heights(session: FakeSession) -> None:
    game = Game(session, load("en"))
    game.course = [[0] * 6, [1, 2, 3, 4, 5, 8]]
    for glyphs in (UNICODE, ASCII):
        lines = [str(line) for line in Ending(game, Look(DARK, glyphs)).draw(120).lines]
        assert any(f" {glyphs.heights[0]}{glyphs.heights[-1]}  " in line for line in lines)


class Again(FakeLauncher):
    """The table can be played again."""

    def __init__(self) -> None:
        super().__init__()
        self.may_again, self._last = True, TableOptions(FakeSession(3).settings)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def test_letters_do_what_stands_beside_them_and_the_table_leads_back(session: FakeSession) -> None:
    launcher = Again()
    async with make(Place(session), launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, TableScreen), "Enter never begins another game by itself"
        await press(pilot, "T")
        assert isinstance(pilot.app.screen, EndScreen)
        assert "R  Play again" in text(pilot)
        assert "seats drawn" not in text(pilot), "only who opened the table draws"
        await press(pilot, "d", "down", "enter")
        await settle(pilot)
        assert len(launcher.opened) == 1
        assert isinstance(pilot.app.screen, TableScreen)


@pytest.mark.slow
async def test_a_click_does_it_and_the_wheel_scrolls(session: FakeSession) -> None:
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "PgDn:" in text(pilot)
        await press(pilot, "pagedown", "pagedown", "pagedown")
        assert "PgDn:" not in text(pilot)
        row = next(y for y, line in enumerate(shown(pilot.app)) if "See the table" in line)
        await pilot.click(offset=(10, row))
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
