"""What the system may take away from a program: streams, disk space, and its life."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import Process

from .program import PROGRAM, Run, environment, local, run_process

FULL = Path("/dev/full")
NO_ROOM = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384));"
NO_ROOM += "os.environ['PYTHONDONTWRITEBYTECODE'] = '1'; os.execv(sys.argv[1], sys.argv[1:])"
"""Begins a command line whose program can write files of 16 KiB at most, as on a full disk. It must not write
bytecode either: Python does not notice that such a file has been cut off, and every later run would read it."""

posix = pytest.mark.skipif(os.name != "posix", reason="shells, signals and limits of POSIX")


def shell(home: Path, arguments: str) -> Run:
    """Run the program from a shell that redirects its streams."""
    command = f"{' '.join(PROGRAM)} {arguments}"
    return subprocess.run(
        ("sh", "-c", command), env=environment(home), capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=60, check=False,
    )  # fmt: skip


def test_bytes_that_are_not_utf8_do_not_end_the_line_mode(tmp_path: Path) -> None:
    done = subprocess.run(
        (*PROGRAM, "--plain"), env=environment(tmp_path), input=b"\xe8\xff\nquit\n", capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"no such choice" in done.stdout


@posix
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param("--version >&-", 0, marks=pytest.mark.slow),
        ("rules king >&-", 0),
        pytest.param("play --auto --players 2 >&-", 0, marks=pytest.mark.slow),
        pytest.param("play --plain --players 2 <&-", 0, marks=pytest.mark.slow),
        pytest.param("--fly 2>&-", 2, marks=pytest.mark.slow),
        ("--fly >&- 2>&-", 2),
        pytest.param("verify none.ctr >&- 2>&-", 3, marks=pytest.mark.slow),
    ],
)
def test_a_closed_stream_leads_nowhere(tmp_path: Path, arguments: str, code: int) -> None:
    done = shell(tmp_path, arguments)
    assert done.returncode == code
    assert done.stderr == ""


@posix
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--help", 1),
        pytest.param("play --help", 1, marks=pytest.mark.slow),
        pytest.param("rules king", 1, marks=pytest.mark.slow),
        pytest.param("verify none.ctr", 3, marks=pytest.mark.slow),
        pytest.param("host --headless --no-mdns --port 0", 1, marks=pytest.mark.slow),
    ],
)
def test_an_output_that_cannot_be_written_is_named(tmp_path: Path, arguments: str, code: int) -> None:
    """And it is neither a proof of cheating nor a fault of the program."""
    done = shell(tmp_path, f"{arguments} >{FULL}")
    assert done.returncode == code
    (line,) = done.stderr.splitlines()
    assert "No space left" in line
    assert not list(tmp_path.rglob("*.log"))


@posix
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_what_cannot_be_complained_of_still_has_its_code(tmp_path: Path) -> None:
    assert shell(tmp_path, f"--fly 2>{FULL}").returncode == 2


# A full disk


def limited(home: Path, *arguments: str) -> Process:
    return Process(home, *arguments, before=(sys.executable, "-c", NO_ROOM))


@pytest.mark.slow
@posix
def test_a_game_that_does_not_fit_on_the_disk_says_so_and_waits(tmp_path: Path) -> None:
    with limited(tmp_path, "play", "--auto", "--players", "4") as game:
        assert "disk" in game.line("")
        game.send(signal.SIGTERM)
        assert game.wait() == 128 + signal.SIGTERM


@posix
@pytest.mark.slow
def test_a_guest_whose_transcript_does_not_fit_ends_and_comes_back(tmp_path: Path) -> None:
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--players", "2", "--bots", "random")
    with Process(tmp_path / "host", *arguments) as host:
        where = local(host.line("link:"))
        with limited(tmp_path / "guest", "join", where, "--bot", "random") as guest:
            assert guest.wait() == 1
            assert str(tmp_path / "guest") in guest.lines[-1]
        out = ("--out", str(tmp_path / "elsewhere"))
        with Process(tmp_path / "guest", "join", where, "--bot", "random", *out) as guest:
            assert guest.wait() == 0
        assert host.wait() == 0
    files = [str(file) for file in tmp_path.rglob("*.ctr")]
    assert len(files) == 3
    assert run_process(tmp_path, "verify", *files).returncode == 0, "a part of the same game takes nothing from it"
    (torn,) = (file for file in files if str(tmp_path / "guest") in file)
    assert run_process(tmp_path, "verify", torn).returncode == 4


# Signals


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_ends_the_host_ends_the_table_too(tmp_path: Path, number: signal.Signals) -> None:
    """Those who wait in the lobby look for it, and end when they are told to."""
    with Process(tmp_path / "host", "host", "--headless", "--no-mdns", "--port", "0", "--players", "3") as host:
        where = local(host.line("link:"))
        with Process(tmp_path / "guest", "join", where, "--bot", "random") as guest:
            guest.line("")
            host.send(number)
            assert host.wait() == 128 + number
            guest.send(signal.SIGTERM)
            assert guest.wait() == 128 + signal.SIGTERM


@posix
@pytest.mark.slow
def test_a_guest_that_is_killed_leaves_the_table_to_the_others(tmp_path: Path) -> None:
    """With something unread, so that the host's connection to it is reset; and it comes back."""
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--players", "3", "--bots", "random")
    with Process(tmp_path / "host", *arguments) as host:
        where = local(host.line("link:"))
        killed = Process(tmp_path / "guest", "join", where, "--bot", "random")
        with killed:
            killed.line("")
            killed.send(signal.SIGSTOP)
            other = Process(tmp_path / "other", "join", where, "--spectate", "--plain", stdin="open")
            other.line("")
        with other, Process(tmp_path / "third", "join", where, "--bot", "random") as third:
            third.line("")
            with Process(tmp_path / "guest", "join", where, "--bot", "random") as guest:
                assert [one.wait() for one in (guest, third, host)] == [0, 0, 0]


