"""Releases: placeholders for values of the publisher, and processes of a program in a single file."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from citadels_lan import __main__ as program
from citadels_lan.platform.process import command_of
from tools.release.placeholders import known

ROOT = Path(__file__).parents[1]
BUILD: dict[str, Any] = runpy.run_path(str(ROOT / "hatch_build.py"))


def test_every_release_placeholder_is_described_and_has_an_entry_to_fill_in() -> None:
    used = {line.rpartition(" ")[2].strip("@") for line in BUILD["placeholders"](ROOT)}
    assert used <= {*known()}
    described = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in described for name in known())


def test_release_build_fails_while_a_placeholder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "SECURITY.md").write_text("Write to @SECURITY@.\n")
    hook = BUILD["Translations"](str(tmp_path), {}, None, None, "", "sdist")
    hook.initialize("standard", {})
    monkeypatch.setenv("RELEASE", "1")
    with pytest.raises(SystemExit, match=r"SECURITY\.md: @SECURITY@"):
        hook.initialize("standard", {})


def test_single_file_program_starts_its_processes_without_an_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert command_of("citadels_lan.web") == [sys.executable, "-m", "citadels_lan.web"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command_of("citadels_lan.web") == [sys.executable, "citadels_lan.web"]
    served = []
    monkeypatch.setattr("citadels_lan.web.__main__.main", lambda: served.append(sys.argv[1:]))
    monkeypatch.setattr(sys, "argv", ["citadels-lan", "citadels_lan.web"])
    with pytest.raises(SystemExit):
        program.run()
    assert served == [[]]
    monkeypatch.setattr(sys, "argv", ["citadels-lan", "citadels_lan", "--version"])
    monkeypatch.setattr("citadels_lan.cli.main.main", lambda: served.append(sys.argv[1:]))
    program.run()
    assert served[1:] == [["--version"]]
