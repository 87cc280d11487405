"""The files of one game against each other: two histories that one host has signed."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from .examined import entry_evidence
from .model import Evidence, FileReport, Finding

MAX_HISTORIES: Final = 64
"""So many different histories of one game are kept to compare files with; of more, the first prove enough."""


class History(Struct, frozen=True):
    """What is kept of a file to compare others of its game with it; see `Examined`. `host` has signed it."""

    report: FileReport
    host: bytes
    heads: Sequence[bytes]
    signatures: Sequence[bytes]

    def evidence(self, n: int) -> Evidence:
        """The host's signature of entry `n`."""
        return entry_evidence(self.report.game, self.host, n, self.heads[n], self.signatures[n - 1])

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(finding)

    def goes_with(self, other: "History") -> bool:
        """Whether the shorter of two is the beginning of the longer: what one hash stands for cannot differ."""
        last = min(len(self.heads), len(other.heads)) - 1
        return self.heads[last] == other.heads[last]


def confront_all(histories: list[History], one: History) -> None:
    """Compare a file with every other history of its game, and keep its own if it is another or goes further."""
    for other in histories:
        told = len(one.report.findings)
        confront(other, one)
        new = one.report.findings[told:]
        if any(finding.code == "two_histories" for finding in new):
            break  # more of the same proves no more
        if new and any(finding.code == new[0].code for finding in one.report.findings[:told]):
            del one.report.findings[told:]
    alike = next((at for at, other in enumerate(histories) if other.goes_with(one)), None)
    if alike is None:
        if len(histories) < MAX_HISTORIES:
            histories.append(one)
    elif len(one.heads) > len(histories[alike].heads):
        histories[alike] = one


def confront(first: History, second: History) -> None:
    """Compare two files of one game, as far as both have a chain."""
    if first.host != second.host:
        second.say(Finding("other_table", "damaged", {"other": str(first.report.path)}))
        return
    if first.goes_with(second):
        return
    common = range(min(len(first.heads), len(second.heads)))
    split = bisect_left(common, True, key=lambda n: first.heads[n] != second.heads[n])
    evidence = (first.evidence(split), second.evidence(split))
    second.say(Finding("two_histories", "proof", {"n": split}, evidence=evidence))
