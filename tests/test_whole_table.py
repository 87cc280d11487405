"""Whole tables of real processes: one runs the table, bots find it and play, and `verify` checks the files
afterwards. The table runs on one machine over loopback and, if network namespaces are available, on
separate machines that find each other by mDNS."""

from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from .cli.program import local, run, run_process
from .lan import Lan, missing
from .processes import Process

PLAYERS = 4
DAMAGES = 12


def transcripts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.ctr"))


def check_proofs(home: Path, files: list[Path]) -> None:
    """Verify each file alone, all together, and a file with a flipped bit, which must fail."""
    assert len(files) == PLAYERS
    for file in files:
        done = run(home, "verify", str(file))
        assert done.returncode == 0, done.stdout
    together = run_process(home, "verify", *map(str, files))
    assert together.returncode == 0, together.stdout
    assert together.stdout.count(": verified") == PLAYERS
    assert together.stdout.count("Last hash") == 1, "one game, told once"
    random = Random(7)
    data = files[0].read_bytes()
    changed = home / "changed.ctr"
    for _ in range(DAMAGES):
        at, bit = random.randrange(len(data)), random.randrange(8)
        changed.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        done = run(home, "verify", str(changed))
        assert done.returncode in (1, 2, 3), f"bit {bit} of byte {at}: {done.stdout}"
        said = [line for line in done.stdout.splitlines() if line.startswith("  ") and "Checked" not in line]
        assert said, f"nothing is said of bit {bit} of byte {at}"


def check_shown(home: Path, file: Path) -> None:
    shown = run_process(home, "show", str(file))
    assert shown.returncode == 0
    assert " points (" in shown.stdout.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.long
def test_game_on_one_computer_verifies(tmp_path: Path) -> None:
    with ExitStack() as stack:
        arguments = ("host", "--headless", "--players", str(PLAYERS), "--port", "0", "--no-mdns")
        host = stack.enter_context(Process(tmp_path / "host", *arguments))
        where = local(host.line("link:"))
        assert len(bytes.fromhex(host.line("game:"))) == 16
        assert len(host.line("code:").split()) == 3
        watching = ("join", where, "--spectate", "--plain", "--out", str(tmp_path / "watched"))
        watcher = stack.enter_context(Process(tmp_path / "watcher", *watching, stdin="open"))
        watcher.line("")
        # All bots share one home folder, so each needs a separate key.
        join = ("join", where, "--bot", "sensible", "--name")
        bots = [stack.enter_context(Process(tmp_path / "friends", *join, f"Bot {n}")) for n in range(PLAYERS)]
        assert [bot.wait() for bot in bots] == [0] * PLAYERS
        assert host.wait() == 0
        paths = {bot.line("Transcript:") for bot in bots}
        assert watcher.wait() == 0
    files = transcripts(tmp_path / "friends")
    assert {str(file) for file in files} == paths
    check_proofs(tmp_path, files)
    check_shown(tmp_path, files[0])
    watched = transcripts(tmp_path / "watched")
    together = run_process(tmp_path, "verify", *map(str, (*files, *watched)))
    assert len(watched) == 1
    assert together.returncode == 0, together.stdout


@pytest.mark.slow
def test_game_on_a_lan_verifies(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    with Lan(PLAYERS + 1) as lan, ExitStack() as stack:
        host = stack.enter_context(
            Process(tmp_path / "host", "host", "--headless", "--players", str(PLAYERS), before=lan.on(0))
        )
        assert host.line("address:").startswith(f"{lan.address(0)}:")
        join, bots = ("join", "--bot", "sensible", "--code", *host.line("code:").split()), []
        for n in range(1, PLAYERS + 1):
            bot = Process(tmp_path / f"home{n}", *join, "--name", f"Bot {n}", before=lan.on(n))
            bots.append(stack.enter_context(bot))
        for bot in bots:
            assert lan.address(0) in bot.line("Bot ")
        assert [bot.wait() for bot in bots] == [0] * PLAYERS
        assert host.wait() == 0
    check_proofs(tmp_path, transcripts(tmp_path))


@pytest.mark.slow
def test_killed_host_resumes_and_the_game_verifies(tmp_path: Path) -> None:
    """The host is killed in the middle of a game and resumed from its journal; all players reconnect."""
    with ExitStack() as stack:
        arguments = ("host", "--headless", "--no-mdns", "--bots", "sensible", "--players", "3")
        host = stack.enter_context(Process(tmp_path / "host", *arguments, "--port", "0"))
        port = host.line("address:").split()[0].rpartition(":")[2]
        where = local(host.line("link:"))
        journal = Path(host.line("save file:"))
        bots = [
            stack.enter_context(Process(tmp_path / "friends", "join", where, "--bot", "sensible"))
            for _ in range(2)
        ]
        while not journal.exists() or journal.stat().st_size < 20_000:
            assert host.running
        host.kill()
        again = stack.enter_context(Process(tmp_path / "host", *arguments, "--resume", str(journal)))
        assert again.line("address:").split()[0].endswith(f":{port}")
        assert [bot.wait() for bot in bots] == [0, 0]
        assert again.wait() == 0
    files = transcripts(tmp_path)
    done = run_process(tmp_path, "verify", *map(str, files))
    assert done.returncode == 0, done.stdout
    assert len(files) == 3


@pytest.mark.slow
def test_two_tables_on_one_network_do_not_mix(tmp_path: Path) -> None:
    """A player who names no address gets a list of the tables; here the program has no terminal in which it
    could ask for one."""
    if reason := missing():
        pytest.skip(reason)
    with Lan(3) as lan, ExitStack() as stack:
        for machine in (0, 1):
            arguments = ("host", "--headless", "--name", f"Table {machine}")
            stack.enter_context(Process(tmp_path / f"host{machine}", *arguments, before=lan.on(machine))).line(
                "game:"
            )
        with Process(tmp_path / "home", "join", "--bot", "random", before=lan.on(2)) as bot:
            assert bot.wait() == 2
            for machine in (0, 1):
                (line,) = [line for line in bot.lines if f"Table {machine}" in line]
                assert lan.address(machine) in line
