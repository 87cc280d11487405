"""Processes for the benchmarks: a host, or any module of the benchmarks, each with a separate home folder."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

LOCAL = "127.0.0.1"
PLAYERS = 8
MEMORY = Path("/dev/shm")
"""A folder in memory, if the system has one."""


def in_memory() -> Path | None:
    """Return a folder whose files are in memory, so that writing takes no disk time; None if the system has
    none."""
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None


def syncs(folder: Path | None, count: int) -> list[float]:
    """Return the seconds that each of `count` writes of 200 bytes takes until it is on the disk of `folder`."""
    times = []
    # fsync may do less for an unnamed file.
    with tempfile.NamedTemporaryFile(buffering=0, dir=folder) as file:
        for _ in range(count):
            begin = perf_counter()
            file.write(bytes(200))
            os.fsync(file.fileno())
            times.append(perf_counter() - begin)
    return times


class Host:
    """A host in a separate process."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def memory(self) -> float:
        """Return the memory of the host in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextlib.contextmanager
def hosting(*options: str, folder: Path | None = None) -> Iterator[Host]:
    """Run a host of eight players with its journal below `folder`."""
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--open", "--players", str(PLAYERS))
    with running("-m", "citadels_lan", *arguments, *options, folder=folder) as (pid, said):
        port = int(said().split()[1].rpartition(":")[2])
        yield Host(pid, port)


@contextlib.contextmanager
def running(*arguments: str, folder: Path | None = None) -> Iterator[tuple[int, Callable[[], str]]]:
    """Run Python with these arguments and a separate home below `folder`. Yield the process id, and a
    function that returns the next line of output."""
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
