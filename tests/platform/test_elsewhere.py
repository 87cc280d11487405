"""The program on other systems, as far as this system can simulate them: without POSIX features, with spawned
processes, and with files whose lines end in \r\n."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import citadels_lan
from tests.cli.program import environment

pytestmark = pytest.mark.slow
WINDOWS = """
import asyncio, multiprocessing, os, selectors, signal, subprocess, sys  # they have parts for each system
import fcntl, types
flock = fcntl.flock
locking = lambda handle, mode, count: flock(handle, mode)
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=fcntl.LOCK_EX | fcntl.LOCK_NB, locking=locking)
for name in ("fcntl", "termios", "resource", "pwd", "grp", "tty", "pty", "syslog", "readline"):
    sys.modules[name] = None
for module, names in (
    (os, "fork forkpty fchmod fchown chown nice getuid geteuid getgid getpgid setsid killpg O_NONBLOCK O_NOFOLLOW "
         "register_at_fork sched_getaffinity"),
    (signal, "SIGHUP SIGUSR1 SIGUSR2 SIGTTIN SIGTTOU SIGTSTP SIGWINCH SIGQUIT pthread_sigmask siginterrupt"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
multiprocessing.set_start_method("spawn")
from citadels_lan.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def windows(home: Path, *arguments: str, code: str = WINDOWS) -> str:
    """Run the program with POSIX features removed, as on Windows. Return its output."""
    done = subprocess.run(
        (sys.executable, "-c", code, *arguments), env=environment(home), capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_bots_think_and_games_are_simulated_in_spawned_processes(tmp_path: Path) -> None:
    figures = windows(tmp_path, "simulate", "--games", "4", "--jobs", "2", "--seed", "1", "--json")
    assert '"games": 4' in figures
    assert "Transcript:" in windows(tmp_path, "play", "--auto", "--players", "2", "--bots", "hard")
    assert "won by" in windows(tmp_path, "games")


def test_host_serves_and_ends_without_posix_signals(tmp_path: Path) -> None:
    options = ("--headless", "--no-mdns", "--port", "0", "--players", "2", "--bots", "random,random")
    assert "link: " in windows(tmp_path, "host", *options)


def test_files_with_crlf_line_ends_have_the_same_rules_and_texts(tmp_path: Path) -> None:
    package = tmp_path / "citadels_lan"
    shutil.copytree(Path(citadels_lan.__path__[0]), package, ignore=shutil.ignore_patterns("__pycache__", "web"))
    for path in package.rglob("*"):
        if path.suffix in (".md", ".toml", ".txt", ".json", ".po", ".py"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    code = "import sys\nfrom citadels_lan.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    for arguments in ("rules --json", "rules --json --lang it", "simulate --games=3 --seed=1"):
        outputs = [
            subprocess.run(
                (sys.executable, "-c", code, *arguments.split()), cwd=place, env=environment(tmp_path),
                capture_output=True, check=True,
            ).stdout
            for place in (tmp_path, package.parents[1])
        ]  # fmt: skip
        assert without_times(outputs[0]) == without_times(outputs[1])


def without_times(output: bytes) -> list[bytes]:
    """Return the lines of the output that contain no duration."""
    return [line for line in output.split(os.linesep.encode()) if b"second" not in line]
