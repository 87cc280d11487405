"""Mutation testing of the proofs and the network: one mistake at a time, tested by their quick tests, two at
the same time.

Each trial is a process group, forked from a process that has imported the third-party modules. It runs only
test files that call the function with the mistake, the quickest tests first."""

import contextlib
import importlib
import os
import resource
import selectors
import signal
import sys
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from tools.mutation.mistakes import Mistake
from tools.mutation.reach import Reach, nearest, reaching
from tools.mutation.trial import BEFORE, ENDLESS, MEMORY, ROOT, Exchanged

if TYPE_CHECKING:
    import pytest

FOLDERS: Final = ("tests/crypto", "tests/cheating", "tests/extras", "tests/net")
"""The folders with tests that could detect a mistake in the proofs or the network."""
PORTIONS: Final = (2.0, 10.0)
"""First the tests are run that take less than this many seconds, in these steps; then all slower ones."""
PATIENCE: Final = 600.0
"""Seconds until a trial is stopped: the mistake then causes an endless loop or wait, and counts as found."""
MOST: Final = 65_536
"""The largest result in bytes: a pipe holds this much before anyone reads."""
NOTHING: Final = "-"
IMPOSSIBLE: Final = "!"
"""The result if the tests could not be run. Then it is unknown whether they would find the mistake."""
QUIET: Final = (
    *("-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--hypothesis-seed=0", "--timeout=40"),
)


class Trial(Struct, eq=False):
    """A running trial: its process, the pipe with its result, and when it began."""

    mistake: Mistake
    process: int
    reader: int
    began: float


class Failures:
    """Selects the wanted tests, and records in order which of them failed."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.failed: list[str] = []
        self._wanted = wanted

    def pytest_collection_modifyitems(self, items: list["pytest.Item"]) -> None:
        items[:] = [item for item in items if self._wanted(item.nodeid)]

    def pytest_runtest_logreport(self, report: object) -> None:
        self._look(report)

    def pytest_collectreport(self, report: object) -> None:
        self._look(report)

    def _look(self, report: object) -> None:
        if getattr(report, "failed", False):
            self.failed.append(str(getattr(report, "nodeid", "?")) or "?")


def judge(mistakes: Sequence[Mistake], workers: int, known: Reach) -> Iterator[tuple[Mistake, str | None]]:
    """Yield each mistake with the test that finds it (None if no test does), in the order in which the trials
    end. `known` says which tests call which functions. Raises RuntimeError if the tests cannot be run."""
    for name in BEFORE:
        importlib.import_module(name)
    os.chdir(ROOT)
    assert "citadels_lan.crypto" not in sys.modules, "the proofs would be imported without the mistake"
    waiting, going = list(reversed(mistakes)), dict[int, Trial]()
    with selectors.DefaultSelector() as selector:
        while waiting or going:
            while waiting and len(going) < workers:
                trial = _begin(waiting.pop(), known)
                going[trial.reader] = trial
                selector.register(trial.reader, selectors.EVENT_READ)
            answered = [key.fd for key, _ in selector.select(timeout=1)]
            late = [fd for fd, trial in going.items() if time.monotonic() - trial.began > PATIENCE]
            for fd in {*answered, *late}:
                selector.unregister(fd)
                trial = going.pop(fd)
                answer = os.read(fd, MOST).decode() if fd in answered else ""
                _end(trial)
                if answer == IMPOSSIBLE:
                    raise RuntimeError("the tests cannot be run here")
                yield trial.mistake, None if answer == NOTHING else answer or ENDLESS


def _begin(mistake: Mistake, known: Reach) -> Trial:
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(writer, mistake, known)
    os.close(writer)
    return Trial(mistake, child, reader, time.monotonic())


def _end(trial: Trial) -> None:
    """Kill the process of a trial and all its child processes."""
    os.close(trial.reader)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)


def _answer(writer: int, mistake: Mistake, known: Reach) -> None:
    """In the forked process: apply the mistake, run the tests, send the result, exit."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    answer = IMPOSSIBLE
    with contextlib.suppress(BaseException):
        importlib.import_module("pytest")
        answer = "an error beside the tests"
        sys.meta_path.insert(0, Exchanged(mistake))
        answer = _first(mistake, known)
    os.write(writer, answer.encode()[:MOST])
    os._exit(0)


def _first(mistake: Mistake, known: Reach) -> str:
    """Return the first test that fails with this mistake; "" if none does. The order of the tests: the
    quickest ones that call the function with the mistake, the slower ones that call it, then the other tests
    of these files, because tests of a file share recorded games."""
    tried: set[str] = set()
    for tests in portions(nearest(mistake, known)):
        tried.update(tests)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        if failed := _run(files, frozenset(tests).__contains__):
            return failed
    return _run(reaching(mistake, known), lambda test: test not in tried) or NOTHING


def portions(tests: Sequence[tuple[str, float]]) -> Iterator[list[str]]:
    """Split tests (with their seconds) into groups: for each limit in PORTIONS the tests that together take
    fewer seconds, then all remaining tests."""
    left = list(tests)
    for seconds in PORTIONS:
        fit = bisect([*accumulate(each for _, each in left)], seconds)
        if fit:
            yield [test for test, _ in left[:fit]]
        left = left[fit:]
    if left:
        yield [test for test, _ in left]


def _run(files: Sequence[str], wanted: Callable[[str], bool]) -> str:
    """Return the first of the wanted tests that fails; empty if none does."""
    import pytest

    if not files:
        return ""
    failures = Failures(wanted)
    code = pytest.main(["-x", *QUIET, *files], plugins=[failures])
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    return failures.failed[0] if failures.failed else f"{code!r} in {files[0]}"
