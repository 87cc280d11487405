"""Which tests a mistake is tried with, and what is kept of a run that was stopped."""

import ast
from pathlib import Path

import pytest

from citadels_lan.crypto.packing import MAX_DEPTH
from tests.effort import one_case
from tools.mutation.kept import Kept
from tools.mutation.mistakes import Mistake, Place
from tools.mutation.reach import Ran, gathered, nearest, reach, reaching

WORDS = "tests/crypto/parts/test_words.py"
SPOKEN = "citadels_lan.crypto.words"
READ = [f"{SPOKEN}:<module>"]
TESTS = {"slow": 2.0, "quick": 1.0}
KNOWN = gathered(
    {
        "one": Ran(
            READ, {"one::slow": (2.0, [f"{SPOKEN}:key_words"]), "one::quick": (1.0, [f"{SPOKEN}:key_words"])}
        ),
        "two": Ran(READ, {"two::test": (1.0, [f"{SPOKEN}:Words.first", "citadels_lan.crypto.packing:_check"])}),
        "three": Ran([], {"three::test": (1.0, ["citadels_lan.crypto.chat:key_words"])}),
    }
)


def mistake(function: str, statement: str = "") -> Mistake:
    """One in a function of the words, without its code."""
    place = Place(ast.Pass(), lambda node: node, function, statement)
    return Mistake(f"{function}: a | b -> c", SPOKEN, Path(), ast.Module([], []), place)


@one_case(
    ("function", "files"),
    [("key_words", ["one"]), ("heard", []), ("the module", ["one", "two"]), ("Words.first", ["two"])],
)
def test_a_mistake_is_tried_where_tests_come_to_it(function: str, files: list[str]) -> None:
    assert reaching(mistake(function), KNOWN) == files


def test_the_quickest_test_that_comes_to_a_mistake_is_the_first() -> None:
    assert nearest(mistake("key_words"), KNOWN) == [("one::quick", 1.0), ("one::slow", 2.0)]
    assert nearest(mistake("the module"), KNOWN) == [], "nothing runs but when it is read"


@pytest.mark.slow
def test_a_constant_is_tried_where_functions_that_mention_it_are_come_to() -> None:
    limit = mistake("the module", f"MAX_DEPTH: Final = {MAX_DEPTH}")
    assert nearest(limit, KNOWN) == [("two::test", 1.0)]
    assert reaching(limit, KNOWN) == ["two"]


@pytest.mark.slow
def test_what_a_file_comes_to_is_found_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "known.reach"
    known = reach([WORDS, "tests/nowhere.py"], ["-q", "-m", "not slow", "-p", "no:xdist"], kept)
    assert known.files.keys() == {WORDS}, "a file that fails says nothing"
    assert reaching(mistake("key_words"), known) == [WORDS]
    assert all(test.startswith(f"{WORDS}::") for test, _ in nearest(mistake("key_words"), known))
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
