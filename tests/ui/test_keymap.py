"""The commands of the table: their keys, other keys for them, and finding them by name."""

import json
from dataclasses import asdict
from itertools import count
from pathlib import Path
from unittest import mock

import pytest
from textual.command import CommandPalette

from citadels_lan.cli.preferences import load_preferences, save_preferences
from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.front.prompt.keys import PLACES, SPARE, VERBS
from citadels_lan.front.prompt.keys import WORDS as KEY_WORDS
from citadels_lan.net.join.door import Door
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.settings import SettingsScreen, refusal
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.commands import COMMANDS, NAMED, free, key_of, usable
from citadels_lan.ui.table.question import STEPS
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case, quick

from .fake import INVITATION, WORDS, FakeLauncher, FakeSession
from .keys import settle
from .pictures import shown, text
from .test_pictures import played


def make(launcher: FakeLauncher, place: Place | None = None) -> CitadelsApp:
    return CitadelsApp(place, launcher, language="en", clock=map(float, count()).__next__)


def test_no_command_has_a_key_of_a_question_or_that_of_another() -> None:
    given = [command.key for command in COMMANDS]
    assert len(set(given)) == len(given)
    small = {*VERBS.values(), *KEY_WORDS.values(), *PLACES, *SPARE}
    assert not small & set(given)
    assert not STEPS & set(given)
    assert not any(key.islower() or key.isdigit() for key in given if len(key) == 1)


async def test_every_command_has_something_to_do() -> None:
    async with make(FakeLauncher(), Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        for command in COMMANDS:
            where = pilot.app if command.action.startswith("app.") else screen
            assert hasattr(where, f"action_{command.action.removeprefix('app.').partition('(')[0]}"), command.name


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_every_command_is_named_in_every_language(language: str) -> None:
    said = [load(language).say(command.does) for command in COMMANDS]
    assert len(set(said)) == len(said)


@one_case(
    ("key", "said"),
    [("W", "W is taken: who could still be who, or who has called whom."),
     ("a", "a has its meaning in questions: take a capital, F2 to F12, or a key with Ctrl."),
     ("enter", "Enter has its meaning in questions: take a capital, F2 to F12, or a key with Ctrl."),
     ("ctrl+c", "Ctrl-C has its meaning in questions: take a capital, F2 to F12, or a key with Ctrl."),
     ("X", ""), ("f5", ""), ("ctrl+e", ""), ("E", "")],
)  # fmt: skip
def test_a_key_that_is_taken_is_refused_with_a_sentence(key: str, said: str) -> None:
    assert refusal(load("en"), key, "end", {}) == said


def test_of_a_file_only_what_can_be_is_used() -> None:
    twice = {"end": "X", "who": "X", "cards": "W"}
    wrong = {"chat": "a", "fly": "F", "hide": 7, "leave": "ctrl+c"}
    assert usable({**twice, **wrong, "map": "f7"}) == {"map": "f7"}
    assert usable({"end": "W", "who": "E"}) == {"end": "W", "who": "E"}, "two that change places"


def test_keys_come_back_with_the_file(tmp_path: Path) -> None:
    path, before = tmp_path / "preferences.json", Preferences()
    save_preferences(path, before, Preferences(keymap={"end": "X"}))
    assert json.loads(path.read_text()) == {"keymap": {"end": "X"}}
    assert asdict(load_preferences(path, before))["keymap"] == {"end": "X"}


async def test_another_key_is_given_in_the_settings_and_holds_at_the_table() -> None:
    launcher, session = FakeLauncher(), FakeSession()
    async with make(launcher).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        pilot.app.push_screen(SettingsScreen(launcher))
        await settle(pilot)
        await pilot.press("up", "enter")
        await settle(pilot)
        assert "Keys at the table" in text(pilot)
        line = next(n for n, line in enumerate(shown(pilot.app)) if "who could still be who" in line)
        assert " W " in shown(pilot.app)[line]
        for _ in range([command.name for command in COMMANDS].index("who")):
            await pilot.press("down")
        await pilot.press("enter", "E")
        await settle(pilot)
        assert "E is taken: end your turn" in shown(pilot.app)[-1]
        await pilot.press("enter", "X")
        await settle(pilot)
        assert launcher.preferences.keymap == {"who": "X"}
        assert " X " in shown(pilot.app)[line]
        assert isinstance(pilot.app, CitadelsApp)
        pilot.app.sit_down(Place(session))
        await settle(pilot)
        assert "X who" in shown(pilot.app)[-1]
        await pilot.press("W")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen), "the old key is none any more"
        await pilot.press("X")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)


