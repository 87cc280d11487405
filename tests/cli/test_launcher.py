"""What the home screen gets from the command line."""

import os
from pathlib import Path

from citadels_lan.cli.console import Console
from citadels_lan.cli.launcher import TableLauncher
from citadels_lan.texts import load
from citadels_lan.ui.launcher import Preferences


def test_finished_games_come_newest_first(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(), tmp_path / "data", tmp_path)
    for age, name in enumerate(("new.ctr", "old.ctr", "notes.txt")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    assert [path.name for path in launcher.finished()] == ["new.ctr", "old.ctr"]


def test_without_games_there_are_none(tmp_path: Path) -> None:
    launcher = TableLauncher(Console(load("en")), Preferences(), tmp_path / "data", tmp_path / "nowhere")
    assert list(launcher.finished()) == []
