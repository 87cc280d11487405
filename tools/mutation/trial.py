"""Mutation testing of the engine: one mistake at a time, tested by the rulings (tests of rules in
tests/rulings) and the quick tests of the engine.

Each trial is a process, forked from a process that has read the rulings and imported everything except the
engine. The module with the mistake replaces the real one when the engine is imported. No file is changed.
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
    "tests/engine/test_properties.py::test_listed_moves_are_parsed_as_they_are_written",
)
"""The test files that are run after the rulings, the quickest first."""
PATIENCE: Final = 40
"""Seconds until a trial is stopped: the mistake then causes an endless loop or wait, and counts as found."""
MEMORY: Final = 3 * 2**30
BEFORE: Final = ("hypothesis", "pytest", "pytest_asyncio", "_hypothesis_pytestplugin", "cryptography", "msgpack")
"""Slow modules that do not belong to the package, imported before the trials."""


class _Loader(SourceFileLoader):
    """Loads a module with the code of a mistake instead of the code in its file."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.module, str(mistake.path))
        self._mistake = mistake

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._mistake.source(), str(self._mistake.path), "exec")


class Exchanged(MetaPathFinder):
    """An import finder that comes before all others and returns the module with the mistake."""

    def __init__(self, mistake: Mistake) -> None:
        self._mistake = mistake

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self._mistake.module:
            return None
        return spec_from_file_location(fullname, self._mistake.path, loader=_Loader(self._mistake))


class Trials:
    """Runs rulings and tests with a mistake in the engine. The files of the rulings are read only once."""

    def __init__(self) -> None:
        for name in BEFORE:
            importlib.import_module(name)
        os.chdir(ROOT)
        self.cases = load([str(ROOT / "tests" / "rulings")])
        assert "citadels_lan.engine" not in sys.modules, "the engine would be imported without the mistake"

    def found_by(self, mistake: Mistake | None, *, tests: Sequence[str] = TESTS) -> str | None:
        """Return the first test that fails when this mistake is in the engine: the id of a ruling, a test
        file, or a word for a timeout or a failed import. Return None if no test fails. If `mistake` is None,
        the engine is unchanged."""
        answer = self._apart(lambda: _first(self.cases, tests), mistake)
        return None if answer == "" else answer

    def failing(self, mistake: Mistake) -> list[str]:
        """Return the ids of all rulings (tests of rules in tests/rulings) that fail when this mistake is in
        the engine. Return the ids of all rulings if the engine cannot be imported or a ruling does not
        end."""
        answer = self._apart(lambda: " ".join(_failing(self.cases)), mistake)
        return [case.id for case in self.cases] if answer in (BROKEN, ENDLESS) else answer.split()

    def _apart(self, work: Any, mistake: Mistake | None) -> str:
        """Run `work` with the mistake in a forked process, and return its result as text."""
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
    """Runs in the forked process: apply the mistake, run `work`, write its result to the pipe `writer`,
    exit."""
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
    """Read the whole result from the pipe."""
    parts = []
    while part := os.read(reader, 65536):
        parts.append(part)
    return b"".join(parts).decode()


def _failing(cases: Sequence[Case]) -> Iterator[str]:
    from tests.rulings.runner import run

    return (case.id for case in cases if run(case).outcome != "ok")


def _first(cases: Sequence[Case], tests: Sequence[str]) -> str:
    """Return the first ruling or test file that fails; "" if none fails."""
    import pytest

    for failed in _failing(cases):
        return failed
    quiet = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--timeout=0")
    for file in tests:
        if pytest.main([*quiet, str(ROOT / file)]) != pytest.ExitCode.OK:
            return file
    return ""
