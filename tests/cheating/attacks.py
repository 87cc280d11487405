"""Checks of what both verifiers say about the files of honest guests whose host cheats."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from citadels_lan.crypto.report.model import Finding, Report
from citadels_lan.crypto.report.verify import verify
from tests.extras.second import RULED, remembering

from .court import Court, proofs
from .evidence import proves_against_host, proves_two_histories


def assert_verdict(of: Court | Sequence[Path], code: int, *contradictions: str) -> Report:
    """Verify each of these files (or of the files of all players of a `Court`) alone. Check the exit code of
    both verifiers, that a proof accuses only the host, and its evidence. `contradictions` are the codes that
    the evidence may be for. Return the report on the last file."""
    paths = of.files() if isinstance(of, Court) else of
    assert paths
    for path in paths:
        report = verify([path])
        accused = {finding.accused for finding in report.findings if finding.accused}
        assert (report.code, accused) == (code, {"host"} if code == 1 else set()), report.findings
        second = remembering().main([str(path)])
        ruled = code == 5 or any(finding.contradiction in RULED for finding in report.findings)
        assert second == report.code or (ruled and second in (0, 4)), report.findings
        for finding in proofs(report):
            assert_holds(finding, [path], contradictions)
    return report


def assert_two_histories(paths: Sequence[Path]) -> Report:
    """Check that these files together prove two histories that the host has signed. Return the report."""
    report = verify(paths)
    found = [finding for finding in proofs(report) if finding.code == "two_histories"]
    assert found
    assert {finding.accused for finding in proofs(report)} == {"host"}
    for finding in found:
        proves_two_histories(finding.evidence, list(paths))
    return report


def assert_holds(finding: Finding, paths: list[Path], contradictions: Sequence[str]) -> None:
    """Check the evidence of a finding with code that shares nothing with the program (`evidence`)."""
    assert (finding.code, finding.contradiction in contradictions) == ("host_cheated", True), finding
    (evidence,) = finding.evidence
    proves_against_host(evidence, paths[0])


def slow(*values: object, **named: Any) -> Any:
    """A parameter set for a slow test case, which the quick suite skips."""
    return pytest.param(*values, marks=[pytest.mark.slow], **named)
