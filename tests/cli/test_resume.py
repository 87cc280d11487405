"""Games that were hosted here and are unfinished: `games`, `host --resume`, and how players resume them."""

import json
import signal
import socket
from pathlib import Path

import pytest

from citadels_lan.cli.console import UNREADABLE, USAGE
from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.host.journal import Journal, LobbyRecord, SeatRecord, TableRecord
from tests.facts import first_table
from tests.processes import Process, until
from tests.ptys import PtyProgram

from .program import local, refused, run, run_process

slow = pytest.mark.slow
HOST = ("host", "--headless", "--no-mdns")
ASKED = "CHOOSE IN SECRET"


def lobby(home: Path, number: int) -> Path:
    """Return the journal of a table whose host was killed in the lobby, before the game began."""
    path = home / "data" / "tables" / f"{number}.journal"
    table = TableRecord(bytes([number]) * 16, bytes(32), bytes(32), b"certificate", b"key", 47110)
    anna = SeatRecord(bytes(32), f"Anna {number}", SeatKind.PLAYER, True, bytes(64))
    Journal.create(path, table, LobbyRecord(first_table(3), (anna,))).close()
    return path


def test_resume_without_a_file_needs_exactly_one_unfinished_game(tmp_path: Path) -> None:
    assert "unfinished" in refused(run(tmp_path, *HOST, "--resume"))
    path = lobby(tmp_path, 1)
    assert "from 1 to 1" in refused(run(tmp_path, *HOST, "--resume", "7"))
    assert "Cannot read" in refused(run(tmp_path, *HOST, "--resume", "9" * 5000), UNREADABLE)
    (line,) = run(tmp_path, "games").stdout.splitlines()
    assert "Anna 1: not begun" in line
    (game,) = json.loads(run(tmp_path, "games", "--json").stdout)
    assert (game["players"], game["over"], game["hosted"], game["file"]) == (["Anna 1"], False, True, str(path))
    lobby(tmp_path, 2)
    done = run(tmp_path, *HOST, "--resume")
    assert done.returncode == USAGE
    assert sorted(line.split(":")[0].split(". ")[1] for line in done.stdout.splitlines()) == ["Anna 1", "Anna 2"]
    assert "--resume NUMBER" in done.stderr


def test_damaged_journal_is_rejected_with_the_record_number_and_not_changed(tmp_path: Path) -> None:
    path = lobby(tmp_path, 1)
    data = path.read_bytes()
    damaged = data[:40] + bytes([data[40] ^ 1]) + data[41:]
    path.write_bytes(damaged)
    text = refused(run(tmp_path, *HOST, "--resume", str(path)), 3)
    assert text == f"{path} is damaged at record 1. Resume from a copy of it."
    assert path.read_bytes() == damaged


@slow
def test_resume_of_a_table_open_in_another_terminal_is_rejected(tmp_path: Path) -> None:
    with Process(tmp_path, *HOST, "--port", "0", "--players", "2") as host:
        journal = host.line("save file:")
        assert "open in another terminal" in refused(run_process(tmp_path, *HOST, "--resume"))
        assert run_process(tmp_path, *HOST, "--resume", journal).returncode
        assert host.running


@slow
def test_resumed_lobby_uses_the_new_name(tmp_path: Path) -> None:
    hosting = ("host", "--plain", "--no-mdns", "--players", "3")
    for options in (("--name", "Anna", "--port", "0"), ("--resume",), ("--resume", "--name", "Zoe")):
        with Process(tmp_path, *hosting, *options, stdin="open") as host:
            host.line("Zoe:" if options[-1] == "Zoe" else "Anna:")
            host.kill()


@slow
def test_game_stopped_by_ctrl_c_is_resumed_with_the_printed_command(tmp_path: Path) -> None:
    with Process(tmp_path, "--lang", "it", "play", "--plain", stdin="open") as game:
        game.line("? ")
        game.interrupt()
        assert game.wait() == 130
        game.line("La partita è salvata. Per riprenderla esegui `citadels-lan host --resume`.")
    with Process(tmp_path, "host", "--resume", "--plain", stdin="open") as again:
        again.line("? ")


