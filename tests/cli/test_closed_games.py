"""A host closes a game in the middle of a draft, and resumes it: the program, in terminals and in lines."""

import signal
import socket
from pathlib import Path

import pytest

from tests.processes import Process, until
from tests.ptys import PtyProgram

from .program import local

pytestmark = pytest.mark.slow

ASKED = "CHOOSE IN SECRET"


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_host_quits_in_a_draft_and_resumes_and_both_clients_play_on(tmp_path: Path) -> None:
    port = free_port()
    hosting = ("host", "--name", "Marco", "--players", "3", "--open", "--no-mdns", "--port", port)
    join = ("join", f"127.0.0.1:{port}", "--name")
    with PtyProgram(tmp_path / "host", *hosting, size=(120, 40)) as host:
        host.see("2 players have still to come.")
        with (
            PtyProgram(tmp_path / "zoe", *join, "Zoe", size=(120, 40)) as zoe,
            Process(tmp_path / "anna", *join, "Anna", "--plain", stdin="open") as anna,
        ):
            anna.say("ready")
            host.see("Not ready yet: Zoe.")
            host.see("Everybody is here", again=lambda: zoe.type("r"))
            host.type("s")
            zoe.see(ASKED, again=lambda: _pick(host, anna))
            host.type("Q")
            host.see("Leave the table?")
            host.type("q")
            zoe.see("Marco closed the game. It is saved.")
            zoe.see("GAME CLOSED")
            assert not zoe.has("Away")
            anna.line("!! Marco closed the game. It is saved.")
            before = len(anna.lines)
            zoe.type("\r1")
            anna.say("1")
            host.see("Continue your table")
            assert not zoe.has(ASKED)
            assert not any(line.startswith("? ") for line in anna.lines[before:])
            assert not any("lost the connection" in line for line in anna.lines)
            host.type("C")
            zoe.see(ASKED)
            anna.line("Connected again.")
            zoe.see("is choosing a character.", again=lambda: zoe.type("\r"))
            zoe.see(ASKED, again=lambda: _pick(host, anna))
            zoe.type("Q")
            zoe.see("Leave the table?")


def _pick(host: PtyProgram, anna: Process) -> None:
    """Choose the first character for the player of these two who is asked."""
    if host.has(ASKED):
        host.type("\r")
    if anna.lines and anna.lines[-1] == "" and any(line.startswith("? ") for line in anna.lines):
        anna.say("1")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_headless_host_that_is_stopped_says_so_and_resumes(tmp_path: Path, number: int) -> None:
    arguments = ("host", "--headless", "--no-mdns")
    with Process(tmp_path / "host", *arguments, "--port", "0", "--players", "2") as host:
        join = ("join", local(host.line("link:")), "--plain", "--name")
        clients = [Process(tmp_path / name, *join, name, stdin="open") for name in ("Zoe", "Anna")]
        for client in clients:
            client.say("ready")
        for client in clients:
            client.line("== ")
        host.send(number)
        assert host.wait() == 128 + number
    with clients[0], clients[1], Process(tmp_path / "host", *arguments, "--resume") as host:
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
            assert not any("once more" in line for line in client.lines)
