"""The CPU time from the start of the program to its first output, compared with a Python that does nothing;
and to its first screen, compared with a Textual app that does nothing."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Final

from .bare import SHOWN
from .figure import Figure
from .terminal import seconds_until

TITLE = "Start (CPU time, median of runs alternating with a bare Python or a bare Textual app)"
RUNS = 15
FRAMES: Final[tuple[tuple[str, tuple[str, ...], str, float | None], ...]] = (
    ("first frame of citadels-lan", (), "moment", 1.6),
    ("first frame of citadels-lan play", ("play",), "moment", 1.6),
    ("its home screen", (), "Wi-Fi", 2.2),
    ("its table", ("play",), "Round 1", 2.5),
)
"""For each first text or screen: its name, the command, a word by which it is recognised, and the limit as a
multiple of the CPU time of a bare Textual app."""


def figures() -> Iterator[Figure]:
    for arguments in (("--version",), ("--help",), ("play", "--help"), ("rules", "king")):
        command = (sys.executable, "-m", "citadels_lan", *arguments)
        bare, program = _alternate(
            partial(cpu_seconds, (sys.executable, "-c", "pass")), partial(cpu_seconds, command)
        )
        name = " ".join(arguments)
        limit = 60 if "--help" in arguments or "--version" in arguments else None
        yield Figure(f"citadels-lan {name}, over a bare Python", (program - bare) * 1e3, "ms", most=limit)
        yield Figure(f"citadels-lan {name}, times a bare Python", program / bare, "x")
    for shown, wanted, word, most in FRAMES:
        command = (sys.executable, "-m", "citadels_lan", *wanted)
        bare, program = _alternate(
            partial(seconds_until, SHOWN, (sys.executable, "-m", "benchmarks.bare")),
            partial(seconds_until, word, command),
        )
        yield Figure(f"{shown}, times a bare Textual app", program / bare, "x", most=most)


def _alternate(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """Run two measurements in turn, so that other load on the machine affects both. Return the median of
    each, in CPU seconds."""
    times: tuple[list[float], list[float]] = ([], [])
    for measured in (one, other):  # compiles the modules
        measured()
    for _ in range(RUNS):
        for spent, measured in zip(times, (one, other), strict=True):
            spent.append(measured())
    return median(times[0]), median(times[1])


def cpu_seconds(command: Sequence[str]) -> float:
    """Return the CPU time of a separate process and its children."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