@slow
def test_killed_lobby_resumes_with_its_code_and_players(tmp_path: Path) -> None:
    with Process(tmp_path / "host", *HOST, "--port", "0", "--players", "3", "--bots", "random") as host:
        link, code = local(host.line("link:")), host.line("code:")
        first = Process(tmp_path / "one", "join", link, "--bot", "random", "--name", "Bea")
        first.line("Bea")
        host.kill()
    again = Process(tmp_path / "host", *HOST, "--resume")
    with first, again as host:
        assert host.line("code:") == code
        assert local(host.line("link:")) == link
        with Process(tmp_path / "two", "join", link, "--bot", "random", "--name", "Carla") as second:
            assert (first.wait(), second.wait(), host.wait()) == (0, 0, 0)


@slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_headless_host_informs_its_clients_and_resumes(tmp_path: Path, number: int) -> None:
    with Process(tmp_path / "host", *HOST, "--port", "0", "--players", "2") as host:
        join = ("join", local(host.line("link:")), "--plain", "--name")
        clients = [Process(tmp_path / name, *join, name, stdin="open") for name in ("Zoe", "Anna")]
        for client in clients:
            client.say("ready")
        for client in clients:
            client.line("== ")
        host.send(number)
        assert host.wait() == 128 + number
    with clients[0], clients[1], Process(tmp_path / "host", *HOST, "--resume") as host:
        for client in clients:
            client.line("!! The host closed the game. It is saved.")
            client.line("Connected again.")
        until(lambda: any(line.startswith("? ") for client in clients for line in client.lines))
        host.send(number)
        host.wait()
        for client in clients:
            until(lambda client=client: sum("closed the game" in line for line in client.lines) == 2)  # type: ignore[misc]
            client.say("quit")
            assert client.wait() == 0
            assert not any("Type quit again" in line for line in client.lines)


@slow
def test_host_quits_in_a_draft_and_resumes_and_both_clients_play_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    hosting = ("host", "--name", "Marco", "--players", "3", "--open", "--no-mdns", "--port", port)
    join = ("join", f"127.0.0.1:{port}", "--name")
    with PtyProgram(tmp_path / "host", *hosting, size=(120, 40)) as host:
        host.see("Waiting for 2 more players.")
        with (
            PtyProgram(tmp_path / "zoe", *join, "Zoe", size=(120, 40)) as zoe,
            Process(tmp_path / "anna", *join, "Anna", "--plain", stdin="open") as anna,
        ):
            anna.say("ready")
            host.see("Not ready yet: Zoe.")
            zoe.see("Press R when you are ready.")
            zoe.type("r")
            host.see("All players are ready")
            host.type("s")
            zoe.see(ASKED, again=lambda: _pick(host, anna))
            host.type("Q")
            host.see("Leave the game?")
            host.type("q")
            zoe.see("Marco closed the game. It is saved.")
            zoe.see("GAME CLOSED")
            assert not zoe.has("Away")
            anna.line("!! Marco closed the game. It is saved.")
            before = len(anna.lines)
            zoe.type("\r1")
            anna.say("1")
            host.see("Continue your game")
            assert not zoe.has(ASKED)
            assert not any(line.startswith("? ") or "is offline" in line for line in anna.lines[before:])
            host.type("C")
            zoe.see(ASKED)
            anna.line("Connected again.")
            zoe.see("is choosing a character.", again=lambda: zoe.type("\r"))
            zoe.see(ASKED, again=lambda: _pick(host, anna))
            zoe.type("Q")
            zoe.see("Leave the game?")


def _pick(host: PtyProgram, anna: Process) -> None:
    """Pick the first character for the player whose turn to pick it is: the host or Anna."""
    if host.has(ASKED):
        host.type("\r")
    if anna.lines and anna.lines[-1] == "" and any(line.startswith("? ") for line in anna.lines):
        anna.say("1")
