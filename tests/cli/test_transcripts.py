"""`verify`, `show` and `replay`: what they print about transcripts, and their exit codes."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.cli.transcripts import TranscriptText
from citadels_lan.crypto.log import CoSigned, Move
from citadels_lan.crypto.report.model import CONTRADICTIONS, READING, SENTENCES, Evidence, Finding, sentence
from citadels_lan.crypto.transcript import MAX_FILE, hear, parse
from citadels_lan.crypto.words import WORDS
from citadels_lan.texts import load
from tests.crypto.forging import saved
from tests.crypto.table import Game, begin
from tests.effort import one_case

from .program import PROGRAM, environment, run
from .test_resume import lobby

slow = pytest.mark.slow
EN = load("en")
READERS = (
    ("verify",), ("show",), ("replay", "--text"), ("host", "--headless", "--no-mdns", "--port", "0", "--resume"),
)  # fmt: skip


@pytest.fixture(scope="module")
def four() -> Game:
    """Return a finished game of four players."""
    return begin(4).play()


def text(data: bytes) -> list[str]:
    return list(TranscriptText(hear(parse(data)), EN).lines())


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a folder")
def test_reading_commands_work_in_a_read_only_folder(tmp_path: Path, four: Game) -> None:
    home = tmp_path / "home"
    (home / "data" / "transcripts").mkdir(parents=True)
    path = saved(home / "data" / "transcripts" / "game.ctr", four.transcript(0))
    lobby(home, 1)
    mounted = ("unshare", "-m", "sh", "-c", READ_ONLY, str(home))
    if os.geteuid() != 0 or subprocess.run((*mounted, "true"), check=False, capture_output=True).returncode:
        pytest.skip("mounting needs root")

    def read(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command, own = (*mounted, *PROGRAM, *arguments), environment(home)
        return subprocess.run(command, env=own, capture_output=True, text=True, encoding="utf-8", check=False)

    games = read("games")
    assert (games.returncode, games.stderr) == (0, "")
    assert str(path) in games.stdout
    assert "Anna 1: not begun" in games.stdout
    for arguments in (("show", str(path)), ("verify", str(path)), ("replay", str(path), "--text"), ("rules",)):
        done = read(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        assert done.stdout
    failed = read("host", "--headless")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith(f"Cannot write to {home / 'data'} (Read-only file system).")
    assert "CITADELS_HOME" in failed.stderr


# The text


def test_text_of_show_has_all_moves_check_words_and_the_result(four: Game) -> None:
    shown = text(four.transcript(0))
    assert shown[0].startswith("game 000102030405060708090a0b0c0d0e0f")
    assert {"a: Player 0", "b: Player 1 (bot)", "as Player 0 received it"} <= set(shown)
    for n in range(1, len(four.bodies) + 1):
        if isinstance(four.host_log.entry(n), Move):
            assert any(line.startswith(f"[{n}] ") and line.endswith(four.host_log.line(n)) for line in shown)
    winner = four.state.winners[0]
    assert shown[-4].startswith(f"{'abcd'[winner]}: Player {winner}, {four.state.scores[winner].total} points (")
    assert not any("(hidden)" in line for line in shown)
    watched = text(four.transcript(None))
    assert "as a spectator received it" in watched
    assert not any("(private)" in line for line in watched)
    rounds = [entry for entry in four.host_log.entries() if isinstance(entry, CoSigned)]
    signed = [line for line in shown if "signed by all players" in line]
    assert len(signed) == len(rounds)
    assert "after round 1," in signed[0]
    assert "end, signed" in signed[-1]
    words = {tuple(line.split(": ")[1].split()) for line in signed}
    assert len(words) == len(rounds)
    assert all(len(four) == 4 and set(four) <= set(WORDS) for four in words)


def test_show_marks_unfinished_and_damaged_games(four: Game) -> None:
    shown = text(begin(2).play(until=lambda game: game.state.round > 1).transcript(None, finish=False))
    assert shown[-1] == "the game was not finished"
    assert any("(hidden)" in line for line in shown)
    data = bytearray(four.transcript(0, finish=False))
    data[-700] ^= 1
    assert any("cannot be read" in line for line in text(bytes(data)))


def test_every_finding_of_verification_has_a_sentence() -> None:
    names = "n move line reason event index told expected rules own own_rules program at error other round rounds"
    values = dict.fromkeys([*names.split(), "edition", "names"], "x")
    evidence = (Evidence(1, bytes([171]) * 32, b"", b""),)
    for seat in (0, None):
        for code in CONTRADICTIONS:
            said = sentence(Finding("host_cheated", "proof", values, code, seat, evidence), None)
            assert "key abababababababab" in said, "nobody else has signed it"
            assert sentence(Finding("player_cheated", "proof", values, code, seat, evidence), None)
        for code in SENTENCES.keys() - {"host_cheated", "player_cheated"}:
            assert sentence(Finding(code, "damaged", values, seat=seat), None)
    for code in READING:
        assert sentence(Finding("unreadable", "damaged", {"reason": code}), None) != f"{code}."


# The commands


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def files(home: Path) -> Sequence[str]:
    """The transcripts of a game with warrants, one for each seat."""
    out = home / "games"
    cast = "magistrate,blackmailer,magician,king,bishop,merchant,architect,warlord"
    arguments = ("--players", "4", "--cast", cast, "--out", str(out))
    assert run(home, "play", "--auto", *arguments).returncode == 0
    return [str(path) for path in sorted(out.glob("*.ctr"))]


@pytest.fixture(scope="module")
def other(home: Path) -> str:
    """Return the path of a transcript of another game."""
    return str(saved(home / "other.ctr", begin(2).play().transcript(0)))


def beginning(home: Path, file: str) -> str:
    """Return a file with the beginning of another one, cut in the middle of a record."""
    path = home / "torn.ctr"
    path.write_bytes(Path(file).read_bytes()[:20_000])
    return str(path)


@slow
def test_report_of_verify_is_short_narrow_and_in_both_languages(home: Path, files: Sequence[str]) -> None:
    done = run(home, "verify", files[0])
    assert (done.returncode, done.stderr) == (0, "")
    report = done.stdout.splitlines()
    assert report[0].startswith("VERIFIED")
    assert len(report) <= 28
    assert "If the host is the only person in a game, nothing is guaranteed." in done.stdout
    assert "Isotta" in done.stdout
    italian = run(home, "verify", "--lang", "it", *files).stdout
    assert italian.startswith("VERIFICATO")
    assert [line for line in [*report, *italian.splitlines()] if len(line) > 80 and ".ctr" not in line] == []


@slow
def test_json_report_of_verify_is_one_object(home: Path, files: Sequence[str], other: str) -> None:
    done = run(home, "verify", "--json", str(Path(files[0]).parent), other)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    report = json.loads(done.stdout)
    assert (report["verdict"], report["exit"]) == ("verified", 0)
    assert [file["path"] for file in report["files"]] == [*files, other]
    assert [len(game["players"]) for game in report["games"]] == [4, 2]
    words = report["games"][0]["words"]
    assert len(words) == 4
    assert " ".join(words) in run(home, "verify", files[0]).stdout


@slow
def test_exit_code_of_verify_is_that_of_the_worst_file(home: Path, files: Sequence[str], other: str) -> None:
    torn = beginning(home, files[1])
    for paths, code in (
        ([files[0], other], 0), ([torn], 4), ([files[0], torn], 0), ([torn, str(home / "missing.ctr")], 3),
    ):  # fmt: skip
        assert run(home, "verify", *paths).returncode == code


@slow
def test_show_prints_a_game_in_sentences(home: Path, files: Sequence[str]) -> None:
    done = run(home, "show", files[0])
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout.splitlines()
    assert any(line.startswith("    Round 1") for line in shown)
    assert any(line.startswith("    (private) You gain 4 cards") for line in shown)
    assert any("'s turn · " in line for line in shown)
    rounds = sum(line.startswith("    Round ") for line in shown)
    assert sum(line.startswith("    Points after round ") for line in shown) == rounds - 1
    assert not any("seat=" in line for line in shown)  # no internal name of the engine is left
    sealed = [line for line in shown if line.split(" ")[2:3] in (["warrant"], ["threaten"])]
    assert sealed
    italian = run(home, "show", "--lang", "it", files[0]).stdout
    assert "Turno di " in italian
    assert all(line in italian.splitlines() for line in sealed)  # the notation is the same in every language
    early = run(home, "show", beginning(home, files[0]))
    assert early.returncode == 0
    assert early.stdout.splitlines()[-1] == "the game was not finished"


@pytest.mark.slow
def test_standard_input_is_read_as_a_transcript(other: str) -> None:
    for command in ("verify", "show"):
        with Path(other).open("rb") as data:
            done = subprocess.run([*PROGRAM, command, "-"], stdin=data, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


# What is no transcript


@pytest.fixture(params=["pipe", "socket", "device", "folder", "kernel", "nothing", "empty", "huge", "old"])
def no_transcript(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "a.ctr"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(path))
        case "device":
            path = Path("/dev/zero")
        case "folder":
            path.mkdir()
        case "kernel":
            path = Path("/proc/kmsg")  # A named pipe has no size, and reading it could block for ever.
        case "empty":
            path.touch()
        case "huge":
            with path.open("wb") as file:
                file.truncate(MAX_FILE + 1)
        case "old":
            path.write_bytes(b"citadels-lan transcript 3\n" + bytes(100))
    if path.is_absolute() and path.parent in (Path("/dev"), Path("/proc")) and not os.access(path, os.R_OK):
        pytest.skip("there is none here")
    return path


@pytest.mark.skipif(os.name != "posix", reason="pipes and sockets with names")
@one_case("reader", READERS)
def test_non_transcript_is_rejected_in_one_sentence(
    reader: tuple[str, ...], no_transcript: Path, tmp_path: Path
) -> None:
    command, *options = reader
    words = (str(no_transcript), *options) if command == "replay" else (*options, str(no_transcript))
    done = run(tmp_path, command, *words)
    assert done.returncode == 3
    printed = " ".join((done.stdout + done.stderr).split())
    assert str(no_transcript) in printed.replace(" ", "") or str(no_transcript) in printed
    assert "PROOF" not in printed
