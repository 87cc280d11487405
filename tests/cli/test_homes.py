"""Keys and preferences on this machine: two programs never sit down with the same key."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from citadels_lan.cli.preferences import load_preferences, save_preferences
from citadels_lan.cli.profiles import Profiles
from citadels_lan.front.launcher import Preferences
from tests.effort import one_case

from .program import run_process


def test_a_second_program_gets_another_home(tmp_path: Path) -> None:
    with closing(Profiles(tmp_path)) as one, closing(Profiles(tmp_path)) as other:
        assert one.person() == tmp_path
        assert other.person() != tmp_path
        assert len({one.bot(), one.bot(), other.bot(), other.bot()}) == 4
    with closing(Profiles(tmp_path)) as later:
        assert later.person() == tmp_path


def test_homes_with_an_identity_are_known(tmp_path: Path) -> None:
    with closing(Profiles(tmp_path)) as profiles:
        for home in (profiles.person(), profiles.bot(), profiles.bot()):
            (home / "identity.key").write_bytes(b"key")
        profiles.bot()
        assert len(list(profiles.known())) == 3


def test_preferences_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "preferences.json"
    kept = Preferences(name="Zoë", language="it", dark=False)
    save_preferences(path, Preferences(), kept)
    assert load_preferences(path, Preferences()) == kept


@one_case("text", ["", "[]", "nonsense", json.dumps({"name": 7, "dark": "no", "more": 1})])
def test_what_is_no_preference_does_not_count(tmp_path: Path, text: str) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(text, encoding="utf-8")
    assert load_preferences(path, Preferences(name="Anna")) == Preferences(name="Anna")


@pytest.mark.parametrize("arguments", [(), pytest.param(("--plain",), marks=pytest.mark.slow)])
def test_without_a_command_and_a_terminal_home_is_lines(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run_process(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "quit" in done.stdout