@pytest.mark.slow
@posix
def test_where_ctrl_c_is_switched_off_a_host_can_still_be_ended(tmp_path: Path) -> None:
    """A shell's script ignores Ctrl-C for what it starts in the background."""
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    before = (sys.executable, "-c", ignoring)
    with Process(tmp_path, "host", "--headless", "--no-mdns", "--port", "0", before=before) as host:
        host.line("journal:")
        host.send(signal.SIGTERM)
        assert host.wait() == 128 + signal.SIGTERM
        assert len(host.lines) == 6


@posix
@pytest.mark.slow
def test_a_simulation_that_is_ended_does_not_wait_for_its_games(tmp_path: Path) -> None:
    with Process(tmp_path, "simulate", "--games", "1000000", "--jobs", "2") as simulation:
        time.sleep(1.5)  # until the games have begun; before that it would end all the more
        simulation.send(signal.SIGTERM)
        assert simulation.wait() == 128 + signal.SIGTERM
        assert simulation.lines == []


@posix
@pytest.mark.slow
def test_who_plays_games_for_a_killed_simulation_ends_too(tmp_path: Path) -> None:
    """Whoever plays has the output open: it ends once all of them are gone."""
    with Process(tmp_path, "simulate", "--games", "1000000", "--jobs", "2") as simulation:
        time.sleep(1.5)  # until the games have begun; before that nobody would play them
        simulation.send(signal.SIGKILL)
        assert simulation.wait() == -signal.SIGKILL
        assert simulation.lines == []


@posix
def test_ctrl_c_while_the_program_is_being_loaded_is_quiet(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, importlib.abc\n"
        "class Interrupted(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'citadels_lan.cli.main':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from citadels_lan.__main__ import run\n"
        "run()\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", script), env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGINT
    assert done.stdout + done.stderr == ""
