"""The launcher: first frame, lists of games, seats, and profiles."""

import sys
from contextlib import closing
from pathlib import Path

import pytest

from citadels_lan.cli.preferences import Profiles
from citadels_lan.cli.start import DROP, RAISE
from tests.effort import quick
from tests.ptys import PtyProgram

from .program import run_process

# The first frame

PARTS = ("cli", "platform", "texts", "ui", "line_mode")
LOADED = {
    "": {f"citadels_lan.{part}" for part in PARTS},
    "play": {f"citadels_lan.{part}" for part in (*PARTS, "engine")},  # The options are checked before the frame.
}
"""By command: the packages whose modules may be loaded when the first frame appears."""
SCREENS = {"citadels_lan.ui.widgets", "citadels_lan.ui.widgets.letters"}
LATER = {"asyncio", "ssl", "textual", "rich", "cryptography", "zeroconf", "ifaddr", "msgpack"}
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
"""A program that ends at its first output, and prints the names of the modules that are loaded at that
time."""


def in_terminal(home: Path, *command: str) -> str:
    """Run Python with these arguments in a pseudo-terminal, and return the output."""
    with PtyProgram(home, command=(sys.executable, *command)) as program:
        program.wait()
        return program.written


@pytest.mark.parametrize("command", quick(LOADED, "play"))
def test_first_frame_appears_before_the_rest_is_loaded(tmp_path: Path, command: str) -> None:
    frame, _, modules = in_terminal(tmp_path, "-c", LOOK, *command.split()).partition(" LOADED ")
    assert frame.startswith(RAISE)
    assert "One moment…" in frame
    loaded = set(modules.split())
    assert {".".join(name.split(".")[:2]) for name in loaded if name.startswith("citadels_lan.")} <= LOADED[
        command
    ]
    assert {name for name in loaded if name.startswith("citadels_lan.ui.")} <= SCREENS
    assert not loaded & LATER


@pytest.mark.parametrize(
    ("arguments", "framed"),
    [
        (("--players", "99"), False),
        pytest.param(("--plain", "--out", "/dev/null/x"), False, marks=pytest.mark.slow),
        pytest.param(("--out", "/dev/null/x"), True, marks=pytest.mark.slow),
    ],
)
def test_errors_after_the_first_frame_are_printed_on_the_normal_screen(
    tmp_path: Path, arguments: tuple[str, ...], framed: bool
) -> None:
    written = in_terminal(tmp_path, "-m", "citadels_lan", "play", *arguments)
    assert (RAISE in written) == framed
    after = written.partition(DROP)[2] if framed else written
    assert "players" in after or "another folder with --out" in after


def test_home_screen_without_a_terminal_uses_line_mode(tmp_path: Path) -> None:
    done = run_process(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "quit" in done.stdout


# Profiles


def test_programs_on_one_computer_use_different_keys(tmp_path: Path) -> None:
    with closing(Profiles(tmp_path)) as one, closing(Profiles(tmp_path)) as other:
        assert one.person() == tmp_path
        assert other.person() != tmp_path
        bots = [one.bot(), one.bot(), other.bot(), other.bot()]
        assert len(set(bots)) == 4
        for home in (tmp_path, *bots[:2]):
            (home / "identity.key").write_bytes(b"key")
        assert len(list(one.known())) == 3
    with closing(Profiles(tmp_path)) as later:
        assert (later.person(), later.bot()) == (tmp_path, bots[0])
