"""What nobody expected: a file with the details, a sentence that names it, no secrets in either."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from citadels_lan.cli import commands, console, simulate
from citadels_lan.cli.main import main
from tests.effort import one_case

from .program import environment, refused, run

KEY = "ab12" * 16
TEXT = f"the key is {KEY}"


@pytest.fixture
def log_folder(own_folders: Path) -> Path:
    return own_folders / "log"


def _fail(*_: object) -> int:
    raise RuntimeError(TEXT)


def test_an_unexpected_error_goes_to_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], log_folder: Path
) -> None:
    monkeypatch.setattr(simulate, "run", _fail)
    assert main(["simulate", "--lang", "en"]) == 1
    said = capsys.readouterr().err
    (report,) = log_folder.iterdir()
    assert str(report) in said
    assert "Traceback" not in said
    text = report.read_text(encoding="utf-8")
    assert "RuntimeError" in text
    assert "in _fail" in text
    assert "the key is" not in text


def test_an_unwritable_log_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    monkeypatch.setattr(console, "log_folder", lambda: occupied)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(occupied))
    monkeypatch.setattr(simulate, "run", _fail)
    assert main(["simulate"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "run", interrupt)
    assert main(["simulate"]) == 130
    assert capsys.readouterr().err == ""


def test_warnings_go_to_a_file_and_not_to_the_screen(tmp_path: Path) -> None:
    code = (
        "import logging\n"
        "from citadels_lan.systems.logs import log_to_file\n"
        f"log_to_file()\nlogging.getLogger('citadels_lan.net').warning('the key is {KEY}')\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", code), env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stdout + done.stderr == ""
    (log,) = tmp_path.rglob("warnings.log")
    assert "the key is (bytes)" in log.read_text(encoding="utf-8")


@one_case("name", commands.COMMANDS)
def test_every_command_has_its_module(name: str) -> None:
    command = commands.load_command(name)
    assert callable(command.arguments)
    assert callable(command.run)


LONG = "9" * 10_000


@one_case(
    "arguments",
    [("join", LONG), ("join", "127.0.0.1:1", "--bot", LONG), ("host", "--takeover", LONG),
     ("host", "--resume", LONG), ("play", "--option", LONG), ("show", LONG), ("games", LONG), ("people", LONG),
     ("rules", LONG), (LONG,)],
)  # fmt: skip
def test_a_long_wrong_value_is_cut_in_one_short_sentence(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode
    assert len(refused(done, done.returncode)) < 600
