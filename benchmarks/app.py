"""The screens in a terminal: memory, and the time from an entry in the session to the painted screen."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .figure import Figure
from .processes import LOCAL, PLAYERS, hosting
from .terminal import COLUMNS, ROWS, environment, opened

TITLE = f"Screens (CPU time in a real terminal, {COLUMNS}x{ROWS})"
EVENTS = 60
TABLES: Final = (("2016", "vicious_nobles", 8), ("citta_comune", "first_game", 9))
"""The tables that are measured: one with as many cities as possible, and one with as many players as
possible."""


def figures() -> Iterator[Figure]:
    for table in TABLES:
        run_client(*table)  # so that nothing is compiled any more
        found, name = run_client(*table), f"{table[0]}, {table[2]} players"
        yield Figure(f"{name}: an entry to the paint, median", found["paint_median"], "ms")
        yield Figure(f"{name}: an entry to the paint, 95 % below", found["paint_p95"], "ms", most=20)
    yield Figure("a client's memory at the table of a host", memory_at_table(), "MiB", most=55)


def run_client(edition: str, scenario: str, players: int) -> dict[str, float]:
    """Run `benchmarks.client` for this table in a pseudo-terminal, and return the figures that it
    measured."""
    leader, client = opened()
    threading.Thread(target=_drain, args=(leader,), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "figures.json"
        command = (
            sys.executable,
            "-m",
            "benchmarks.client",
            str(result),
            edition,
            scenario,
            str(players),
            str(EVENTS),
        )
        subprocess.run(command, stdin=client, stdout=client, stderr=client, env=environment(folder), check=True)
        os.close(client)
        found = json.loads(result.read_text(encoding="utf-8"))
        assert isinstance(found, dict)
        return found


def memory_at_table() -> float:
    """Return the memory in MiB of a client at a table with seven bots, some seconds after the client's player
    was first asked to decide. The bots run in another process."""
    leader, client = opened()
    with hosting("--bots", ",".join(["sensible"] * (PLAYERS - 1))) as host, tempfile.TemporaryDirectory() as home:
        command = (sys.executable, "-m", "citadels_lan", "join", f"{LOCAL}:{host.port}", "--name", "Ada")
        process = subprocess.Popen(command, stdin=client, stdout=client, stderr=client, env=environment(home))
        os.close(client)
        _read_until(leader, b"Ready")
        os.write(leader, b"r")
        _read_until(leader, b"confirm")
        threading.Thread(target=_drain, args=(leader,), daemon=True).start()
        time.sleep(2)
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        process.kill()
        process.wait()
    found = re.search(r"VmRSS:\s*(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def _read_until(leader: int, word: bytes) -> None:
    seen = b""
    while word not in seen:
        seen += os.read(leader, 65536)


def _drain(leader: int) -> None:
    """Read what the program writes, as a terminal does."""
    try:
        while os.read(leader, 65536):
            pass
    except OSError:
        pass
    os.close(leader)
