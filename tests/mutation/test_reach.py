"""Which tests a mistake is tried with, and what is kept of a run that was stopped."""

import ast
from pathlib import Path

import pytest

from .kept import Kept
from .mistakes import Mistake, Place
from .reach import reach, reaching

WORDS = "tests/crypto/parts/test_words.py"
SPOKEN = "citadels_lan.crypto.words"


def mistake(function: str) -> Mistake:
    """One in a function of the words, without its code."""
    place = Place(ast.Pass(), lambda node: node, function, "")
    return Mistake(f"{function}: a | b -> c", SPOKEN, Path(), ast.Module([], []), place)


@pytest.mark.parametrize(
    ("function", "files"),
    [("key_words", ["one"]), ("heard", []), ("the module", ["one", "two"]), ("Words.first", ["two"])],
)
def test_a_mistake_is_tried_where_tests_come_to_it(function: str, files: list[str]) -> None:
    known = {
        "one": frozenset({f"{SPOKEN}:<module>", f"{SPOKEN}:key_words"}),
        "two": frozenset({f"{SPOKEN}:<module>", f"{SPOKEN}:Words.first"}),
        "three": frozenset({"citadels_lan.crypto.chat:key_words"}),
    }
    assert reaching(mistake(function), known) == files


@pytest.mark.slow
def test_what_a_file_comes_to_is_found_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "known.reach"
    known = reach([WORDS, "tests/nowhere.py"], ["-q", "-m", "not slow", "-p", "no:xdist"], kept)
    assert known.keys() == {WORDS}, "a file that fails says nothing"
    assert reaching(mistake("key_words"), known) == [WORDS]
    assert reach([], [], kept) == known


def test_what_is_known_is_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "known"
    first, second, third = mistake("a"), mistake("b"), mistake("c")
    kept = Kept(path)
    kept.note(first, "tests/test_a.py::test")
    kept.note(second, None)
    again = Kept(path)
    assert again.of([first, second, third]) == ["tests/test_a.py::test", ""]
    assert third.name not in again.found
    assert Kept(None).of([first]) == []
