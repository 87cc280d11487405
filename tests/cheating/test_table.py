"""The table of attacks and the tests of them: none without the other."""

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Final

from .attacks import ACCUSED, CODES, HERE, attacks_of, rows

OTHERS: Final = {"test_table", "test_tampering", "test_fuzz"}
"""Modules whose tests are of something else."""
HONEST: Final = {
    "test_an_honest_host",
    "test_the_honest_host_of_these_tests_is_honest",
    "test_an_unknown_edition_in_the_lobby",
    "test_a_head_that_nobody_signed_is_not_believed",
    "test_a_fork_is_found_by_comparing_heads",
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


def test_rows_say_what_can_be() -> None:
    """A proof accuses the host, and nothing but a proof accuses anybody."""
    for row in rows().values():
        assert row.code in CODES
        assert row.accused in ACCUSED
        assert (row.code == 1) == (row.accused == "the host")
        assert row.found_by
        assert row.when
