"""The program in a terminal of its own (a pty), typed at byte by byte while a test looks on."""

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from .cli.program import PROGRAM, environment
from .processes import PATIENCE

ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_=>78])")


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
        self._written = b""
        self._seen = 0

    def __enter__(self) -> "PtyProgram":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        os.close(self._leader)

    @property
    def text(self) -> str:
        """All that was written so far, without escape sequences."""
        return ESCAPES.sub(b"", self._written).decode(errors="replace")

    def type(self, data: str | bytes) -> None:
        """Type all of it at once. Only what is written from now on counts for `see`."""
        self._seen = len(self.text)
        os.write(self._leader, data.encode() if isinstance(data, str) else data)

    def see(self, *words: str) -> str:
        """Wait until one of these was written since something was typed last; all that was written since."""
        until = time.monotonic() + PATIENCE
        while not any(word in self.text[self._seen :] for word in words):
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"none of {words!r} in {self.text[self._seen :]!r}")
        return self.text[self._seen :]

    def _read(self, seconds: float) -> bool:
        """Read what there is; False at the end of the output, or when the time is over."""
        if not select.select([self._leader], [], [], max(seconds, 0))[0]:
            return False
        try:
            data = os.read(self._leader, 65536)
        except OSError:  # a terminal on Linux whose program has ended
            return False
        self._written += data
        return bool(data)

    def settle(self, seconds: float = 1.0) -> None:
        """Read until nothing was written for so long: for what must not happen, which nothing announces."""
        while self._read(seconds):
            pass

    @property
    def running(self) -> bool:
        return self._process.poll() is None

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
