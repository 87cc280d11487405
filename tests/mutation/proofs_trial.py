"""One mistake at a time in the proofs and the network, held against the quick tests, two at the same time.

Each trial is a process group of its own, split off from a process that has imported what is not ours. The tests of
the mirrored room come first (`net/join`: `tests/net/join`), then the others that could notice.
"""

import contextlib
import importlib
import os
import resource
import selectors
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from .mistakes import Mistake
from .trial import BEFORE, ENDLESS, MEMORY, ROOT, Exchanged

ROOMS: Final = {
    "crypto": ("tests/crypto", "tests/cheating", "tests/extras", "tests/net"),
    "net": ("tests/net", "tests/cheating", "tests/extras"),
}
"""Whose tests could notice a mistake; no test of the proofs imports the network."""
PATIENCE: Final = 600.0
"""Seconds until a trial is given up: the mistake keeps something from ending, and so it is found."""
ELSEWHERE: Final = (
    "tests/net/client/test_gossip.py::test_processes_on_one_machine_hear_each_other",
    "tests/net/client/test_gossip.py::test_machines_hear_each_other_without_the_host",
)
"""Tests of programs of their own, which do not have the mistake."""
MOST: Final = 65_536
"""Bytes of an answer: so many fit into a pipe that nobody reads."""
NOTHING: Final = "-"
IMPOSSIBLE: Final = "!"
"""The tests could not be run at all, which says nothing of the mistake."""
QUIET: Final = (
    *("-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--hypothesis-seed=0", "--timeout=120", *(f"--deselect={one}" for one in ELSEWHERE)),
)


class Trial(Struct, eq=False):
    """A trial that goes on: its process, where its answer comes from, when it began."""

    mistake: Mistake | None
    process: int
    reader: int
    began: float

    @property
    def patience(self) -> float:
        """Seconds that it may take; all the tests take longer than those up to the first that fails."""
        return 4 * PATIENCE if self.mistake is None else PATIENCE


class Failures:
    """Remembers which tests failed, in order."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: object) -> None:
        self._look(report)

    def pytest_collectreport(self, report: object) -> None:
        self._look(report)

    def _look(self, report: object) -> None:
        if getattr(report, "failed", False):
            self.failed.append(str(getattr(report, "nodeid", "?")) or "?")


def stages(module: str) -> list[tuple[str, ...]]:
    """The tests to try, the nearest first."""
    _, floor, *rooms = module.split(".")
    nearest = Path("tests", floor, *rooms[:-1])
    while not (ROOT / nearest).is_dir():
        nearest = nearest.parent
    if rooms[:1] == ["report"]:
        nearest = Path("tests/crypto/verify")
    first = nearest.as_posix()
    others = ROOMS[floor]
    return [(first,), tuple(one for one in others if one != first)]


def red() -> list[str]:
    """The files with tests that fail without any mistake: what fails there says nothing of one. Raises
    RuntimeError where the tests cannot be run."""
    ((_, failed),) = judge([None], 1)
    return sorted({one.partition("::")[0] for one in (failed or "").splitlines()})


def judge(
    mistakes: Sequence[Mistake | None], workers: int, without: Sequence[str] = ()
) -> Iterator[tuple[Mistake | None, str | None]]:
    """Each mistake with what finds it, as soon as that is known; None where nothing does. Without a mistake: what
    fails all the same, a line for each. `without`: files that are left out. Raises RuntimeError where the tests
    cannot be run."""
    for name in BEFORE:
        importlib.import_module(name)
    os.chdir(ROOT)
    assert "citadels_lan.crypto" not in sys.modules, "the proofs would be imported without the mistake"
    waiting, going = list(reversed(mistakes)), dict[int, Trial]()
    with selectors.DefaultSelector() as selector:
        while waiting or going:
            while waiting and len(going) < workers:
                trial = _begin(waiting.pop(), without)
                going[trial.reader] = trial
                selector.register(trial.reader, selectors.EVENT_READ)
            answered = [key.fd for key, _ in selector.select(timeout=1)]
            late = [fd for fd, trial in going.items() if time.monotonic() - trial.began > trial.patience]
            for fd in {*answered, *late}:
                selector.unregister(fd)
                trial = going.pop(fd)
                answer = os.read(fd, MOST).decode() if fd in answered else ""
                _end(trial)
                if answer == IMPOSSIBLE:
                    raise RuntimeError("the tests cannot be run here")
                yield trial.mistake, None if answer == NOTHING else answer or ENDLESS


def _begin(mistake: Mistake | None, without: Sequence[str]) -> Trial:
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(writer, mistake, without)
    os.close(writer)
    return Trial(mistake, child, reader, time.monotonic())


def _end(trial: Trial) -> None:
    """Its process and whatever that has started."""
    os.close(trial.reader)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)


def _answer(writer: int, mistake: Mistake | None, without: Sequence[str]) -> None:
    """In the process that was split off: put the mistake in, try, answer, end."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    answer = IMPOSSIBLE
    with contextlib.suppress(BaseException):
        importlib.import_module("pytest")
        answer = "an error beside the tests"
        if mistake is not None:
            sys.meta_path.insert(0, Exchanged(mistake))
        answer = _failing() if mistake is None else _first(mistake, without)
    os.write(writer, answer.encode()[:MOST])
    os._exit(0)


def _failing() -> str:
    """All that fails."""
    import pytest

    failures = Failures()
    code = pytest.main([*QUIET, *ROOMS["crypto"]], plugins=[failures])
    if code == pytest.ExitCode.INTERRUPTED:  # modules that cannot be read keep the others from being tried
        broken = [one.partition("::")[0] for one in failures.failed]
        code = pytest.main([*QUIET, *_ignored(broken), *ROOMS["crypto"]], plugins=[failures])
    return "\n".join(dict.fromkeys(failures.failed)) or (NOTHING if code == pytest.ExitCode.OK else IMPOSSIBLE)


def _first(mistake: Mistake, without: Sequence[str]) -> str:
    """What fails first."""
    import pytest

    for tests in stages(mistake.module):
        failures = Failures()
        code = pytest.main(["-x", *QUIET, *_ignored(without), *tests], plugins=[failures])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return failures.failed[0] if failures.failed else f"{code!r} in {tests[0]}"
    return NOTHING


def _ignored(files: Sequence[str]) -> list[str]:
    return [f"--ignore={file}" for file in files]
