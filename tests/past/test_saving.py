"""Saving a recording: as text, as a picture, as a film; and what `replay` says of words that cannot be."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from citadels_lan.front.retelling import asciicast, save
from tests.cli.program import refused, run
from tests.effort import one_case

from .files import finished


def test_an_asciicast_is_a_header_and_events() -> None:
    header, *events = map(json.loads, asciicast(80, 24, "a game", [(0, "à\x1b[1m"), (0.12345, "b")]))
    assert header == {"version": 2, "width": 80, "height": 24, "title": "a game"}
    assert events == [[0, "o", "à\x1b[1m"], [0.123, "o", "b"]]


def test_nothing_is_written_over_a_file_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    save(path, ["one"])
    with pytest.raises(FileExistsError):
        save(path, ["two"])
    assert path.read_text(encoding="utf-8") == "one\n"
    save(path, ["two"], replace=True)
    assert path.read_text(encoding="utf-8") == "two\n"


def test_the_text_goes_here_or_to_a_file(tmp_path: Path) -> None:
    file, out = str(finished(tmp_path)), tmp_path / "game.txt"
    here = run(tmp_path, "replay", file, "--text")
    assert here.returncode == 0
    assert run(tmp_path, "replay", file, "--text", str(out)).returncode == 0
    assert out.read_text(encoding="utf-8") == here.stdout
    assert "--force" in refused(run(tmp_path, "replay", file, "--text", str(out)), 1)
    assert run(tmp_path, "replay", file, "--text", str(out), "--force", "--lang", "it").returncode == 0
    assert "Tutte le mani" in out.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_picture_is_the_same_every_time(tmp_path: Path) -> None:
    file, outs = str(finished(tmp_path)), [tmp_path / "a.svg", tmp_path / "b.svg"]
    for out in outs:
        done = run(tmp_path, "replay", file, "--svg", str(out), "--at", "30", "--size", "80x24")
        assert done.returncode == 0
    drawn = outs[0].read_text(encoding="utf-8")
    assert outs[1].read_text(encoding="utf-8") == drawn
    said = "".join(ElementTree.fromstring(drawn).itertext()).replace("\N{NO-BREAK SPACE}", " ")
    assert "Move 30 of" in said
    assert "@font-face" not in drawn


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
def test_words_that_cannot_be_get_a_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert said in refused(run(tmp_path, "replay", str(finished(tmp_path)), *words), 2)
    assert not Path("x.svg").exists()


def test_the_transcript_itself_is_never_written_over(tmp_path: Path) -> None:
    path = finished(tmp_path)
    before = path.read_bytes()
    assert "transcript" in refused(run(tmp_path, "replay", str(path), "--text", str(path), "--force"), 2)
    assert path.read_bytes() == before


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    out = str(tmp_path / "nowhere" / "x.txt")
    assert out in refused(run(tmp_path, "replay", str(finished(tmp_path)), "--text", out), 1)


def test_a_file_of_no_game_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "x.ctr"
    path.write_bytes(b"nonsense")
    assert "verify" in refused(run(tmp_path, "replay", str(path), "--text"), 3)
