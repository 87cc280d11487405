"""The first frame: it stands before anything heavy is loaded, and goes where nothing follows it."""

import sys
from pathlib import Path

import pytest

from citadels_lan.cli.open.front_end import DROP, RAISE
from tests.effort import quick
from tests.ptys import PtyProgram

ROOMS = ("cli", "systems", "texts", "ui", "plain")
LOADED = {
    "": {f"citadels_lan.{room}" for room in ROOMS},
    "play": {f"citadels_lan.{room}" for room in (*ROOMS, "engine")},  # what is wanted is checked before it
}
"""The rooms that may have been loaded at the first frame."""
SCREENS = {"citadels_lan.ui.widgets", "citadels_lan.ui.widgets.letters"}
"""What may have been loaded of the screens."""
LATER = {"asyncio", "ssl", "textual", "rich", "cryptography", "zeroconf", "ifaddr", "msgpack"}
"""What may not."""
LOOK = """
import os
import sys
from citadels_lan.cli import main

class Screen:
    def __init__(self, stream):
        self.stream, self.encoding = stream, stream.encoding
    def isatty(self):
        return True
    def write(self, signs):
        loaded = " ".join(sys.modules)
        self.stream.write(f"{signs} LOADED {loaded}")
        self.stream.flush()
        os._exit(0)

sys.stderr = Screen(sys.stderr)
main.main()
"""
"""A program that ends at whatever it writes first, and tells what it has loaded by then."""


def in_terminal(home: Path, *command: str) -> str:
    """All that a program writes into a terminal."""
    with PtyProgram(home, command=(sys.executable, *command)) as program:
        program.wait()
        return program.written


@pytest.mark.parametrize("command", quick(LOADED, "play"))
def test_the_first_frame_stands_before_anything_heavy_is_loaded(tmp_path: Path, command: str) -> None:
    written = in_terminal(tmp_path, "-c", LOOK, *command.split())
    frame, _, modules = written.partition(" LOADED ")
    assert frame.startswith(RAISE)
    assert "One moment…" in frame
    loaded = set(modules.split())
    ours = {".".join(name.split(".")[:2]) for name in loaded if name.startswith("citadels_lan.")}
    assert ours <= LOADED[command]
    assert {name for name in loaded if name.startswith("citadels_lan.ui.")} <= SCREENS
    assert not loaded & LATER


@pytest.mark.slow
def test_where_no_screen_follows_the_terminal_is_as_it_was(tmp_path: Path) -> None:
    written = in_terminal(tmp_path, "-m", "citadels_lan", "play", "--name", "")
    assert written.startswith(RAISE)
    assert "--name must not be empty." in written.partition(DROP)[2]


@pytest.mark.parametrize(
    "arguments", [("--players", "99"), pytest.param(("--plain", "--name", ""), marks=pytest.mark.slow)]
)
def test_no_frame_where_none_is_needed(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """What is asked for cannot be, or lines are wanted."""
    written = in_terminal(tmp_path, "-m", "citadels_lan", "play", *arguments)
    assert RAISE not in written
    assert "--" in written
