"""Saving a recording as text, picture or film, and rejected options of `replay`."""

import json
from pathlib import Path

from citadels_lan.presenter.recording import asciicast
from tests.cli.program import refused, run
from tests.effort import one_case

from .files import finished


def test_replay_text_is_printed_or_saved(tmp_path: Path) -> None:
    file, out = str(finished(tmp_path)), tmp_path / "game.txt"
    here = run(tmp_path, "replay", file, "--text")
    assert here.returncode == 0
    assert run(tmp_path, "replay", file, "--text", str(out)).returncode == 0
    assert out.read_text(encoding="utf-8") == here.stdout
    assert "--force" in refused(run(tmp_path, "replay", file, "--text", str(out)), 1)
    assert run(tmp_path, "replay", file, "--text", str(out), "--force", "--lang", "it").returncode == 0
    assert "Tutte le mani" in out.read_text(encoding="utf-8")


@one_case(
    ("words", "said"),
    [
        (("--at", "3"), "--svg"),
        (("--svg", "x.svg", "--at", "0"), "--at"),
        (("--svg", "x.svg", "--at", "9999"), "--at"),
        (("--svg", "x.svg", "--at", "three"), "--at"),
        (("--speed", "3"), "--cast"),
        (("--cast", "x.cast", "--speed", "quick"), "--speed"),
        (("--cast", "x.cast", "--speed", "0"), "--speed"),
        (("--cast", "x.cast", "--speed", "inf"), "--speed"),
        (("--svg", "x.svg", "--size", "80"), "--size"),
        (("--svg", "x.svg", "--size", "9999x24"), "--size"),
        (("--force",), "--force"),
    ],
)
def test_invalid_replay_options_are_rejected(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert said in refused(run(tmp_path, "replay", str(finished(tmp_path)), *words), 2)
    assert not Path("x.svg").exists()


def test_replay_never_overwrites_the_transcript(tmp_path: Path) -> None:
    path = finished(tmp_path)
    before = path.read_bytes()
    assert "transcript" in refused(run(tmp_path, "replay", str(path), "--text", str(path), "--force"), 2)
    assert path.read_bytes() == before


def test_asciicast_has_header_and_events() -> None:
    header, *events = map(json.loads, asciicast(80, 24, "a game", [(0, "à\x1b[1m"), (0.12345, "b")]))
    assert header == {"version": 2, "width": 80, "height": 24, "title": "a game"}
    assert events == [[0, "o", "à\x1b[1m"], [0.123, "o", "b"]]
