"""The files of one game against each other: two histories that one host has signed, or two hosts that one player
has agreed to."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.migration.agreement import proposal_in
from citadels_lan.crypto.migration.host_keys import HostKeys

from .examined import entry_evidence
from .model import Evidence, FileReport, Finding

MAX_HISTORIES: Final = 64
"""So many different histories of one game are kept to compare files with; of more, the first prove enough."""


class History(Struct, frozen=True):
    """What is kept of a file to compare others of its game with it; see `Examined`."""

    report: FileReport
    hosts: HostKeys
    audit: Auditor
    heads: Sequence[bytes]
    signatures: Sequence[bytes]

    def evidence(self, n: int) -> Evidence:
        """The host's signature of entry `n`."""
        return entry_evidence(self.report.game, self.hosts.at(n), n, self.heads[n], self.signatures[n - 1])

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
    if first.hosts.at(1) != second.hosts.at(1):
        second.say(Finding("other_table", "damaged", {"other": str(first.report.path)}))
        return
    if first.goes_with(second):
        return
    common = range(min(len(first.heads), len(second.heads)))
    split = bisect_left(common, True, key=lambda n: first.heads[n] != second.heads[n])
    if first.hosts.at(split) == second.hosts.at(split):
        evidence = (first.evidence(split), second.evidence(split))
        second.say(Finding("two_histories", "proof", {"n": split}, evidence=evidence))
    elif liars := _agreed_twice(first, second, split):
        for seat, found in liars.items():
            second.say(Finding("two_agreements", "proof", {"n": split}, seat=seat, evidence=found))
    else:
        left = first if split not in first.audit.new_hosts else second
        left.say(Finding("left_behind", "incomplete", {"n": split}))


def _agreed_twice(first: History, second: History, n: int) -> dict[int, tuple[Evidence, ...]]:
    """The seats that have agreed to two new hosts, both of which begin with entry `n`, with both signatures."""
    found: dict[int, list[Evidence]] = {}
    for history in (first, second):
        if n not in history.audit.new_hosts:
            return {}
        _, entry = history.audit.new_hosts[n]
        signed = frame("new-host", *proposal_in(entry, n - 1, history.heads[n - 1]).fields(history.report.game))
        for one in entry.agreed:
            key = history.audit.table.players[one.seat].key
            found.setdefault(one.seat, []).append(Evidence(n, key, signed, one.signature))
    return {seat: tuple(twice) for seat, twice in found.items() if len(twice) == 2}
