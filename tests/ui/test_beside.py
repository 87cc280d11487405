"""What stands beside the lists of large screens: the keys, what will be played, a card in full."""

import pytest
from textual.pilot import Pilot

from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.ui.screens.home import HomeScreen
from tests.effort import quick

from .fake import FakeLauncher, FakeLobby
from .keys import settle
from .pictures import shown, text
from .test_games_screen import Past
from .test_pictures import make


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


@pytest.mark.slow
async def test_the_settings_explain_themselves_and_show_the_keys_that_were_given() -> None:
    launcher = FakeLauncher(preferences=Preferences(name="Ada", keymap={"who": "F"}))
    async with make(launcher=launcher).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert "How the others see you" in text(pilot)
        assert any("F       who could still be who" in line for line in shown(pilot.app))
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert not any("who could still be who" in line for line in shown(pilot.app))
        await press(pilot, "question_mark")
        assert "holds at once" in text(pilot)
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_table_being_set_up_shows_what_it_will_play() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "down", "right")
        assert "5 players ─" in text(pilot)
        assert "1 Assassin, 2 Thief" not in text(pilot), "said once"
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert not pilot.app.screen.query_one("#aside").display
        assert "1 Assassin, 2 Thief" in text(pilot)


async def test_a_card_in_play_is_read_beside_the_list() -> None:
    session = FakeLobby(4)
    session.owner = False
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        assert "─ Assassin ─" in text(pilot)
        await press(pilot, "down")
        assert "─ Thief ─" in text(pilot)


@pytest.mark.parametrize(("width", "beside"), quick([(160, True), (120, False)], (160, True)))
async def test_the_cast_is_explained_beside_or_below(width: int, beside: bool) -> None:
    async with make(Place(FakeLobby(4))).run_test(size=(width, 50)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        screen = pilot.app.screen
        assert (screen.query_one("#aside").display, screen.query_one("#about").display) == (beside, not beside)
        await press(pilot, "down", "down")
        assert ("─ Assassin ─" in text(pilot)) is beside
        assert "whoever holds it" in text(pilot)


@pytest.mark.parametrize("key", quick(["", "r", "s", "o", "g"], "", "s"))
async def test_plain_terminals_get_plain_signs(key: str) -> None:
    launcher = Past(Preferences(name="Ada", ascii=True))
    async with make(launcher=launcher).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, *key)
        assert text(pilot).isascii()
