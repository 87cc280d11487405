"""The program in a terminal of its own (a pty), typed at byte by byte while a test looks on."""

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from .cli.program import PROGRAM, environment
from .processes import PATIENCE

PART = re.compile(
    r"\x1b\[([0-9;?<>=]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b.|[^\x1b]+", re.DOTALL
)
"""A control sequence with its numbers and its letter, or text."""


CUT = re.compile(r"\x1b(?:\[[0-9;?<>= -/]*|\][^\x07\x1b]*)?\Z")
"""A control sequence that has only begun."""


class Screen:
    """What a terminal shows, as far as Textual steers it: it moves the cursor, writes and clears."""

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
        """Its lines."""
        return "\n".join("".join(cells).rstrip() for cells in self._cells)


class PtyProgram:
    """A running program with a terminal. Its output is read whenever a test waits for something."""

    def __init__(
        self, home: Path, *arguments: str, size: tuple[int, int] = (100, 30), command: Sequence[str] = PROGRAM
    ) -> None:
        self._leader, client = os.openpty()
        columns, rows = size
        fcntl.ioctl(client, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._process = subprocess.Popen(
            (*command, *arguments), stdin=client, stdout=client, stderr=client, start_new_session=True,
            env=environment(home, TERM="xterm-256color", COLUMNS="", LINES=""),
        )  # fmt: skip
        os.close(client)
        self.written = ""
        """All its output."""
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._screen = Screen(columns, rows)

    def __enter__(self) -> "PtyProgram":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        os.close(self._leader)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return self._screen.text

    def type(self, *data: str | bytes) -> None:
        """Type each of these at once, with a moment between them."""
        for part in data:
            self._type(part)
            if len(data) > 1:
                self.settle(0.1)

    def _type(self, data: str | bytes) -> None:
        os.write(self._leader, data.encode() if isinstance(data, str) else data)

    def see(self, *words: str) -> str:
        """Wait until one of these is on the screen; all that is on it then."""
        until = time.monotonic() + PATIENCE
        while not any(word in self.text for word in words):
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"none of {words!r} on the screen:\n{self.text}")
        return self.text

    def _read(self, seconds: float) -> bool:
        """Read what there is; False at the end of the output, or when the time is over."""
        if not select.select([self._leader], [], [], max(seconds, 0))[0]:
            return False
        try:
            data = os.read(self._leader, 65536)
        except OSError:  # a terminal on Linux whose program has ended
            return False
        text = self._decoder.decode(data)
        self.written += text
        self._screen.feed(text)
        return bool(data)

    def settle(self, seconds: float = 0.5) -> None:
        """Read for so long: for what must not happen, which nothing announces."""
        until = time.monotonic() + seconds
        while self.running and time.monotonic() < until:
            self._read(until - time.monotonic())

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        os.close(self._leader)
        self._leader = os.open(os.devnull, os.O_RDONLY)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def send(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """Wait for the end; the exit code."""
        until = time.monotonic() + PATIENCE
        while self._read(until - time.monotonic()):
            pass
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        if self.running:
            self._process.kill()
        self._process.wait(PATIENCE)
