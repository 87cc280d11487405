"""Find out which tests call which functions of the proofs and the network: only these tests can detect a
mistake there.

Each test file runs once without a mistake in a separate process, because the first test that needs a recorded
game also creates it."""

import contextlib
import dis
import importlib
import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import msgspec
from msgspec import Struct

from tools.mutation.mistakes import Mistake
from tools.mutation.proofs import FOLDERS, PACKAGE
from tools.mutation.trial import ROOT

READING: Final = {"LOAD_NAME", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD"}
"""Names of the bytecode instructions that read a name."""


class Ran(Struct):
    """What one test file did: the functions called at its import, and those called in each test, with the
    test's seconds."""

    read: list[str]
    tests: dict[str, tuple[float, list[str]]]


class Reach(Struct):
    """`files`: for each test file without a failing test, the functions that it calls, with their modules.
    `tests`: each test with its seconds. `direct`: for each function, the numbers (in `tests`) of the tests
    that call it."""

    files: dict[str, frozenset[str]] = {}
    tests: list[tuple[str, float]] = []
    direct: dict[str, list[int]] = {}


def reach(files: Sequence[str], quiet: Sequence[str], kept: Path | None = None) -> Reach:
    """Run each test file, and return what it calls. Results that the file `kept` already has are read from
    it, and new ones are added to it."""
    if kept is not None and kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Reach)
    known = gathered(dict(_run_all(files, quiet)))
    if kept is not None:
        kept.write_bytes(msgspec.json.encode(known))
    return known


def gathered(ran: Mapping[str, Ran]) -> Reach:
    """Return the combined results of all files."""
    known = Reach()
    for file, one in ran.items():
        known.files[file] = frozenset(one.read).union(*(functions for _, functions in one.tests.values()))
        for test, (seconds, functions) in one.tests.items():
            for function in functions:
                known.direct.setdefault(function, []).append(len(known.tests))
            known.tests.append((test, seconds))
    return known


def files_in(folders: Sequence[str]) -> list[str]:
    """Return the test files in some folders."""
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("test_*.py")))
    return [path.relative_to(ROOT).as_posix() for path in found]


def nearest(mistake: Mistake, known: Reach) -> list[tuple[str, float]]:
    """Return the tests that call the function with a mistake, each with its seconds, the quickest first."""
    numbers = {number for function in _where(mistake) for number in known.direct.get(function, ())}
    return sorted((known.tests[number] for number in numbers), key=lambda test: test[1])


def reaching(mistake: Mistake, known: Reach) -> list[str]:
    """Return the test files that call the function with a mistake, or that use the constant that the mistake
    changes."""
    where, name = _where(mistake), _constant(mistake)
    return [file for file, functions in known.files.items() if where & functions or _says(file, name)]


def _where(mistake: Mistake) -> frozenset[str]:
    """Return the functions whose behaviour a mistake changes: the function that contains it or, for a
    constant, all functions that use the constant."""
    if (name := _constant(mistake)) and (users := _mentioned().get(name)):
        return users
    within = mistake.place.function
    return frozenset({f"{mistake.module}:{'<module>' if within == 'the module' else within}"})


def _constant(mistake: Mistake) -> str:
    """Return the name of the constant that the changed statement assigns; "" if it assigns none."""
    found = re.match(r"(\w+)\b.* = ", mistake.place.statement)
    return found[1] if found and mistake.place.function == "the module" else ""


def _says(file: str, name: str) -> bool:
    return bool(name) and re.search(rf"\b{name}\b", _text(file)) is not None


@cache
def _text(file: str) -> str:
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.exists() else ""


@cache
def _mentioned() -> Mapping[str, frozenset[str]]:
    """Return for each name the functions that read this name. Bodies of modules and classes count as
    functions."""
    found: dict[str, set[str]] = {}
    for path in (path for folder in FOLDERS for path in folder.rglob("*.py")):
        for code in _codes(compile(path.read_text(encoding="utf-8"), str(path), "exec")):
            for step in dis.get_instructions(code):
                if step.opname in READING:
                    found.setdefault(step.argval, set()).update(_named([code]))
    return {name: frozenset(functions) for name, functions in found.items()}


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects that are nested in it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _run_all(files: Sequence[str], quiet: Sequence[str]) -> Iterator[tuple[str, Ran]]:
    """Run each file in a forked process, and yield its name and result. Files with a failing test are
    skipped."""
    importlib.import_module("pytest")
    for file in files:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer(writer, file, quiet)
        os.close(writer)
        with open(reader, "rb") as answer:
            told = answer.read()
        os.waitpid(child, 0)
        if told:
            yield file, msgspec.json.decode(told, type=Ran)


class Watcher:
    """Records which functions are called at the import of a test file, and then in each test."""

    def __init__(self) -> None:
        self.ran = Ran([], {})
        self._seen: set[CodeType] = set()
        self._began = 0.0

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Record a call. The profiler calls this for each function call."""
        self._seen.add(frame.f_code)

    def pytest_collection_finish(self) -> None:
        self.ran.read = self._take()

    def pytest_runtest_logstart(self) -> None:
        self._began = time.perf_counter()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.ran.tests[nodeid] = time.perf_counter() - self._began, self._take()

    def _take(self) -> list[str]:
        seen, self._seen = self._seen, set()
        return sorted({*_named(seen)})


def _answer(writer: int, file: str, quiet: Sequence[str]) -> None:
    """In the forked process: run the file, send the results if no test failed, exit."""
    import pytest

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(ROOT)
    watcher = Watcher()
    well = False
    with contextlib.suppress(BaseException):
        threading.settrace(watcher.note)
        sys.settrace(watcher.note)
        code = pytest.main([*quiet, file], plugins=[watcher])
        sys.settrace(None)
        well = code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    with open(writer, "wb") as answer:
        answer.write(msgspec.json.encode(watcher.ran) if well else b"")
    os._exit(0)


OURS: Final = tuple(f"{folder}{os.sep}" for folder in FOLDERS)


def _named(codes: Iterable[CodeType]) -> Iterator[str]:
    """Yield the name of each code object of the package in the form that mistakes use: module, classes,
    function."""
    for code in codes:
        if code.co_filename.startswith(OURS):
            path = Path(code.co_filename).relative_to(PACKAGE.parent).with_suffix("")
            module = ".".join(path.parts).removesuffix(".__init__")
            yield f"{module}:{code.co_qualname.replace('.<locals>', '')}"
