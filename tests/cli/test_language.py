"""The language that was chosen is there again at the next start, in every command, unless that says another."""

import asyncio
import io
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.cli.console import Console
from citadels_lan.cli.open.launcher import launcher_for
from citadels_lan.cli.preferences import first_language, preferences_file, save_language
from citadels_lan.front.launcher import CannotOpen, Launcher, Place, Preferences
from citadels_lan.plain.home import PlainHome
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.settings import SettingsScreen
from tests.effort import one_case
from tests.ui.fake import FakeLauncher, FakeSession

from .program import refused, run


@pytest.fixture
def home(own_folders: Path) -> Path:
    """The folder of this process and of those that it starts."""
    return own_folders


def launcher(language: str, **options: object) -> Launcher:
    from argparse import Namespace

    return launcher_for(Console(load(language)), Namespace(**options))


def remembered() -> dict[str, object]:
    kept: dict[str, object] = json.loads(preferences_file().read_text(encoding="utf-8"))
    return kept


def choose(language: str) -> None:
    preferences_file().parent.mkdir(parents=True, exist_ok=True)
    preferences_file().write_text(json.dumps({"language": language}), encoding="utf-8")


async def to_settings(pilot: Pilot[None]) -> None:
    assert isinstance(pilot.app, CitadelsApp)
    assert pilot.app.launcher is not None
    await pilot.app.push_screen(SettingsScreen(pilot.app.launcher))
    await pilot.pause()


async def choose_the_next_language() -> None:
    """In the settings of the program on a screen."""
    async with CitadelsApp(launcher=launcher("en"), language="en").run_test(size=(80, 24)) as pilot:
        await to_settings(pilot)
        await pilot.press("down", "right")
        await pilot.pause()


def test_chosen_in_the_settings_it_is_there_at_the_next_start(home: Path) -> None:
    asyncio.run(choose_the_next_language())
    assert remembered() == {"language": "it"}

    assert first_language() == "it"
    assert run(home, "--plain").stdout.startswith("tavoli: cerca")
    assert run(home, "--help").stdout.startswith("Uso: ")
    assert refused(run(home, "play", "--fly")).startswith("Qui questo non si capisce")
    assert refused(run(home, "fly")).startswith("Il comando fly non esiste")


async def test_chosen_with_its_key_it_is_there_at_the_next_start(home: Path) -> None:
    app = CitadelsApp(launcher=launcher("en"), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("l")
        await pilot.pause()
        assert remembered() == {"language": "it"}
        await pilot.press("l")
        await pilot.pause()
    assert remembered() == {"language": "en"}


def test_what_this_start_says_counts_more(home: Path) -> None:
    choose("it")
    assert run(home, "--help").stdout.startswith("Uso")
    assert run(home, "--help", "--lang", "en").stdout.startswith("Usage")
    assert run(home, "--help", more={"CITADELS_LANG": "en"}).stdout.startswith("Usage")
    assert run(home, "--help", "--lang", "it", more={"CITADELS_LANG": "en"}).stdout.startswith("Uso")
    assert run(home, "--help", more={"LC_ALL": "en_GB.UTF-8"}).stdout.startswith("Uso")


@one_case("text", ["", "[]", '{"language": 7}', '{"language": "tlh"}', "[" * 100_000, "\x00"])
def test_what_is_no_language_does_not_count(home: Path, text: str) -> None:
    choose("it")
    preferences_file().write_text(text, encoding="utf-8")
    assert first_language({}) == "en"
    assert first_language({"LANG": "it_IT"}) == "it"
    assert first_language({"CITADELS_LANG": "tlh", "LANG": "it_IT"}) == "it"


async def test_only_what_was_changed_is_remembered(home: Path) -> None:
    """What was said for one start, --lang and --name, is not; nor is what another program has changed lost."""
    app = CitadelsApp(launcher=launcher("it", name="Guest"), language="it")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_settings(pilot)
        choose("en")
        await pilot.press("down", "down", "right")
        await pilot.pause()
    assert remembered() == {"language": "en", "dark": False}


async def test_what_cannot_be_opened_is_said_in_the_language_chosen(home: Path) -> None:
    here = launcher("en")
    here.remember(Preferences(name="Anna", language="it"))
    with pytest.raises(CannotOpen, match="indirizzo"):
        await here.join("no address at all", "")


async def test_chosen_while_a_game_is_looked_at_again_it_is_remembered_too(home: Path) -> None:
    """There is no launcher then."""
    async with CitadelsApp(Place(FakeSession()), language="en", spoken=save_language).run_test() as pilot:
        await pilot.press("L")
        await pilot.pause()
    assert remembered() == {"language": "it"}


async def test_chosen_in_lines_it_is_remembered_too(home: Path) -> None:
    chosen = []
    out = io.StringIO()
    lines = InputLines(io.StringIO("lang\nquit\n"))
    await play_plain(
        Place(FakeSession()), load("en"), lines=lines, out=out, spoken=lambda texts: chosen.append(texts.language)
    )
    assert chosen == ["it"]

    fake = FakeLauncher()
    out = io.StringIO()
    await PlainHome(load("en"), fake, source=io.StringIO("alone 3\nlang\nquit\nquit\n"), out=out).run()
    assert fake.preferences.language == "it"
    assert "tavoli: cerca" in out.getvalue(), "and the menu after the game is in it"


def test_a_folder_that_cannot_be_written_to_ends_nothing(home: Path) -> None:
    preferences_file().parent.parent.mkdir(parents=True, exist_ok=True)
    preferences_file().parent.write_text("a file, no folder", encoding="utf-8")
    launcher("en").remember(Preferences(language="it"))
    assert first_language({}) == "en"
