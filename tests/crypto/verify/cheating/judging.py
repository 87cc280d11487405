"""What verification says of entries that a host has forged."""

from pathlib import Path
from typing import Any

from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import Finding, Report
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Draft, Forge, saved
from tests.crypto.table import HOST


def judge(path: Path, entries: list[Draft], **how: Any) -> Report:
    return verify([saved(path / "a.ctr", Forge(**how).file(entries))])


def assert_host_named(report: Report, contradiction: str) -> Finding:
    assert report.code == 1
    (finding,) = [finding for finding in report.findings if finding.kind == "proof"]
    assert (finding.code, finding.contradiction) == ("host_cheated", contradiction)
    for evidence in finding.evidence:
        assert evidence.key == HOST.public
    text = report_text.text(report)
    assert "Proof that the host cheated" in text
    assert HOST.public.hex()[:16] in text
    assert finding.evidence[0].signature.hex() in text
    return finding
