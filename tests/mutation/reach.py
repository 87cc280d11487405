"""Which files of tests come to which functions of the proofs and the network: only they notice a mistake.

Each file is run once, without a mistake and in a process of its own, as games that many tests read are made by
whoever asks first.
"""

import contextlib
import importlib
import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from msgspec import Struct

from .mistakes import Mistake
from .proofs import FOLDERS, PACKAGE
from .trial import ROOT

Reach = Mapping[str, frozenset[str]]
"""By file of tests: the functions that it comes to, with their module. Not those with a test that fails."""


class Ran(Struct):
    """What a file of tests did: whether nothing failed, and the code that was run."""

    well: bool
    functions: list[str]


def reach(files: Sequence[str], quiet: Sequence[str], kept: Path | None = None) -> Reach:
    """Run each file. What is known is read from `kept`, and written to it."""
    known: dict[str, list[str]] = {}
    if kept is not None and kept.exists():
        known = json.loads(kept.read_text(encoding="utf-8"))
    else:
        known = {file: ran.functions for file, ran in _run_all(files, quiet) if ran.well}
        if kept is not None:
            kept.write_text(json.dumps(known), encoding="utf-8")
    return {file: frozenset(functions) for file, functions in known.items()}


def files_in(folders: Sequence[str]) -> list[str]:
    """The files of tests in some folders."""
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("test_*.py")))
    return [path.relative_to(ROOT).as_posix() for path in found]


def reaching(mistake: Mistake, known: Reach) -> list[str]:
    """The files that come to a mistake; for what a module or a class says itself, those that import it."""
    within = mistake.place.function
    function = f"{mistake.module}:{'<module>' if within == 'the module' else within}"
    return [file for file, functions in known.items() if function in functions]


def _run_all(files: Sequence[str], quiet: Sequence[str]) -> Iterator[tuple[str, Ran]]:
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
        yield file, Ran(**json.loads(told)) if told else Ran(False, [])


def _answer(writer: int, file: str, quiet: Sequence[str]) -> None:
    """In the process that was split off: run the file, tell, end."""
    import pytest

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(ROOT)
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        """Called once for each call: nothing inside of it is followed."""
        seen.add(frame.f_code)

    ran = Ran(False, [])
    with contextlib.suppress(BaseException):
        threading.settrace(note)
        sys.settrace(note)
        code = pytest.main([*quiet, file])
        sys.settrace(None)
        ran = Ran(code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED), sorted(_named(seen)))
    with open(writer, "wb") as answer:
        answer.write(json.dumps({"well": ran.well, "functions": ran.functions}).encode())
    os._exit(0)


OURS: Final = tuple(f"{folder}{os.sep}" for folder in FOLDERS)


def _named(codes: set[CodeType]) -> Iterator[str]:
    """Code of ours as a mistake names it: module, classes and functions."""
    for code in codes:
        if code.co_filename.startswith(OURS):
            path = Path(code.co_filename).relative_to(PACKAGE.parent).with_suffix("")
            module = ".".join(path.parts).removesuffix(".__init__")
            yield f"{module}:{code.co_qualname.replace('.<locals>', '')}"
