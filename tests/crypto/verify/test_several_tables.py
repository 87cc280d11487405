"""A file beside those of other tables: what is wrong with it is said once."""

from types import SimpleNamespace
from typing import Any

from citadels_lan.crypto.report.model import Tally
from citadels_lan.crypto.report.verify import confront_all


def story(host: bytes) -> Any:
    """A file of the same game at the table of this host."""
    report = SimpleNamespace(path=host.hex(), findings=[])
    one = SimpleNamespace(hosts=SimpleNamespace(all=[host]), report=report, heads=[host])
    one.say = report.findings.append
    one.goes_with = lambda other: other is one
    return one


def test_a_third_table_is_another_one_and_not_twice() -> None:
    known: list[Any] = []
    stories = [story(bytes([number]) * 32) for number in range(3)]
    for one in stories:
        confront_all(known, one)
    assert [[found.code for found in one.report.findings] for one in stories] == [
        [],
        ["other_table"],
        ["other_table"],
    ]
    assert known == stories


def test_of_a_file_without_entries_nothing_is_counted() -> None:
    assert (Tally().round, Tally().host) == (0, 0)
