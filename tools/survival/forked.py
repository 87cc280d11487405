"""Start programs by forking a process that has loaded the package, because loading would take most of a new
program's time on a busy machine. Each program is a separate process, and can be killed by SIGKILL."""

import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Final

from tests.cli.program import environment
from tests.processes import Process, Running

LOADED: Final = (
    "citadels_lan.cli.main",
    "citadels_lan.cli.host",
    "citadels_lan.cli.join",
    "citadels_lan.cli.hosted",
    "citadels_lan.bots.levels",
    "citadels_lan.web.beside",
)
"""The modules that a host or a friend imports."""
FORKING: Final = multiprocessing.get_context("forkserver")


class Child:
    """A process that was forked."""

    stdin: IO[str] | None = None

    def __init__(self, home: Path, arguments: tuple[str, ...]) -> None:
        FORKING.set_forkserver_preload(list(LOADED))
        ours, theirs = FORKING.Pipe(duplex=False)
        self._process = FORKING.Process(target=_run, args=(environment(home), arguments, theirs))
        self._process.start()
        theirs.close()
        self.stdout: IO[str] | None = os.fdopen(os.dup(ours.fileno()), encoding="utf-8")
        ours.close()

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Wait for the end of the process. Return the exit code."""
        self._process.join(timeout)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)


class Forked(Process):
    """A forked program without standard input that a test watches."""

    def _start(self, home: Path, arguments: tuple[str, ...], _stdin: str) -> Running:
        return Child(home, arguments)


def _run(own: Mapping[str, str], arguments: tuple[str, ...], out: Connection) -> None:
    from citadels_lan.cli.main import main

    os.environ.clear()
    os.environ.update(own)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number in (1, 2):
        os.dup2(out.fileno(), number)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8") for number in (1, 2))
    sys.exit(main(arguments))
