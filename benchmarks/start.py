"""How much CPU time the program needs to say something, beside a Python that does nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from statistics import median

from .figure import Figure

TITLE = "Start (CPU time, median of runs alternating with a bare Python)"
RUNS = 15


def figures() -> Iterator[Figure]:
    for arguments in (("--version",), ("--help",), ("play", "--help"), ("rules", "king")):
        bare, program = _alternate(("-c", "pass"), ("-m", "citadels_lan", *arguments))
        name = " ".join(arguments)
        limit = 60 if "--help" in arguments or "--version" in arguments else None
        yield Figure(f"citadels-lan {name}, over a bare Python", (program - bare) * 1e3, "ms", most=limit)
        yield Figure(f"citadels-lan {name}, times a bare Python", program / bare, "x")


def _alternate(one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """The median CPU seconds of two commands, run in turn so that both meet the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for spent, arguments in zip(times, (one, other), strict=True):
            spent.append(cpu_seconds((sys.executable, *arguments)))
    return median(times[0]), median(times[1])


def cpu_seconds(command: Sequence[str]) -> float:
    """The CPU time of a process of its own, its children included."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
