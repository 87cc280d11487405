"""Substitute bots over real connections: a program is killed, a bot plays for it, and its player returns."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from tests.cli.program import local
from tests.processes import Process

pytestmark = pytest.mark.slow


HOST = ("host", "--headless", "--no-mdns", "--players", "2", "--takeover-level", "random")


class Programs(ExitStack):
    """Starts real programs, each with its own folder by name, and ends them after the test."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def run(self, name: str, *arguments: str, stdin: str = "") -> Process:
        return self.enter_context(Process(self.folder / name, *arguments, **({"stdin": stdin} if stdin else {})))

    def bot(self, name: str, where: str) -> Process:
        return self.run(name, "join", where, "--bot", "random", "--name", name)

    def watcher(self, where: str) -> Process:
        watcher = self.run("watcher", "join", where, "--spectate", "--plain", "--name", "Wanda", stdin="open")
        watcher.line("")
        return watcher


def test_player_takes_the_seat_back_from_the_substitute_of_a_resumed_host(tmp_path: Path) -> None:
    with Programs(tmp_path) as programs:
        host = programs.run("host", *HOST, "--takeover", "0", "--port", "0")
        where, journal = local(host.line("link:")), host.line("save file:")
        watcher, ada, bruno = programs.watcher(where), programs.bot("Ada", where), programs.bot("Bruno", where)
        watcher.line("== ")
        bruno.kill()
        watcher.line("!! Bruno is offline, according to the host. A bot (random) plays")
        host.kill()
        again = programs.run("host", *HOST, "--takeover", "0", "--resume", journal)
        back = programs.bot("Bruno", local(again.line("link:")))
        assert [each.wait() for each in (ada, back, again)] == [0, 0, 0]
    files = [path for name in ("Ada", "Bruno") for path in (tmp_path / name).rglob("*.ctr")]
    assert len(files) == 2
    report = verify(files)
    assert report.code == 0
    assert report.games[0].best.audit.absences.all


def test_line_mode_warns_of_the_timer_and_leaves_the_seat_to_a_bot(tmp_path: Path) -> None:
    with Programs(tmp_path) as programs:
        host = programs.run("host", *HOST, "--takeover", "3000", "--clock", "4", "--port", "0")
        where = local(host.line("link:"))
        me = programs.run("me", "join", where, "--plain", "--name", "Ada", stdin="open")
        me.line("ready:")
        me.say("ready")
        watcher = programs.watcher(where)
        programs.bot("Bruno", where)
        me.line("!! Half of the time for this decision is over. Waiting for: Ada.")
        me.line("!! Your time for this decision is up")
        me.say("quit bot")
        assert me.wait() == 0
        watcher.line("!! Ada is offline, according to the host. A bot (random) plays")
