"""`play`, `host` and `join`: what they do without a person, and a sentence for whatever cannot be."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.cli.open.options import player_name
from citadels_lan.texts import load
from tests.effort import one_case
from tests.processes import Process

from .program import local, refused, run, run_process

pytestmark = pytest.mark.slow


@contextmanager
def waiting_table(home: Path, *arguments: str) -> Iterator[str]:
    """A table that waits for players; its link."""
    with Process(home / "host", "host", "--headless", "--no-mdns", "--port", "0", *arguments) as host:
        yield local(host.line("link:"))


def taken_port() -> socket.socket:
    taken = socket.socket()
    taken.bind(("0.0.0.0", 0))
    taken.listen()
    return taken


# Playing alone


@pytest.mark.parametrize("arguments", ["", "--players 5 --scenario random --lang it"])
def test_a_game_without_a_person(tmp_path: Path, arguments: str) -> None:
    out = tmp_path / "games"
    done = run_process(tmp_path, "play", "--auto", "--name", "Anna", "--out", str(out), *arguments.split())
    assert done.returncode == 0, done.stderr
    assert "Anna" in done.stdout
    files = sorted(out.glob("*.ctr"))
    assert len(files) == (5 if "5" in arguments else 4)
    assert all(str(file) in done.stdout for file in files)
    assert run(tmp_path, "verify", *map(str, files)).returncode == 0


def test_transcripts_go_to_the_data_folder(tmp_path: Path) -> None:
    assert run_process(tmp_path, "play", "--auto", "--players", "2", "--bots", "random").returncode == 0
    assert len(list((tmp_path / "data").rglob("*.ctr"))) == 2


def test_two_games_at_once_do_not_meet(tmp_path: Path) -> None:
    game = ("play", "--auto", "--players", "2")
    with Process(tmp_path, *game) as one, Process(tmp_path, *game) as other:
        assert (one.wait(), other.wait()) == (0, 0)


def test_without_a_terminal_play_speaks_in_lines(tmp_path: Path) -> None:
    with Process(tmp_path, "play", stdin="open") as game:
        game.line(" 1 ")


def test_without_input_a_person_leaves(tmp_path: Path) -> None:
    assert run_process(tmp_path, "play").returncode == 0


# Refusals


@one_case(
    ("arguments", "said"),
    [
        ("play --bots random,random", "3"),
        ("play --players 2 --cast emperor", "emperor"),
        ("play --scenario nowhere", "nowhere"),
        ("play --edition pirates", "2016"),
        ("play --edition dark_city --without keep,smithy,Keep", "--without"),
        ("play --out /dev/null/here", "--out"),
        ("play --name", "--name"),
        ("host --port 70000", "--port"),
        ("host --port http", "--port"),
        ("host --players 2 --bots random,random", "2"),
        ("host --bots clever", "clever"),
        ("host --seed 12", "--seed"),
        ("join 300.1.1.1", "300.1.1.1"),
        ("join http://somewhere/", "http"),
        ("join one two", "two"),
        ("join 127.0.0.1 --bot clever", "clever"),
        ("join 127.0.0.1 --bot random --spectate", "--spectate"),
        ("join 127.0.0.1:1", "127.0.0.1:1"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, arguments: str, said: str) -> None:
    assert said in refused(run(tmp_path, *arguments.split())).casefold()


@one_case("name", ["", "   ", "a\x07b", "a\nb", "\u202eanna", "x" * 30])
def test_a_name_that_cannot_be_shown(name: str) -> None:
    with pytest.raises(Failure) as failure:
        player_name(Console(load("en")), name)
    assert failure.value.code == USAGE
    assert "--name" in failure.value.text


@one_case("command", ["play --auto", "host --headless", "join 127.0.0.1:1"])
def test_a_name_is_checked_before_anything_is_done(tmp_path: Path, command: str) -> None:
    assert "--name" in refused(run(tmp_path, *command.split(), "--name", "a\x1bb"))


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    assert str(occupied) in refused(run(tmp_path, "play", "--auto", "--out", str(occupied)))


def test_a_port_in_use(tmp_path: Path) -> None:
    with closing(taken_port()) as taken:
        port = str(taken.getsockname()[1])
        assert port in refused(run_process(tmp_path, "host", "--headless", "--no-mdns", "--port", port))


def test_what_answers_is_no_table(tmp_path: Path) -> None:
    with closing(taken_port()) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        taken.close()
        assert where in refused(run_process(tmp_path, "join", where, "--bot", "random"))


def test_a_full_table(tmp_path: Path) -> None:
    with (
        waiting_table(tmp_path, "--players", "2", "--bots", "random") as where,
        Process(tmp_path / "one", "join", where, "--plain", "--name", "Anna", stdin="open") as one,
    ):
        one.line("")
        assert "2" in refused(run_process(tmp_path / "two", "join", where, "--bot", "random"))


@one_case("content", [None, b"", b"not a journal\n" * 50])
def test_a_journal_that_is_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "game.journal"
    if content is not None:
        path.write_bytes(content)
    done = run(tmp_path, "host", "--headless", "--no-mdns", "--port", "0", "--resume", str(path))
    assert str(path) in refused(done, 3)


@one_case("command", ["verify", "show"])
@pytest.mark.parametrize("content", [None, b"", b"citadels-lan transcript 9\n", b"\x00\xff" * 500])
def test_a_transcript_that_is_none(tmp_path: Path, command: str, content: bytes | None) -> None:
    path = tmp_path / "game.ctr"
    if content is not None:
        path.write_bytes(content)
    done = run(tmp_path, command, str(path))
    assert done.returncode == 3
    assert str(path) in done.stdout + done.stderr


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    assert run(tmp_path, "verify", str(tmp_path)).returncode == 3
    assert run(tmp_path, "show", str(tmp_path)).returncode == 3


# At a table


def test_a_host_that_is_interrupted_ends_quietly(tmp_path: Path) -> None:
    with Process(tmp_path, "host", "--headless", "--no-mdns", "--port", "0") as host:
        host.line("game:")
        host.interrupt()
        assert host.wait() == 130
        assert len(host.lines) == 6


def test_a_table_of_bots_alone_plays_to_its_end(tmp_path: Path) -> None:
    with Process(tmp_path, "host", "--headless", "--no-mdns", "--port", "0", "--players", "2",
                 "--bots", "sensible,random") as host:  # fmt: skip
        assert host.wait() == 0
        assert len(bytes.fromhex(host.line("game:"))) == 16
        assert host.line("1. ")
        assert host.line("Transcript:").endswith(".ctr")


def test_a_bot_looks_for_a_host_that_goes_before_the_game_until_it_is_stopped(tmp_path: Path) -> None:
    with waiting_table(tmp_path, "--players", "3") as where:
        bot = Process(tmp_path, "join", where, "--bot", "random")
        bot.line("")
    with bot:
        bot.interrupt()
        assert bot.wait() == 130
