"""One mistake at a time: the engine with it, held against the rulings and the quick tests of the engine.

Each trial is a process of its own, split off from one that has read the rulings and everything but the engine; the
module with the mistake is put in when the engine is imported, and no file is changed.
"""

import contextlib
import importlib
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, Final

from tests.rulings.files import Case, load
from tools.mutation.mistakes import Mistake

ROOT: Final = Path(__file__).parents[2]
TESTS: Final = (
    "tests/engine/test_goldens.py",
    "tests/rulings/test_setup.py",
    "tests/engine/test_notation.py",
    "tests/engine/test_sealed.py",
    "tests/engine/sealed/test_draft.py",
    "tests/engine/test_possible.py",
    "tests/engine/test_editions.py",
    "tests/engine/test_properties.py::test_every_game_ends_and_keeps_all_cards_and_gold",
    "tests/engine/test_properties.py::test_exactly_the_listed_moves_are_accepted",
    "tests/engine/test_properties.py::test_listed_moves_read_back_as_written",
)
"""What is tried after the rulings, the quickest first."""
PATIENCE: Final = 40
"""Seconds of work until a trial is given up: the mistake keeps something from ending, and so it is found."""
MEMORY: Final = 3 * 2**30
BEFORE: Final = ("hypothesis", "pytest", "pytest_asyncio", "_hypothesis_pytestplugin", "cryptography", "msgpack")
"""Slow to import and nothing of ours."""


class _Loader(SourceFileLoader):
    """Loads a module with other code than its file has."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.module, str(mistake.path))
        self._mistake = mistake

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._mistake.source(), str(self._mistake.path), "exec")


class Exchanged(MetaPathFinder):
    """Finds the module with the mistake before anybody else does."""

    def __init__(self, mistake: Mistake) -> None:
        self._mistake = mistake

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self._mistake.module:
            return None
        return spec_from_file_location(fullname, self._mistake.path, loader=_Loader(self._mistake))


class Trials:
    """Tries mistakes; reads the rulings once."""

    def __init__(self) -> None:
        for name in BEFORE:
            importlib.import_module(name)
        os.chdir(ROOT)
        self.cases = load([str(ROOT / "tests" / "rulings")])
        assert "citadels_lan.engine" not in sys.modules, "the engine would be imported without the mistake"

    def found_by(self, mistake: Mistake | None, *, tests: Sequence[str] = TESTS) -> str | None:
        """What finds a mistake: a ruling's id, a file of tests, or that nothing ends any more; None where nothing
        finds it. Without a mistake: what fails all the same."""
        answer = self._apart(lambda: _first(self.cases, tests), mistake)
        return None if answer == "" else answer

    def failing(self, mistake: Mistake) -> list[str]:
        """Every ruling that fails with a mistake; all of them where the engine cannot be imported with it."""
        answer = self._apart(lambda: " ".join(_failing(self.cases)), mistake)
        return [case.id for case in self.cases] if answer in (BROKEN, ENDLESS) else answer.split()

    def _apart(self, work: Any, mistake: Mistake | None) -> str:
        """What a process of its own answers."""
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer(writer, work, mistake)
        os.close(writer)
        try:
            answer = _read(reader)
        finally:
            os.close(reader)
            _, status = os.waitpid(child, 0)
        return answer if os.waitstatus_to_exitcode(status) == 0 else ENDLESS


BROKEN: Final = "the engine cannot be imported"
ENDLESS: Final = "something does not end"


def _answer(writer: int, work: Any, mistake: Mistake | None) -> None:
    """In the process that was split off: put the mistake in, work, answer, end."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    answer = BROKEN
    with contextlib.suppress(BaseException):
        if mistake is not None:
            sys.meta_path.insert(0, Exchanged(mistake))
        importlib.import_module("tests.rulings.runner")
        answer = "an error in the rulings"
        answer = work()
    os.write(writer, answer.encode())
    os._exit(0)


def _read(reader: int) -> str:
    """The whole answer."""
    parts = []
    while part := os.read(reader, 65536):
        parts.append(part)
    return b"".join(parts).decode()


def _failing(cases: Sequence[Case]) -> Iterator[str]:
    from tests.rulings.runner import run

    return (case.id for case in cases if run(case).outcome != "ok")


def _first(cases: Sequence[Case], tests: Sequence[str]) -> str:
    """What fails first."""
    import pytest

    for failed in _failing(cases):
        return failed
    quiet = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--timeout=0")
    for file in tests:
        if pytest.main([*quiet, str(ROOT / file)]) != pytest.ExitCode.OK:
            return file
    return ""