async def test_the_usual_key_comes_back() -> None:
    launcher = FakeLauncher(preferences=Preferences(name="Ada", keymap={"end": "X"}))
    async with make(launcher).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        pilot.app.push_screen(SettingsScreen(launcher))
        await settle(pilot)
        await pilot.press("up", "enter")
        await settle(pilot)
        await pilot.press("delete")
        await settle(pilot)
        assert launcher.preferences.keymap == {}


@pytest.mark.slow
@pytest.mark.parametrize("query", quick(["leave the", "lascia il"], "lascia il"))
async def test_the_palette_finds_a_command_in_either_language(query: str) -> None:
    async with make(FakeLauncher(), Place(FakeSession())).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette)
        await pilot.press(*query)
        for _ in range(200):
            if any("Q     leave the table" in line for line in shown(pilot.app)):
                break
            await pilot.pause(0.01)
        await pilot.press("enter")
        for _ in range(200):
            if isinstance(pilot.app.screen, LeaveScreen):
                break
            await pilot.pause(0.01)
        assert isinstance(pilot.app.screen, LeaveScreen)


async def test_first_row_of_the_palette_shows_help() -> None:
    session = FakeSession()
    async with make(FakeLauncher(), Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        for _ in range(200):
            if any("F1" in line for line in shown(pilot.app)):
                break
            await pilot.pause(0.01)
        await pilot.press("enter")
        for _ in range(200):
            if isinstance(pilot.app.screen, PageScreen):
                break
            await pilot.pause(0.01)
        assert isinstance(pilot.app.screen, PageScreen)
        assert session.acted == []


def test_capitals_are_free_and_small_letters_are_not() -> None:
    assert all(map(free, ("A", "É", "f12", "ctrl+t")))
    assert not any(map(free, ("a", "1", "enter", "space", "tab", "ctrl+c", "ctrl+q", "up")))
    assert key_of("end", {"end": "X"}) == "X"
    assert {command.name for command in COMMANDS} == set(NAMED)


KEYMAP = {
    "end": "F",
    "hide": "f7",
    "invite": "f8",
    "who": "X",
    "help": "f4",
    "cards": "f9",
    "chat": "A",
    "result": "J",
}


@pytest.mark.slow
async def test_other_keys_are_named_and_work_wherever_the_usual_ones_were() -> None:
    launcher, session = FakeLauncher(preferences=Preferences(name="Ada", keymap=KEYMAP)), await played(4, 2)
    async with make(launcher, Place(session, INVITATION)).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        assert "F end" in text(pilot), "the bar of the turn"
        assert "(A speaks)" in text(pilot), "the panel of what is said"
        await pilot.press("f7")
        await settle(pilot)
        assert "F7 shows it" in text(pilot), "the hand"
        await pilot.press("f7")
        for key in ("X", "f4", "f9"):  # each closes what it has opened
            await pilot.press(key)
            await settle(pilot)
            assert not isinstance(pilot.app.screen, TableScreen), key
            await pilot.press(key)
            await settle(pilot)
            assert isinstance(pilot.app.screen, TableScreen), key


@pytest.mark.slow
async def test_other_keys_after_the_game_and_where_somebody_guesses() -> None:
    launcher, session = FakeLauncher(preferences=Preferences(name="Ada", keymap=KEYMAP)), await played(4, 400)
    async with make(launcher, Place(session, INVITATION)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("J")
        await settle(pilot)
        assert "J comes back here" in text(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert isinstance(pilot.app, CitadelsApp)
        assert pilot.app.game is not None
        with mock.patch.object(Door, "guessed", True):
            assert isinstance(pilot.app.screen, TableScreen)
            pilot.app.screen.show_hints()
            await settle(pilot)
            assert shown(pilot.app)[-1].startswith(" F8 guessed: new code")


async def test_the_four_words_have_a_page_and_a_key() -> None:
    session = await played(4, 2)
    session.words = WORDS
    async with make(FakeLauncher(), Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("V")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)
        assert " ".join(WORDS) in text(pilot)
        await pilot.press("V")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
