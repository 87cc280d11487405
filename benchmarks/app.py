"""The screens in a terminal: first frame, memory, and an entry's way from the session to the paint."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

from .figure import Figure

TITLE = "Screens (CPU time in a real terminal, 8 players, 160x50)"
PLAYERS, EVENTS = 8, 60
ROWS, COLUMNS = 50, 160


def figures() -> Iterator[Figure]:
    run_client()  # so that nothing is compiled any more
    found = run_client()
    yield Figure("first frame, from the start of the process", found["first_frame"], "ms", most=400)
    yield Figure("an entry to the paint, median", found["paint_median"], "ms", most=30)
    yield Figure("an entry to the paint, 95 % below", found["paint_p95"], "ms")
    yield Figure("memory of the client at its largest", found["memory"], "MB", most=60)


def run_client() -> dict[str, float]:
    """The figures of `benchmarks.client`, run in a pseudo-terminal."""
    leader, client_log = pty.openpty()
    fcntl.ioctl(client_log, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    threading.Thread(target=_drain, args=(leader,), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "figures.json"
        command = (sys.executable, "-m", "benchmarks.client", str(result), str(PLAYERS), str(EVENTS))
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        subprocess.run(
            command, stdin=client_log, stdout=client_log, stderr=client_log, env=environment, check=True
        )
        os.close(client_log)
        found = json.loads(result.read_text(encoding="utf-8"))
        assert isinstance(found, dict)
        return found


def _drain(leader: int) -> None:
    """Read what the program writes, as a terminal does."""
    try:
        while os.read(leader, 65536):
            pass
    except OSError:
        pass
    os.close(leader)
