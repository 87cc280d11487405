"""`verify` and `show` as people and programs run them: what they print, and the exit codes."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.cli.show import Sentences
from citadels_lan.crypto.transcript import MAX_FILE
from citadels_lan.engine import events
from citadels_lan.texts import LANGUAGES, load
from tests.effort import one_case

from .program import refused, run

played = pytest.mark.slow


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_not_exist_is_shown_as_it_is(language: str) -> None:
    """A file that nobody has checked may say anything."""
    narrator = Sentences(load(language))
    narrator.begin(["Anna", "Bruno"], 0)
    told = list(narrator.tell([events.Revealed(7, "king"), events.Revealed(1, "jester"), events.Called(3)]))
    assert told[:2] == ["Revealed seat=h character=king", "Revealed seat=b character=jester"]
    assert narrator.characters(["king", "jester"]) == "king jester"
    assert narrator.districts(["castle", "ruin"]) == "castle ruin"
    assert narrator.points("ruin") == "ruin"


def test_what_only_the_owner_was_told_is_marked() -> None:
    drawn = events.CardsGained(0, ("castle", "castle"), "bonus")
    for viewer, marked in ((0, True), (None, False)):
        narrator = Sentences(load("en"))
        narrator.begin(["Anna", "Bruno"], viewer)
        (line,) = narrator.tell([drawn.redact(viewer)])
        assert line.startswith("(private) ") == marked


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def files(home: Path) -> Sequence[str]:
    """The transcripts of a game with warrants, one for each seat."""
    out = home / "games"
    cast = "magistrate,blackmailer,magician,king,bishop,merchant,architect,warlord"
    arguments = ("--players", "4", "--cast", cast, "--name", "Anna", "--out", str(out))
    assert run(home, "play", "--auto", *arguments).returncode == 0
    return [str(path) for path in sorted(out.glob("*.ctr"))]


@pytest.fixture(scope="module")
def other(home: Path) -> str:
    """A transcript of another game."""
    out = home / "other"
    assert run(home, "play", "--auto", "--players", "2", "--out", str(out)).returncode == 0
    return str(min(out.glob("*.ctr")))


def beginning(home: Path, file: str) -> str:
    """The file up to somewhere in a record."""
    path = home / "torn.ctr"
    path.write_bytes(Path(file).read_bytes()[:20_000])
    return str(path)


@played
def test_the_report_of_one_file_is_short_and_narrow(home: Path, files: Sequence[str]) -> None:
    done = run(home, "verify", files[0])
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("VERIFIED")
    assert len(lines) <= 28
    assert "A game whose only person sits at the host has no promise." in done.stdout
    assert "A closed game promises" not in done.stdout
    assert all(len(line) <= 80 or files[0] in line for line in lines)
    assert "Anna" in done.stdout


@played
def test_it_speaks_italian(home: Path, files: Sequence[str]) -> None:
    done = run(home, "verify", "--lang", "it", *files)
    assert done.returncode == 0
    assert done.stdout.startswith("VERIFICATO")
    assert all(len(line) <= 80 or ".ctr" in line for line in done.stdout.splitlines())


@played
def test_json_is_one_object_and_nothing_else(home: Path, files: Sequence[str], other: str) -> None:
    done = run(home, "verify", "--json", *files, other)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    report = json.loads(done.stdout)
    assert (report["verdict"], report["exit"]) == ("verified", 0)
    assert [file["path"] for file in report["files"]] == [*files, other]
    assert [len(game["players"]) for game in report["games"]] == [4, 2]
    words = report["games"][0]["words"]
    assert len(words) == 4
    assert " ".join(words) in run(home, "verify", files[0]).stdout


@played
@pytest.mark.parametrize("output", [(), ("--json",)])
def test_the_exit_code_is_that_of_the_worst_file(
    home: Path, files: Sequence[str], other: str, output: tuple[str, ...]
) -> None:
    torn = beginning(home, files[1])
    assert run(home, "verify", *output, files[0], other).returncode == 0
    assert run(home, "verify", *output, torn).returncode == 4
    assert run(home, "verify", *output, files[0], torn).returncode == 0
    assert run(home, "verify", *output, torn, str(home / "missing.ctr")).returncode == 3


@played
def test_every_path_that_is_no_transcript_gets_one_sentence(home: Path) -> None:
    empty, huge, missing = home / "empty.ctr", home / "huge.ctr", home / "missing.ctr"
    bare = home / "bare"
    bare.mkdir()
    empty.touch()
    with huge.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    paths = [str(path) for path in (empty, huge, missing, bare)]
    done = run(home, "verify", *paths)
    assert (done.returncode, done.stderr) == (3, "")
    verdict, *rest = done.stdout.splitlines()
    assert verdict.startswith("NOT VERIFIED")
    assert [line for line in rest if line in paths] == paths
    assert len([line for line in rest if line.startswith("  ")]) == len(paths)
    report = json.loads(run(home, "verify", "--json", *paths).stdout)
    assert [len(file["findings"]) for file in report["files"]] == [1] * 4
    assert report["games"] == []
    for path in paths:
        assert path in refused(run(home, "show", path), 3)


@played
def test_folders_and_standard_input(home: Path, files: Sequence[str], other: str) -> None:
    folder = Path(files[0]).parent
    report = json.loads(run(home, "verify", "--json", str(folder)).stdout)
    assert [file["path"] for file in report["files"]] == list(files)
    with Path(other).open("rb") as data:
        program = [sys.executable, "-m", "citadels_lan"]
        for command in ("verify", "show"):
            data.seek(0)
            done = subprocess.run([*program, command, "-"], stdin=data, capture_output=True, check=False)
            assert (done.returncode, done.stderr) == (0, b"")


def test_what_names_no_transcript_is_said(tmp_path: Path) -> None:
    bare = tmp_path / "none"
    bare.mkdir()
    done = run(tmp_path, "verify", str(bare))
    assert done.returncode == 3
    assert "no file in it ends in .ctr" in done.stdout
    assert "standard input" in refused(run(tmp_path, "replay", "-"), 2)


@played
def test_show_tells_a_game_in_sentences(home: Path, files: Sequence[str]) -> None:
    done = run(home, "show", files[0])
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    report = json.loads(run(home, "verify", "--json", files[0]).stdout)["games"][0]
    for one in report["cosigned"]:
        (line,) = [line for line in lines if line.startswith(f"[{one['entry']}] ")]
        assert line.endswith(" ".join(one["words"]))
    assert any(line.startswith("    Round 1") for line in lines)
    assert any(line.startswith("    (private) You gain 4 cards") for line in lines)
    assert any("'s turn · " in line for line in lines)
    rounds = sum(line.startswith("    Round ") for line in lines)
    assert sum(line.startswith("    Points after round ") for line in lines) == rounds - 1
    assert not any("seat=" in line for line in lines)  # nothing is left as the engine calls it
    sealed = [line for line in lines if line.split(" ")[2:3] in (["warrant"], ["threaten"])]
    assert sealed
    assert all(line.count("*") == 1 for line in sealed)
    italian = run(home, "show", "--lang", "it", files[0]).stdout
    assert "Turno di " in italian
    assert "(privato) " in italian
    assert all(line in italian.splitlines() for line in sealed)  # the notation is the same in every language


@played
def test_show_marks_what_is_sealed_in_a_game_that_stopped(home: Path, files: Sequence[str]) -> None:
    done = run(home, "show", beginning(home, files[0]))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "the game was not finished"
    whole = [line for line in run(home, "show", files[0]).stdout.splitlines() if " warrant " in line]
    early = [line for line in done.stdout.splitlines() if " warrant " in line]
    for line, full in zip(early, whole, strict=False):
        assert line in (full, full.replace("*", "") + " (sealed)")


@one_case(
    ("command", "said"),
    [
        (
            "verify",
            "This transcript has the format of another version of citadels-lan. Check it with that version.",
        ),
        ("show", "This transcript has the format of another version of citadels-lan. Check it with that version."),
        ("replay", "`citadels-lan verify` says more."),
    ],
)
def test_old_format_gets_one_sentence_and_exit_3(tmp_path: Path, command: str, said: str) -> None:
    path = tmp_path / "old.ctr"
    path.write_bytes(b"citadels-lan transcript 3\n" + bytes(100))
    done = run(tmp_path, command, str(path), *(["--text", "-"] if command == "replay" else []))
    assert done.returncode == 3
    shown = " ".join((done.stdout + done.stderr).split())
    assert said in shown
    assert "PROOF" not in shown


def test_help_explains_both_meanings_of_exit_5(tmp_path: Path) -> None:
    said = " ".join(run(tmp_path, "verify", "--help").stdout.split())
    assert "5 played with other rules than this program has. (5 of `join` means that it found no game.)" in said
