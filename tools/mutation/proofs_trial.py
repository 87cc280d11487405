"""One mistake at a time in the proofs and the network, held against the quick tests, two at the same time.

Each trial is a process group of its own, split off from a process that has imported what is not ours. Only files
of tests are run that come to the function with the mistake, and the quickest tests that do come first.
"""

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
"""Whose tests could notice a mistake."""
PORTIONS: Final = (2.0, 10.0)
"""Seconds of tests that are tried before the slower ones."""
PATIENCE: Final = 600.0
"""Seconds until a trial is given up: the mistake keeps something from ending, and so it is found."""
MOST: Final = 65_536
"""Bytes of an answer: so many fit into a pipe that nobody reads."""
NOTHING: Final = "-"
IMPOSSIBLE: Final = "!"
"""The tests could not be run at all, which says nothing of the mistake."""
QUIET: Final = (
    *("-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--hypothesis-seed=0", "--timeout=40"),
)


class Trial(Struct, eq=False):
    """A trial that goes on: its process, where its answer comes from, when it began."""

    mistake: Mistake
    process: int
    reader: int
    began: float


class Failures:
    """Leaves out what is not wanted, and remembers which tests failed, in order."""

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
    """Each mistake with what finds it, as soon as that is known; None where nothing does. `known`: which tests
    come to which functions. Raises RuntimeError where the tests cannot be run."""
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
    """Its process and whatever that has started."""
    os.close(trial.reader)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)


def _answer(writer: int, mistake: Mistake, known: Reach) -> None:
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
        sys.meta_path.insert(0, Exchanged(mistake))
        answer = _first(mistake, known)
    os.write(writer, answer.encode()[:MOST])
    os._exit(0)


def _first(mistake: Mistake, known: Reach) -> str:
    """What fails first: of the quickest tests that come to the mistake, of the others that do, and of what else is
    in files that come to it, where games are made that many tests read."""
    tried: set[str] = set()
    for tests in portions(nearest(mistake, known)):
        tried.update(tests)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        if failed := _run(files, frozenset(tests).__contains__):
            return failed
    return _run(reaching(mistake, known), lambda test: test not in tried) or NOTHING


def portions(tests: Sequence[tuple[str, float]]) -> Iterator[list[str]]:
    """Tests that take so many seconds in all, then those that take longer, then all others."""
    left = list(tests)
    for seconds in PORTIONS:
        fit = bisect([*accumulate(each for _, each in left)], seconds)
        if fit:
            yield [test for test, _ in left[:fit]]
        left = left[fit:]
    if left:
        yield [test for test, _ in left]


def _run(files: Sequence[str], wanted: Callable[[str], bool]) -> str:
    """What fails first of the tests that are wanted; empty if nothing does."""
    import pytest

    if not files:
        return ""
    failures = Failures(wanted)
    code = pytest.main(["-x", *QUIET, *files], plugins=[failures])
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    return failures.failed[0] if failures.failed else f"{code!r} in {files[0]}"
