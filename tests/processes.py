"""The program in separate processes that run while a test watches."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Protocol

from .cli.program import PROGRAM, environment

PATIENCE = 120.0
"""Seconds without output after which a process counts as hung."""


class Running(Protocol):
    """The methods that this module needs of a process, so that a forked process can be used like one of
    `subprocess`."""

    @property
    def stdin(self) -> IO[str] | None: ...

    @property
    def stdout(self) -> IO[str] | None: ...

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""

    def wait(self, timeout: float) -> int:
        """Wait for the end of the process. Return the exit code."""

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless the process has ended."""


class Process:
    """A running program. Its output lines are collected as they come. Standard input is empty, or stays
    `open`."""

    def __init__(self, home: Path, *arguments: str, before: Sequence[str] = (), stdin: str = "empty") -> None:
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._ended = False
        self._command = (*before, *PROGRAM, *arguments)
        self._process = self._start(home, arguments, stdin)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _start(self, home: Path, _arguments: tuple[str, ...], stdin: str) -> Running:
        return subprocess.Popen(
            self._command, env=environment(home), text=True, encoding="utf-8",
            stdin=subprocess.PIPE if stdin == "open" else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        self.kill()
        if error is not None:
            print(f"--- {' '.join(self._command)}", *self.lines, sep="\n", file=sys.stderr)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def line(self, beginning: str) -> str:
        """Wait for a line of output that begins with `beginning`. Return the part of the line after it."""
        with self._news:
            until = time.monotonic() + PATIENCE
            while True:
                for line in self.lines:
                    if line.startswith(beginning):
                        return line.removeprefix(beginning).strip()
                if self._ended or not self._news.wait(until - time.monotonic()):
                    raise AssertionError(f"no line {beginning!r} in {self.lines}")

    def has(self, beginning: str) -> bool:
        """Return whether the program has printed a line that begins with `beginning`."""
        return any(line.startswith(beginning) for line in self.lines)

    def say(self, line: str) -> None:
        """Write a line to standard input, if that is open."""
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def wait(self) -> int:
        """Wait for the end. Return the exit code."""
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert not any("Traceback" in line for line in self.lines), self.lines
        return code

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def interrupt(self) -> None:
        """Send the program the signal of Ctrl-C."""
        self.send(signal.SIGINT)

    def send(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kill the process."""
        if self._process.poll() is None:
            os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._process.wait(PATIENCE)
        if self._process.stdin is not None:
            self._process.stdin.close()


def until(holds: Callable[[], bool], again: Callable[[], object] = lambda: None) -> None:
    """Wait until a condition holds; call `again` every half second meanwhile."""
    end, turn = time.monotonic() + PATIENCE, 0
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {PATIENCE} s")
        turn += 1
        if turn % 10 == 0:
            again()
        time.sleep(0.05)


class Lines:
    """The output of a process whose lines have the form `word rest…`. Lines are read as they come."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._kept: list[list[str]] = []

    def next(self, word: str) -> list[str]:
        """Wait for the next line that begins with `word`, and return its other words. Raises AssertionError
        if the output ends before."""
        for at, words in enumerate(self._kept):
            if words[0] == word:
                return self._kept.pop(at)[1:]
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words and words[0] == word:
                return words[1:]
            self._kept += [words] if words else []
        raise AssertionError(f"no line {word!r} after {self._kept}")
