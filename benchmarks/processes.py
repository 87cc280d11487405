"""Processes to measure against: a host, or any module of these benchmarks, each with a home of its own."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

LOCAL = "127.0.0.1"
PLAYERS = 8
MEMORY = Path("/dev/shm")
"""A folder that is in memory, where a system has one."""


def in_memory() -> Path | None:
    """The folder whose files cost no time of a disk, None where there is none."""
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None


class Host:
    """A host in a process of its own."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def memory(self) -> float:
        """What it holds of the machine's memory, MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextlib.contextmanager
def hosting(*options: str, folder: Path | None = None) -> Iterator[Host]:
    """A host of eight players; its journal is below `folder`."""
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--open", "--players", str(PLAYERS))
    with running("-m", "citadels_lan", *arguments, *options, folder=folder) as (pid, said):
        port = int(said().split()[1].rpartition(":")[2])
        yield Host(pid, port)


@contextlib.contextmanager
def running(*arguments: str, folder: Path | None = None) -> Iterator[tuple[int, Callable[[], str]]]:
    """A Python that runs with a home of its own, below `folder`: its number, and what gives its next line."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        environment = kept | {"HOME": home, "LANG": "C.UTF-8"}
        command = (sys.executable, *arguments)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        with process.stdout as said:
            try:
                yield process.pid, said.readline
                if process.poll() is not None:
                    raise RuntimeError(f"{' '.join(arguments)} has ended")
            finally:
                process.terminate()
                process.wait()
