"""Programs out of one process that has loaded all of ours: on a busy machine loading is most of what a new program
takes, and no part of what is tried. Each is a process of its own, and dies of SIGKILL like any other."""

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
"""What a host or a friend imports."""
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
        """The number that the system knows it by."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """The exit code, once there is one."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Wait for that."""
        self._process.join(timeout)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)


class Forked(Process):
    """The program, running while a test looks on; without standard input."""

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
