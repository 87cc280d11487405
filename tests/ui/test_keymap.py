"""The commands of the table: their usual keys, changed keys, and the command palette."""

from itertools import count
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from citadels_lan.presenter.launcher import Place, Preferences
from citadels_lan.presenter.prompt.keys import PLACES, SPARE, VERBS
from citadels_lan.presenter.prompt.keys import WORDS as KEY_WORDS
from citadels_lan.presenter.tutorial import TutorialSession
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.palette import score
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.commands import COMMANDS, free, usable
from citadels_lan.ui.table.question import STEPS
from citadels_lan.ui.widgets.program import PageScreen, ScreenCommand
from tests.effort import one_case, quick
from tests.net.playing import until

from .fake import INVITATION, WORDS, FakeLauncher, FakeSession
from .keys import press
from .pictures import shown, text, the
from .test_pictures import played
from .waiting import settle


def make(launcher: FakeLauncher, place: Place | None = None) -> CitadelsApp:
    return CitadelsApp(place, launcher, language="en", clock=map(float, count()).__next__)


def test_no_command_has_the_key_of_a_question_or_of_another_command() -> None:
    given = [command.key for command in COMMANDS]
    assert len(set(given)) == len(given)
    small = {*VERBS.values(), *KEY_WORDS.values(), *PLACES, *SPARE}
    assert not small & set(given)
    assert STEPS & set(given) == {"space"}, "it skips while nothing is asked"
    assert not any(key.islower() or key.isdigit() for key in given if len(key) == 1)


def test_every_command_has_an_action() -> None:
    for command in COMMANDS:
        where = CitadelsApp if command.action.startswith("app.") else TableScreen
        assert hasattr(where, f"action_{command.action.removeprefix('app.').partition('(')[0]}"), command.name


def test_every_command_has_its_own_name_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({load(language).say(command.title) for command in COMMANDS}) == len(COMMANDS)


def test_key_file_accepts_only_known_commands_with_free_keys() -> None:
    twice = {"end": "X", "who": "X", "cards": "W"}
    wrong = {"chat": "a", "fly": "F", "hide": 7, "leave": "ctrl+c"}
    assert usable({**twice, **wrong, "map": "f7"}) == {"map": "f7"}
    assert usable({"end": "W", "who": "E"}) == {"end": "W", "who": "E"}, "two that change places"
    assert all(map(free, ("A", "É", "f12", "ctrl+t")))
    assert not any(map(free, ("a", "1", "enter", "space", "tab", "ctrl+c", "ctrl+q", "up")))


async def chosen(pilot: Pilot[None], query: str, row: str, screen: type[Screen[Any]]) -> None:
    """Open the palette, type `query`, wait for the row `row`, and press Enter."""
    await press(pilot, "ctrl+p")
    assert isinstance(pilot.app.screen, CommandPalette)
    await pilot.press(*query)
    await until(lambda: any(row in line for line in shown(pilot.app)))
    await pilot.press("enter")
    await until(lambda: isinstance(pilot.app.screen, screen))


@pytest.mark.parametrize("query", quick(["leave the", "lascia la", "exit"], "exit"))
async def test_palette_finds_a_command_by_name_and_synonym_in_either_language(query: str) -> None:
    async with make(FakeLauncher(), Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        await chosen(pilot, query, "Ctrl-Q Leave the game", LeaveScreen)


WORDS_OF_COMMANDS = {
    "quit": "Quit", "exit": "Leave the game", "undo": "Undo", "rules": "Rules and cards", "theme": "Theme",
    "chat": "Chat", "settings": "Settings", "invite": "Invite",
}  # fmt: skip


@one_case("query", WORDS_OF_COMMANDS)
def test_search_word_finds_exactly_one_command(query: str) -> None:
    app = make(FakeLauncher())
    every = [ScreenCommand("", one.title, "", one.does) for one in COMMANDS if one.name != "leave"]
    every += [*app.commands(), ScreenCommand("", "Leave the game", "")]
    best = max(score(command, query) for command in every)
    assert {command.title for command in every if score(command, query) == best > 0} == {WORDS_OF_COMMANDS[query]}


async def test_palette_offers_only_possible_commands() -> None:
    async with make(FakeLauncher(), Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        screen = the(TableScreen, pilot.app.screen)
        titles = [command.title for command in screen.commands()]
        assert titles[0] == "Help"
        assert not {"Invite", "Common city", "Result", "Undo", "Take back seat"} & set(titles)
        assert {"Chat", "Pause", "Get a hint"} <= set(titles)


async def test_tutorial_offers_neither_chat_nor_pause() -> None:
    async with make(FakeLauncher(), Place(TutorialSession("Ada"))).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = the(TableScreen, pilot.app.screen)
        assert not {"Chat", "Pause", "Get a hint"} & {command.title for command in screen.commands()}
        await press(pilot, "f1")
        page = the(PageScreen, pilot.app.screen)
        assert "Full log" in page.text.plain
        assert not any(title in page.text.plain for title in ("Chat", "Pause", "Get a hint"))


async def test_help_explains_every_symbol_on_the_smallest_screen() -> None:
    async with make(FakeLauncher(), Place(FakeSession())).run_test(size=(80, 20)) as pilot:
        await press(pilot, "f1")
        for meaning in ("Symbols", "the crown: chooses first", "complete city", "robbed", "unique"):
            assert meaning in text(pilot)


KEYMAP = {
    "end": "F", "hide": "f7", "invite": "f8", "who": "X", "help": "f4", "cards": "f9", "chat": "A", "result": "J",
}  # fmt: skip


@pytest.mark.slow
async def test_changed_keys_are_shown_and_work_everywhere() -> None:
    launcher, session = FakeLauncher(preferences=Preferences(name="Ada", keymap=KEYMAP)), await played(4, 2)
    async with make(launcher, Place(session, INVITATION)).run_test(size=(160, 50)) as pilot:
        assert "F end" in text(pilot), "the bar of the turn"
        assert "(A: write one)" in text(pilot), "the panel of what is said"
        await press(pilot, "f7")
        assert "F7 shows it" in text(pilot), "the hand"
        await pilot.press("f7")
        for key in ("X", "f4", "f9"):  # each key closes the page that it has opened
            await press(pilot, key)
            assert not isinstance(pilot.app.screen, TableScreen), key
            await press(pilot, key)
            assert isinstance(pilot.app.screen, TableScreen), key


async def test_check_words_have_a_page_and_a_key() -> None:
    session = await played(4, 2)
    session.words = WORDS
    async with make(FakeLauncher(), Place(session)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "V")
        assert isinstance(pilot.app.screen, PageScreen)
        assert " ".join(WORDS) in text(pilot)
        await press(pilot, "V")
        assert isinstance(pilot.app.screen, TableScreen)
