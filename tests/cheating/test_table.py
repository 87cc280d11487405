"""The table of attacks and the tests of them: none without the other."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from .attacks import ACCUSED, CODES, HERE, attacks_of, rows

ROOT: Final = Path(__file__).parents[2]
OTHERS: Final = {"test_table", "test_both_verifiers", "test_tampering", "test_fuzz"}
"""Modules whose tests are of something else."""
HONEST: Final = {
    "test_an_honest_host",
    "test_the_honest_host_of_these_tests_is_honest",
    "test_an_unknown_edition_in_the_lobby",
}
"""Tests without an attack, or without a file that could tell of it."""


def all_of_them() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All tests of attacks, with their names."""
    for path in sorted(HERE.glob("test_*.py")):
        if path.stem not in OTHERS:
            module = importlib.import_module(f"{__package__}.{path.stem}")
            for name, test in vars(module).items():
                if name.startswith("test_") and inspect.isfunction(test) and test.__module__ == module.__name__:
                    yield name, test


def test_every_row_has_a_test_and_every_test_a_row() -> None:
    tested = [row for _, test in all_of_them() for row in attacks_of(test)]
    assert set(tested) == set(rows())
    assert {name for name, test in all_of_them() if not attacks_of(test)} == HONEST


def test_every_test_of_an_attack_asks_for_the_verdict() -> None:
    silent = {name for name, test in all_of_them() if "verdict" not in inspect.signature(test).parameters}
    assert silent == HONEST


def test_every_test_that_the_document_names_is_there_and_every_defence_has_one() -> None:
    document = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]+(?:\.py)?)`", document))
    assert named
    assert [name for name in sorted(named) if not has_tests(ROOT / "tests" / name)] == []
    for line in document.split("## Measured")[0].splitlines():
        if line.startswith("| ") and not line.startswith("| attack"):
            attack, defence, test, _ = (cell.strip() for cell in line.strip("|").split("|"))
            assert re.search(r"`(python -m )?[a-z_]+[/.]", test) or defence.startswith("none"), attack


def has_tests(path: Path) -> bool:
    """Whether a module or a folder has tests, or is a program that measures."""
    modules = [path] if path.is_file() else list(path.glob("**/test_*.py"))
    found = [module.read_text(encoding="utf-8") for module in modules]
    return any("def test_" in text or "__main__" in text for text in found)


def test_rows_say_what_can_be() -> None:
    """A proof accuses the host, and nothing but a proof accuses anybody."""
    for row in rows().values():
        assert row.code in CODES
        assert row.accused in ACCUSED
        assert (row.code == 1) == (row.accused == "the host")
        assert row.found_by
        assert row.when
