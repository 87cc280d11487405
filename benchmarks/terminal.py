"""A pseudo-terminal of 160x50 to measure in: it is read as a terminal reads, and gives no answer."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import tempfile
import termios
from collections.abc import Sequence

ROWS, COLUMNS = 50, 160


def opened() -> tuple[int, int]:
    """Its two ends: what the program writes is read from the first, the second is given to the program."""
    leader, client = pty.openpty()
    fcntl.ioctl(client, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return leader, client


def environment(home: str) -> dict[str, str]:
    """Of a program that finds a good terminal, and nobody's files but its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {"HOME": home, "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def seconds_until(word: str, command: Sequence[str]) -> float:
    """The CPU seconds that a program takes until a word stands in its terminal; it is killed there."""
    leader, client = opened()
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(command, stdin=client, stdout=client, stderr=client, env=environment(home))
        os.close(client)
        seen = b""
        while word.encode() not in seen:
            seen += os.read(leader, 65536)
        os.kill(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        os.close(leader)
    return usage.ru_utime + usage.ru_stime
