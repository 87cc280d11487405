"""Handling of failures of the program and of the system: internal errors, lost streams, full disks, signals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from citadels_lan.cli import arena
from citadels_lan.cli.main import main
from tests.processes import Process

from .program import PROGRAM, Run, environment, local, run_process

posix = pytest.mark.skipif(os.name != "posix", reason="shells, signals and limits of POSIX")
FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
TABLE = ("host", "--headless", "--no-mdns", "--port", "0")
SECRET = "the key is " + "ab12" * 16

# Internal errors


def _fail(*_: object) -> int:
    raise RuntimeError(SECRET)


def test_internal_error_is_written_to_a_file_without_secrets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_folders: Path
) -> None:
    monkeypatch.setattr(arena, "simulate", _fail)
    assert main(["simulate", "--lang", "en"]) == 1
    (report,) = (own_folders / "log").iterdir()
    error = capsys.readouterr().err
    assert str(report) in error
    assert "Traceback" not in error
    text = report.read_text(encoding="utf-8")
    assert "RuntimeError" in text
    assert "in _fail" in text
    assert "the key is" not in text


# Streams


def shell(home: Path, arguments: str) -> Run:
    """Run the program from a shell that redirects its streams."""
    command = f"{' '.join(PROGRAM)} {arguments}"
    return subprocess.run(
        ("sh", "-c", command), env=environment(home), capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=60, check=False,
    )  # fmt: skip


def test_invalid_utf8_does_not_end_line_mode(tmp_path: Path) -> None:
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
        ("rules king >&-", 0),
        pytest.param("play --auto --players 2 >&-", 0, marks=pytest.mark.slow),
        pytest.param("play --plain --players 2 <&-", 0, marks=pytest.mark.slow),
        ("--fly >&- 2>&-", 2),
        pytest.param("verify none.ctr >&- 2>&-", 3, marks=pytest.mark.slow),
        pytest.param(f"--fly 2>{FULL}", 2, marks=full),
    ],
)
def test_closed_standard_streams_are_ignored(tmp_path: Path, arguments: str, code: int) -> None:
    done = shell(tmp_path, arguments)
    assert (done.returncode, done.stderr) == (code, "")


@posix
@full
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--help", 1),
        pytest.param("verify none.ctr", 3, marks=pytest.mark.slow),
        pytest.param(" ".join(TABLE), 1, marks=pytest.mark.slow),
    ],
)
def test_output_to_a_full_disk_is_an_error_and_no_proof_of_cheating(
    tmp_path: Path, arguments: str, code: int
) -> None:
    done = shell(tmp_path, f"{arguments} >{FULL}")
    assert done.returncode == code
    (line,) = done.stderr.splitlines()
    assert "No space left" in line
    assert not list(tmp_path.rglob("*.log"))


# A full disk

NO_ROOM = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384));"
NO_ROOM += "os.environ['PYTHONDONTWRITEBYTECODE'] = '1'; os.execv(sys.argv[1], sys.argv[1:])"
"""Begins a command line whose program can write files of 16 KiB at most, as on a full disk. It must not write
bytecode either: Python does not notice that such a file has been cut off, and every later run would read it."""


def limited(home: Path, *arguments: str) -> Process:
    return Process(home, *arguments, before=(sys.executable, "-c", NO_ROOM))


@pytest.mark.slow
@posix
def test_game_waits_while_the_hosts_disk_is_full(tmp_path: Path) -> None:
    with limited(tmp_path, "play", "--auto", "--players", "4") as game:
        assert "disk" in game.line("")
        game.send(signal.SIGTERM)
        assert game.wait() == 128 + signal.SIGTERM


@posix
@pytest.mark.slow
def test_guest_with_a_full_disk_leaves_and_returns(tmp_path: Path) -> None:
    with Process(tmp_path / "host", *TABLE, "--players", "2", "--bots", "random") as host:
        join = ("join", local(host.line("link:")), "--bot", "random")
        with limited(tmp_path / "guest", *join) as guest:
            assert guest.wait() == 1
            assert str(tmp_path / "guest") in guest.lines[-1]
        with Process(tmp_path / "guest", *join, "--out", str(tmp_path / "elsewhere")) as guest:
            assert guest.wait() == 0
        assert host.wait() == 0
    files = [str(file) for file in tmp_path.rglob("*.ctr")]
    assert len(files) == 3
    assert run_process(tmp_path, "verify", *files).returncode == 0, "a part of the same game takes nothing from it"
    (torn,) = (file for file in files if str(tmp_path / "guest") in file)
    assert run_process(tmp_path, "verify", torn).returncode == 4


# Signals


def test_ctrl_c_prints_no_message(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "simulate", interrupt)
    assert main(["simulate"]) == 130
    assert capsys.readouterr().err == ""


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_host_and_guest_with_its_exit_code(tmp_path: Path, number: signal.Signals) -> None:
    with Process(tmp_path / "host", *TABLE, "--players", "3") as host:
        where = local(host.line("link:"))
        with Process(tmp_path / "guest", "join", where, "--bot", "random") as guest:
            guest.line("")
            host.send(number)
            assert host.wait() == 128 + number
            guest.send(signal.SIGTERM)
            assert guest.wait() == 128 + signal.SIGTERM


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_stopped_simulation_leaves_no_process_behind(tmp_path: Path, number: signal.Signals) -> None:
    """The processes that play hold the output open: it ends when the last of them ends."""
    with Process(tmp_path, "simulate", "--games", "1000000", "--jobs", "2") as simulation:
        time.sleep(1.5)  # until the games have begun
        simulation.send(number)
        assert simulation.wait() == (-number if number == signal.SIGKILL else 128 + number)
        assert simulation.lines == []


@posix
def test_ctrl_c_while_loading_prints_no_message(tmp_path: Path) -> None:
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
    assert (done.returncode, done.stdout + done.stderr) == (-signal.SIGINT, "")
