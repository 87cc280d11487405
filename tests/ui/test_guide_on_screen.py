"""The guide on the screen and in lines: where its hints stand, how they go on, and what is explained in place."""

import io
from collections.abc import Iterator

import pytest
from textual.geometry import Region

from citadels_lan.bots import make_policy
from citadels_lan.engine import (
    from_scenario,
)
from citadels_lan.front.launcher import Place, Preferences, first_lesson
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.explain import page
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.arrangement import Contents, arrange
from citadels_lan.ui.table.panels import GuideView
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case

from .fake import FakeLauncher, FakeSession
from .pictures import text


@one_case("size", [(80, 20), (80, 24), (100, 30), (120, 40), (160, 44), (160, 50)], parts=4)
@pytest.mark.parametrize("players", range(2, 10))
def test_the_guide_leaves_the_question_its_room(size: tuple[int, int], players: int) -> None:
    plain = arrange(*size, Contents(players, drafting=True)).parts
    guided = arrange(*size, Contents(players, drafting=True, guided=True)).parts
    assert guided["question"].height >= min(5, plain["question"].height)
    assert "guide" not in plain
    covered = [cell for part in guided.values() for cell in _cells(part)]
    assert len(covered) == len(set(covered))


@one_case("width", [80, 120, 160])
def test_a_map_in_place_of_the_players_covers_no_hints(width: int) -> None:
    parts = arrange(width, 26, Contents(4, names=42, mapped=True, guided=True)).parts
    covered = [cell for part in parts.values() for cell in _cells(part)]
    assert len(covered) == len(set(covered))


def _cells(region: Region) -> Iterator[tuple[int, int]]:
    """Every eighth column is enough to see two parts on each other."""
    return ((x, y) for y in range(region.y, region.bottom) for x in range(region.x, region.right, 8))


def guided() -> Place:
    return Place(FakeSession(), guided=True)


@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in ((120, 40), (160, 50)))]
)
async def test_hints_stand_at_the_table_and_go_on_with_escape(size: tuple[int, int]) -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        game = app.game
        assert game is not None
        assert "You build a city." in text(pilot)
        assert game.guide.told[0] == "goal"
        before, waiting = list(game.guide.told), game.guide.waiting
        await pilot.press("escape")
        await pilot.pause()
        assert "You build a city." not in text(pilot)
        assert len(game.guide.told) > len(before)
        assert game.guide.waiting < waiting


async def test_while_others_play_the_lines_of_the_question_tell_what_has_happened() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session, guided=True), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game, screen = app.game, app.screen
        assert game is not None
        assert isinstance(screen, TableScreen)
        session.choices = lambda: ()  # type: ignore[method-assign]
        assert session.state is not None
        session.state.steps, session.state.tick = [], session.state.tick + 1
        screen.updated(())
        await pilot.pause()
        assert not game.mine
        assert "Districts: you 0 of 7" in text(pilot)


async def test_a_capital_switches_the_hints_off_and_on() -> None:
    app = CitadelsApp(Place(FakeSession()), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Esc next tip" not in text(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "You build a city." in text(pilot)
        await pilot.press("G")
        await pilot.pause()
        assert "You build a city." not in text(pilot)


async def test_a_covered_hand_covers_the_hints() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("H")
        await pilot.pause()
        assert app.game is not None
        assert app.game.hints() == []
        assert "You build a city." not in text(pilot)


async def test_the_draft_says_beside_each_choice_what_it_pays() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "(rank 2)  no income" in text(pilot)


@pytest.mark.parametrize(("kind", "said"), [("words", "read them aloud"), ("signs", "♛")])
async def test_what_stands_at_the_table_is_explained_there(kind: str, said: str) -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.game is not None
        assert said in page(app.game, app.look, kind).plain.lower()


async def test_the_four_words_are_explained_where_they_stand() -> None:
    session = FakeSession()
    session.words = ("zebra", "opera", "radio", "tango")
    app = CitadelsApp(Place(session), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.click("#hints", offset=(112, 0))
        await pilot.pause()
        assert isinstance(app.screen, PageScreen)
        assert "Read them aloud in each round." in text(pilot)


@pytest.mark.slow
async def test_clicked_hints_show_all_that_were_told() -> None:
    app = CitadelsApp(guided(), language="en")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        await pilot.press("escape", "escape")
        await pilot.pause()
        await pilot.click(GuideView, offset=(6, 2))
        await pilot.pause()
        assert isinstance(app.screen, PageScreen)
        assert "You build a city." in text(pilot)


async def test_the_cast_of_tonight_says_what_is_known_of_each() -> None:
    session = FakeSession(seed=1)
    app = CitadelsApp(Place(session), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await session.act(session.sampled())
        await pilot.pause()
        await pilot.press("C")
        await pilot.pause()
        state = session.state
        assert state is not None
        for key in state.faceup:
            assert f"{load('en').character(key)} (out of play, face up)" in text(pilot)
        assert "called, nobody answered" in text(pilot)


async def test_home_opens_the_table_at_which_the_game_is_learned() -> None:
    launcher = FakeLauncher()
    app = CitadelsApp(launcher=launcher, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("t")
        await pilot.pause()
        assert launcher.opened == [first_lesson()]
        assert first_lesson().settings.config == from_scenario("first_game", 4)


async def test_who_prefers_hints_has_them_at_every_table() -> None:
    app = CitadelsApp(Place(FakeSession()), FakeLauncher(preferences=Preferences(name="Ada", guide=True)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.game is not None
        assert app.game.guide.on


@pytest.mark.slow
async def test_a_whole_lesson_on_the_screen_tells_each_idea_once() -> None:
    session, bot = FakeSession(seed=5), make_policy("sensible", 1)
    app = CitadelsApp(Place(session, guided=True), language="it")
    async with app.run_test(size=(120, 40)) as pilot:
        while session.full_state.phase != "over":
            assert session.state is not None
            await session.act(bot.choose(session.state, 0, session.choices()))
            await pilot.pause()
        assert app.game is not None
        told = app.game.guide.told
        assert len(told) == len(set(told))
        assert {"goal", "draft", "gather", "build", "end", "crown", "ranks", "near"} <= set(told)


async def test_in_lines_each_idea_is_printed_once_and_hints_tells_them_again() -> None:
    session, out = FakeSession(seed=3), io.StringIO()
    moves = "1\n1\nend\nend\n" * 12
    lines = InputLines(io.StringIO(f"{moves}hints\nguide\nquit\nquit\n"))
    await play_plain(Place(session, guided=True), load("en"), lines=lines, out=out)
    told = [line for line in out.getvalue().splitlines() if line.startswith("Guide: ")]
    goal = [line for line in told if "You build a city." in line]
    assert len(goal) == 1
    assert "    " not in "".join(told)
    assert "No more hints" in out.getvalue()
    assert any(line.startswith("You build a city.") for line in out.getvalue().splitlines())
