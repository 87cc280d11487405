"""A host hands its game over, with real programs."""

from pathlib import Path

import pytest

from tests.cli.program import local
from tests.processes import Process, until

HOST = ("host", "--headless", "--no-mdns")


def plain(home: Path, link: str, name: str) -> Process:
    """A person in line mode, ready."""
    person = Process(home, "join", link, "--plain", "--name", name, stdin="open")
    person.say("ready")
    return person


@pytest.mark.slow
def test_headless_host_hands_the_game_over(tmp_path: Path) -> None:
    table = ("--port", "0", "--players", "3", "--bots", "random")
    with Process(tmp_path / "host", *HOST, *table, stdin="open") as host:
        link = local(host.line("link:"))
        journal = host.line("journal:")
        with plain(tmp_path / "zoe", link, "Zoe") as zoe, plain(tmp_path / "anna", link, "Anna") as anna:
            until(lambda: any(line.startswith("? ") for line in (*zoe.lines, *anna.lines)))
            first, second = (zoe, anna) if any(line.startswith("? ") for line in zoe.lines) else (anna, zoe)
            host.say("hand nobody")
            host.line("No player is called nobody.")
            host.say("hand isotta")
            host.line("Isotta cannot host.")
            host.say("hand Zoe")
            said = host.line("Handed to Zoe at entry ")
            zoe.line("!! The host handed the game to you. Your computer hosts it now, and can see what")
            anna.line("!! The host handed the game to Zoe. Zoe's computer can now see what the host's saw.")
            for person in (zoe, anna):
                person.line("Connected again.")
            first.say("1")
            second.line("? ")
            assert host.running  # its bot plays on
            host.interrupt()
            host.wait()
            zoe.line("Isotta has lost the connection")
            anna.interrupt()
            anna.wait()
            zoe.interrupt()
            zoe.wait()
            assert any("The game is kept" in line for line in zoe.lines)
    with Process(tmp_path / "host", *HOST, "--resume", journal) as host:
        host.line(f"Handed to Zoe at entry {said}")
        assert host.wait() != 0
