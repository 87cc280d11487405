"""The test suite itself: it is isolated from the user's files, and `one_case` tries all parameters."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan.cli.preferences import preferences_file
from citadels_lan.platform.files import data_folder, log_folder, settings_folder
from tests.cli.program import run
from tests.effort import one_case

ROOT = Path(__file__).resolve().parents[1]
TESTED = (
    "tests/cli/test_preferences.py",
    "tests/cli/test_people.py::test_people_list_has_names_key_words_and_dates",
    "tests/cli/test_people.py::test_json_list_of_people_has_complete_keys",
    "tests/cli/test_main.py::test_internal_error_is_written_to_a_file_without_secrets",
    "tests/cli/test_resume.py",
    "tests/ui/test_preselect.py::test_covered_hand_has_no_preselected_move",
)
"""Some tests that read and write the files of a user: settings, identities, people, unfinished games and
logs. They also draw colours."""


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file in a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_test_has_its_own_folders(own_folders: Path) -> None:
    for folder in (data_folder(), settings_folder(), log_folder(), preferences_file(), Path.home(), Path.cwd()):
        assert folder == own_folders or own_folders in folder.parents
    assert not [name for name in os.environ if name.startswith(("XDG_", "LANG", "LC_", "NO_COLOR", "CITADELS_L"))]


@pytest.mark.slow
def test_tests_leave_the_users_files_unchanged(tmp_path: Path) -> None:
    """The test starts a second run of tests for a user with an identity, preferences, an unfinished game and
    a language."""
    user = tmp_path / "user"
    run(user, "play", "--plain", "--name", "Ada", "--lang", "it")
    (user / "settings").mkdir(exist_ok=True)
    (user / "settings" / "preferences.json").write_text(json.dumps({"language": "it", "name": "Ada"}))
    before = contents(user)
    assert len(before) > 3
    own = {f"XDG_{kind}_HOME": str(user / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")}
    own |= {"CITADELS_HOME": str(user), "HOME": str(user), "LANG": "it_IT.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *TESTED),
        cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert contents(user) == before


def test_one_case_reports_every_failing_set_of_parameters() -> None:
    @one_case("low", [1, 5])
    @pytest.mark.parametrize(("high", "name"), [(3, "a"), (9, "b")])
    def compared(low: int, high: int, name: str) -> None:
        assert low < high, name

    with pytest.raises(BaseExceptionGroup, match="1 of 4") as failed:
        compared()
    (error,) = failed.value.exceptions
    assert error.__notes__ == ["with {'low': 5, 'high': 3, 'name': 'a'}"]


async def test_one_case_gives_each_set_of_parameters_its_folder_and_undoes_patches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @one_case("number", [1, 2])
    async def written(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not os.listdir(tmp_path)
        assert "NUMBER" not in os.environ
        (tmp_path / "number").write_text(str(number))
        monkeypatch.setenv("NUMBER", str(number))

    await written(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert len(os.listdir(tmp_path)) == 2
    assert "NUMBER" not in os.environ


def test_one_case_in_parts_tries_every_set_of_parameters_once() -> None:
    numbers: list[int] = []

    @one_case("number", range(7), parts=3)
    def kept(number: int) -> None:
        numbers.append(number)

    for part in range(3):
        kept(nth_part=part)
    assert sorted(numbers) == list(range(7))
