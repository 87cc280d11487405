"""Home, setup, settings, lobby, end: by keyboard and mouse; watching; covering the hand."""

from collections.abc import Callable
from itertools import count

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.launcher import FoundTable, Place, TableOptions
from citadels_lan.net.client.updates import Connected
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.list_screen import ListScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import quick
from tests.facts import first_table

from .fake import FakeLauncher, FakeLobby, FakeSession
from .keys import next_key, panel, settle
from .pictures import shown

FOUND = FoundTable("192.168.1.9:47110", "Chiara", 2, 5)


def at_home(launcher: FakeLauncher) -> CitadelsApp:
    return CitadelsApp(None, launcher, language="en", clock=map(float, count()).__next__)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def test_a_table_found_is_joined_with_its_code() -> None:
    launcher = FakeLauncher([FOUND])
    launcher.code = "zebra opera radio"
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "1", "enter")
        await press(pilot, *"zebra opera tango", "enter")
        assert any("not the code" in line for line in shown(pilot.app))
        pilot.app.screen.query_one(Input).value = "zebra opera radio"
        await press(pilot, "enter")
        assert launcher.opened == [(FOUND.address, code) for code in ("", "zebra opera tango", launcher.code)]
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_a_table_that_asks_nothing_is_joined_at_once() -> None:
    async with at_home(FakeLauncher([FOUND])).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "1", "enter")
        assert isinstance(pilot.app.screen, LobbyScreen)


@pytest.mark.slow
async def test_each_word_is_judged_while_it_is_typed() -> None:
    launcher = FakeLauncher([FOUND])
    launcher.code = "zebra opera radio"
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "1", "enter")
        await press(pilot, *"zebr oprea ra")
        text = "\n".join(shown(pilot.app))
        assert "✓ zebra" in text
        assert "× oprea: not a code word." in text
        assert "opera" in text
        assert "· ra" in text
        await press(pilot, "enter")
        assert len(launcher.opened) == 1, "a word that is none costs no try"
        assert "again to try it" in "\n".join(shown(pilot.app))
        await press(pilot, "enter")
        assert launcher.opened[-1] == (FOUND.address, "zebr oprea ra")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_an_address_can_be_typed_and_a_prompt_closed() -> None:
    launcher = FakeLauncher()
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "j", "escape")
        assert launcher.opened == []
        await press(pilot, "J")
        pilot.app.screen.query_one(Input).value = "10.0.0.7:47110"
        await press(pilot, "enter")
        assert launcher.opened == [("10.0.0.7:47110", "")]


async def test_hosting_changing_the_table_and_starting() -> None:
    launcher = FakeLauncher()
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "down", "right", "down", "right", "up", "up", "enter")
        assert launcher.opened == [TableOptions(first_table(5, 1))]
        assert "192.168.1.7:47110" in "\n".join(shown(pilot.app))
        await press(pilot, "s")
        assert "free" in shown(pilot.app)[-1]
        await press(pilot, "r")
        assert any("ready, opened" in line for line in shown(pilot.app))
        left = pilot.app.screen
        assert isinstance(left, LobbyScreen)
        await press(pilot, "q", "q")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert launcher.closed == 1
        left.say("An answer that comes after the screen was left is said to nobody.")


