"""Preferences between starts: the language first of all."""

import io
import json
from argparse import Namespace
from pathlib import Path

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.launch import launcher_for
from citadels_lan.cli.preferences import first_language, load_preferences, preferences_file, save_language
from citadels_lan.line_mode.home import PlainHome
from citadels_lan.presenter.launcher import Launcher, Place, Preferences
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.settings import SettingsScreen
from citadels_lan.ui.widgets.program import LinePrompt
from tests.effort import one_case
from tests.ui.fake import FakeLauncher, FakeSession

from .program import refused, run


@pytest.fixture
def home(own_folders: Path) -> Path:
    """Return the home folder of this process and of those that it starts."""
    return own_folders


def launcher(language: str, **options: object) -> Launcher:
    return launcher_for(Console(load(language)), Namespace(**options))


def saved() -> dict[str, object]:
    preferences: dict[str, object] = json.loads(preferences_file().read_text(encoding="utf-8"))
    return preferences


def save(text: str) -> None:
    preferences_file().parent.mkdir(parents=True, exist_ok=True)
    preferences_file().write_text(text, encoding="utf-8")


async def test_only_changes_in_the_settings_are_saved(home: Path) -> None:
    """The values of `--lang` and `--name` for one start are not saved, and a change by another program is
    kept."""
    app = CitadelsApp(launcher=launcher("it", name="Guest"), language="it")
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.launcher is not None
        await app.push_screen(SettingsScreen(app.launcher))
        await pilot.pause()
        save('{"language": "en"}')
        await pilot.press("down", "down", "right")
        await pilot.pause()
        assert saved() == {"language": "en", "dark": False}


async def test_language_changed_at_home_at_the_table_or_in_line_mode_is_saved(home: Path) -> None:
    async with CitadelsApp(launcher=launcher("en"), language="en").run_test(size=(80, 24)) as pilot:
        while not isinstance(pilot.app.screen, LinePrompt):  # The language changes after the first frame.
            await pilot.pause(0.01)
        await pilot.press("enter", "l")
        await pilot.pause()
    assert saved() == {"language": "it", "unnamed": False}
    save_language("en")
    async with CitadelsApp(Place(FakeSession()), language="en", spoken=save_language).run_test() as pilot:
        await pilot.press("L")
        await pilot.pause()
    assert saved() == {"language": "it", "unnamed": False}
    fake, out = FakeLauncher(), io.StringIO()
    await PlainHome(load("en"), fake, source=io.StringIO("alone 3\nlang\nquit\nquit\n"), out=out).run()
    assert fake.preferences.language == "it"
    assert "tavoli: cerca" in out.getvalue(), "and the menu after the game is in it"


def test_saved_language_is_used_unless_this_start_names_one(home: Path) -> None:
    save('{"language": "it"}')
    assert run(home, "--plain").stdout.startswith("tavoli: cerca")
    assert "argomenti sconosciuti: --fly" in refused(run(home, "play", "--fly"))
    for arguments, environment, usage in (
        ((), {}, "uso"),
        (("--lang", "en"), {}, "usage"),
        ((), {"CITADELS_LANG": "en"}, "usage"),
        (("--lang=it",), {"CITADELS_LANG": "en"}, "uso"),
        ((), {"LC_ALL": "en_GB.UTF-8"}, "uso"),
    ):
        assert run(home, "--help", *arguments, more=environment).stdout.startswith(usage)


@one_case("text", ["", "[]", '{"language": 7}', '{"language": "tlh"}', "[" * 100_000, "\x00"])
def test_damaged_preferences_file_is_ignored(home: Path, text: str) -> None:
    save(text)
    assert first_language({}) == "en"
    assert first_language({"CITADELS_LANG": "tlh", "LANG": "it_IT"}) == "it"
    assert load_preferences(Preferences(name="Anna")).name == "Anna"
