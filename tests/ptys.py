"""The program in a pseudo-terminal (pty): a test types keys and reads the screen."""

import os
import re
import select
import subprocess
import sys
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .cli.program import PROGRAM, environment
from .processes import PATIENCE, until

PART = re.compile(
    r"\x1b\[([0-9;?<>=]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b.|[^\x1b]+", re.DOTALL
)
"""Matches a part of the output: either a control sequence with its numbers and its letter, or text."""
CUT = re.compile(r"\x1b(?:\[[0-9;?<>= -/]*|\][^\x07\x1b]*)?\Z")
"""Matches the beginning of a control sequence whose end has not been read yet."""
CONTROLLING = (
    sys.executable,
    "-c",
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])",
)
"""A command that makes the pty the controlling terminal of the command after it, so that Ctrl-C sends
SIGINT."""


class Screen:
    """A simulated terminal: the text on its screen. It knows only the control sequences that Textual uses."""

    def __init__(self, columns: int, rows: int) -> None:
        self._rows = rows
        self._columns = columns
        self._rest = ""
        self.clear()

    def clear(self) -> None:
        self._cells = [[" "] * self._columns for _ in range(self._rows)]
        self._x = self._y = 0

    def feed(self, text: str) -> None:
        text, self._rest = self._rest + text, ""
        if (cut := CUT.search(text)) is not None:
            text, self._rest = text[: cut.start()], cut[0]
        for part in PART.finditer(text):
            if not part[0].startswith("\x1b"):
                for char in part[0]:
                    self._write(char)
            elif part[2] == "H":
                row, _, column = part[1].partition(";")
                self._y, self._x = int(row or 1) - 1, int(column or 1) - 1
            elif part[2] == "J" or (part[2] == "h" and part[1] == "?1049"):
                self.clear()

    def _write(self, char: str) -> None:
        if char == "\r":
            self._x = 0
        elif char == "\n":
            self._y += 1
        elif char.isprintable():
            if self._y < self._rows and self._x < self._columns:
                self._cells[self._y][self._x] = char
            self._x += 1

    @property
    def text(self) -> str:
        """The lines on the screen, joined by line breaks."""
        return "\n".join("".join(cells).rstrip() for cells in self._cells)


class PtyProgram:
    """A program that runs in a pty of `size` columns and rows. A thread reads its output."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        size: tuple[int, int] = (100, 30),
        command: Sequence[str] = PROGRAM,
        before: Sequence[str] = (),
        named: bool = True,
    ) -> None:
        """`named`: the stored preferences say that the player has a name, so the program does not ask for
        one."""
        pty, termios = map(pytest.importorskip, ("pty", "termios"))
        if named and not (preferences := home / "settings" / "preferences.json").exists():
            preferences.parent.mkdir(parents=True, exist_ok=True)
            preferences.write_text('{"unnamed": false}')
        self.written = ""
        """The whole output of the program so far."""
        self._screen = Screen(*size)
        self._reading = True
        self._leader, client = pty.openpty()
        termios.tcsetwinsize(client, size[::-1])
        self._process = subprocess.Popen(
            (*before, *command, *arguments), stdin=client, stdout=client, stderr=client, start_new_session=True,
            env=environment(home, TERM="xterm-256color", COLUMNS="", LINES=""),
        )  # fmt: skip
        os.close(client)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "PtyProgram":
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if self.running:
            self._process.kill()
        self._process.wait(PATIENCE)
        self.hang_up()
        if error is not None:
            print(f"--- {self._process.args!r}", self.text, sep="\n")

    def _read(self) -> None:
        decode = getincrementaldecoder("utf-8")("replace").decode
        try:
            while self._reading:
                if select.select([self._leader], [], [], 0.05)[0]:
                    if not (data := os.read(self._leader, 65536)):
                        return
                    self.written += (text := decode(data))
                    self._screen.feed(text)
        except OSError:  # on Linux: no process has the terminal open any more
            pass

    @property
    def text(self) -> str:
        """The text that is on the screen now."""
        return self._screen.text

    def has(self, *words: str) -> bool:
        """Return whether at least one of `words` is on the screen."""
        return any(word in self.text for word in words)

    def see(self, *words: str, again: Callable[[], object] = lambda: None) -> str:
        """Wait until at least one of `words` is on the screen, and call `again` every half second meanwhile.
        Return the text on the screen."""
        until(lambda: self.has(*words) or not self._reader.is_alive(), again)
        assert self.has(*words), f"none of {words!r} on the screen:\n{self.text}"
        return self.text

    def type(self, *data: str | bytes) -> None:
        """Type each of these strings, with a pause after each of them."""
        for part in data:
            os.write(self._leader, part.encode() if isinstance(part, str) else part)
            if len(data) > 1:
                time.sleep(0.1)

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        self._reading = False
        self._reader.join(PATIENCE)
        if self._leader >= 0:
            os.close(self._leader)
        self._leader = -1

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def state(self) -> str:
        """The letter with which Linux describes the state of the process; T means that it is stopped."""
        return Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(") ")[2][0]

    def send(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """Wait for the end. Return the exit code."""
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code