@pytest.mark.slow
async def test_alone_again_and_home() -> None:
    launcher = FakeLauncher()
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        assert isinstance(pilot.app, CitadelsApp)
        pilot.app.action_rematch()
        await settle(pilot)
        await settle(pilot)
        assert len(launcher.opened) == 2
        await press(pilot, "Q", "q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.slow
async def test_the_rules_of_another_edition_are_read() -> None:
    async with at_home(FakeLauncher()).run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        assert not any("Selling and auctions" in line for line in shown(pilot.app))
        await press(pilot, "left")
        assert any("Città Comune" in line for line in shown(pilot.app))
        assert any("Selling and auctions" in line for line in shown(pilot.app))
        await press(pilot, "down", "up", "enter")
        assert any("each a part of it" in line for line in shown(pilot.app))


async def test_settings_are_remembered() -> None:
    launcher = FakeLauncher()
    async with at_home(launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "s", "enter")
        pilot.app.screen.query_one(Input).value = "\x1b[1mMassimiliano"
        await press(pilot, "enter", "down", "right", "down", "right", "down", "right", "down", "right")
        known = launcher.preferences
        assert known.name == "[1mMassimiliano"
        assert (known.language, known.dark, known.ascii, known.alerts) == ("it", False, True, True)
        await press(pilot, "escape")
        assert "Massimiliano" in "\n".join(shown(pilot.app))


async def test_a_click_on_a_hint_and_on_a_row() -> None:
    async with at_home(FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.click("#foot", offset=(shown(pilot.app)[-1].index("L language"), 0))
        await settle(pilot)
        assert "esci" in shown(pilot.app)[-1]
        rows = shown(pilot.app)
        row = next(number for number, line in enumerate(rows) if "Regole" in line)
        await pilot.click(offset=(rows[row].index("Regole"), row))
        await settle(pilot)
        assert not isinstance(pilot.app.screen, HomeScreen)


PLACES: dict[str, Callable[[], Place | None]] = {
    "home": lambda: None,
    "lobby": lambda: Place(FakeLobby(8)),
    "table": lambda: Place(FakeSession(3)),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", quick(PLACES, "table"))
async def test_every_screen_survives_any_size(place: str) -> None:
    app = CitadelsApp(PLACES[place](), FakeLauncher([FOUND]), language="it")
    async with app.run_test(size=(80, 24)) as pilot:
        for size in ((40, 10), (10, 3), (1, 1), (200, 60)):
            await pilot.resize_terminal(*size)
            await settle(pilot)


async def test_the_game_begins_out_of_the_lobby() -> None:
    app = CitadelsApp(Place(FakeLobby(4, seated=4)), language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert "Choose your character" in shown(pilot.app)[1]


async def test_watching_shows_no_hand_and_asks_nothing() -> None:
    session = FakeSession()
    session.seat = None
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert any("You are watching" in line for line in shown(pilot.app))
        assert not panel(pilot).asking.items


@pytest.mark.slow
async def test_watching_a_lobby_asks_nobody_to_be_ready() -> None:
    session = FakeLobby()
    session.seat, session.owner = None, False
    async with CitadelsApp(Place(session), language="en").run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        lines = shown(pilot.app)
        assert any("You are watching" in line for line in lines)
        assert not any("I am ready" in line or "r ready" in line for line in lines)
        assert not session.lobby[0].ready


def test_a_heading_that_is_cut_off_says_so() -> None:
    class Screen(ListScreen):
        look = Look(DARK, UNICODE)

        def title_text(self) -> str:
            return "Table"

        def below_title(self) -> list[str]:
            return ["One line.", "a plan of many words"]

    for width, plan in ((40, "a plan of many words"), (20, "a plan of many…")):
        lines = [str(line).strip() for line in Screen().draw_heading(width, 3).lines]
        assert lines[1:] == ["One line.", plan]


async def test_a_list_that_goes_on_says_so() -> None:
    clock = map(float, count()).__next__
    async with CitadelsApp(Place(FakeSession(8)), language="en", clock=clock).run_test(size=(80, 20)) as pilot:
        await settle(pilot)
        items = panel(pilot).asking.items
        await press(pilot, items[0].keys)
        drawn = [line for line in shown(pilot.app) if "Keep the" in line]
        assert len(drawn) < len(items)
        assert "▼" in drawn[-1]
        await press(pilot, items[-1].keys)
        assert not any("▼" in line for line in shown(pilot.app) if "Keep the" in line)


async def test_covered_cards_cannot_be_chosen_by_accident() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session), language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "H", "enter", "1", "enter")
        assert session.acted == []
        text = "\n".join(shown(pilot.app)[2:])
        assert "Keep the" not in text
        assert "Only you see" not in text
        await press(pilot, "H", "enter")
        assert len(session.acted) == 1


async def test_a_question_comes_back_with_the_connection() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session), language="en", clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        asked, session.choices = session.choices, lambda: ()  # type: ignore[method-assign]
        session.queue.put_nowait(Connected())
        await settle(pilot)
        assert not panel(pilot).asking.items
        session.choices = asked  # type: ignore[method-assign]
        session.queue.put_nowait(Connected())
        await settle(pilot)
        assert next_key(panel(pilot)) == "enter"
