"""A pseudo-terminal of 160x50 for measurements. It reads the output of a program like a terminal, but never
answers its queries."""

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
    """Return the two ends of a pseudo-terminal: the first reads what the program writes, the second is given
    to the program."""
    leader, client = pty.openpty()
    fcntl.ioctl(client, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return leader, client


def environment(home: str) -> dict[str, str]:
    """Return the environment of a program with a good terminal, and without the user's files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {"HOME": home, "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def seconds_until(word: str, command: Sequence[str]) -> float:
    """Return the CPU seconds of a program until a word appears in its terminal. Then the program is
    killed."""
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
