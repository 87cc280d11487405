"""The table of attacks: what each is found to be, read from the docstring of `test_hosts`, and held against it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from citadels_lan.crypto.report.model import Finding, Report
from citadels_lan.crypto.report.verify import verify
from tests.extras.second import RULED, remembering

from .court import Court, proofs
from .evidence import proves_against_host, proves_false_snapshot, proves_two_histories

HERE: Final = Path(__file__).parent
CODES: Final = {0, 1, 3, 4, 5}
ACCUSED: Final = {"the host": {"host"}, "nobody": set[str]()}


class Row(Struct, frozen=True):
    """An attack: who finds it, when, the exit code of `verify` for the file of one honest client alone, and who is
    accused by that."""

    attack: str
    found_by: str
    when: str
    code: int
    accused: str


def rows() -> dict[str, Row]:
    """The table, by attack."""
    text = (HERE / "test_hosts.py").read_text()
    found = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.split('"""')[1].splitlines()
        if line.startswith("| ") and not line.startswith("| attack")
    ]
    return {cells[0]: Row(cells[0], cells[1], cells[2], int(cells[3]), cells[4]) for cells in found}


def attacks_of(function: Any) -> list[str]:
    """The rows that a test is for, by its marks and those of its cases."""
    marks = list(getattr(function, "pytestmark", []))
    for mark in list(marks):
        if mark.name == "parametrize":
            marks += [own for one in mark.args[1] for own in getattr(one, "marks", ())]
    return [mark.args[0] for mark in marks if mark.name == "attack"]


class Verdict:
    """Holds what `verify` says against the row of the test."""

    def __init__(self, row: Row) -> None:
        self.row = row

    def __call__(self, court: Court, *contradictions: str) -> Report:
        """Of the file of every player alone; the last report."""
        return self.of(court.files(), *contradictions)

    def of(self, paths: Sequence[Path], *contradictions: str) -> Report:
        """Of each of these files alone: the code, the accused, and evidence that holds by itself."""
        assert paths
        for path in paths:
            report = verify([path])
            assert (report.code, accused_by(report)) == (self.row.code, ACCUSED[self.row.accused]), report.findings
            assert_second_agrees(report, path)
            for finding in proofs(report):
                assert_holds(finding, [path], contradictions)
        return report

    def together(self, paths: Sequence[Path]) -> Report:
        """Of several files together, which are two histories."""
        report = verify(paths)
        assert report.code == 1
        assert accused_by(report) == {"host"}
        found = [finding for finding in proofs(report) if finding.code == "two_histories"]
        assert found
        for finding in found:
            proves_two_histories(finding.evidence, list(paths))
        return report


def assert_second_agrees(report: Report, path: Path) -> None:
    """The second verifier, which does not know the rules, says the same, unless only they contradict."""
    second = remembering().main([str(path)])
    ruled = report.code == 5 or any(finding.contradiction in RULED for finding in report.findings)
    assert second == report.code or (ruled and second in (0, 4)), report.findings


def accused_by(report: Report) -> set[str]:
    """Who is proven to have cheated."""
    return {str(finding.accused) for finding in report.findings if finding.accused}


def assert_holds(finding: Finding, paths: list[Path], contradictions: Iterable[str]) -> None:
    """Of what is found, and that its evidence holds without anything of the program."""
    if finding.code == "two_histories":
        proves_two_histories(finding.evidence, paths)
        return
    assert finding.code == "host_cheated"
    assert finding.contradiction in contradictions
    if finding.contradiction == "snapshot":
        proves_false_snapshot(finding.evidence, paths[0])
        return
    (evidence,) = finding.evidence
    proves_against_host(evidence, paths[0])


def attack(name: str) -> pytest.MarkDecorator:
    """Marks a test as that of a row."""
    return pytest.mark.attack(name)


OPEN: Final = pytest.mark.open_draft
"""Marks a test of an attack that means nothing at a table with a sealed draft."""
SEALED_ALONE: Final = pytest.mark.sealed_draft
"""Marks a test of an attack on a sealed draft."""


def row_of(node: pytest.Item) -> Row:
    """The row of a test that runs."""
    mark = node.get_closest_marker("attack")
    assert mark is not None, "a test that asks for a verdict has a row"
    return rows()[mark.args[0]]


def slow(*values: object, **named: Any) -> Any:
    """A case that is not in the quick suite."""
    marks = [pytest.mark.slow, *named.pop("marks", [])]
    return pytest.param(*values, marks=marks, **named)
