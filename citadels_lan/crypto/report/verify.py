"""Is a game what it should have been? Reads transcripts, offline, and names cheaters with the proof.

The host has signed every entry, so each contradiction in a chain of them is proof against the host. A player is
accused of its lies in a sealed draft alone, which it has signed itself (docs/protocol.md, section 13).
Bytes that the host has not signed are damage.

The files are read in two rounds. The first finds out which are the same, and what one says for others of its game;
the second takes them one after another, so that no two large ones are held at once.
"""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.log import MAX_ENTRIES
from citadels_lan.crypto.transcript import MAX_FILE, STDIN, Damaged, Transcript, content, parse

from .examining import Judgements, entry_evidence, examine, named, own_openings
from .model import Evidence, FileReport, Finding, Report, unread

MAX_OWN: Final = MAX_ENTRIES
"""So many openings of all files are held for each other."""


class SourceFile(Struct):
    """A transcript that can be read, and its report. `kept` holds it from the first round on where that costs
    little."""

    report: FileReport
    game: bytes
    kept: Transcript | None

    def read(self) -> Transcript:
        """The transcript. OSError or Damaged where the file has changed since the first round."""
        return self.kept or parse(content(self.report.path))


class Shared:
    """The openings by the owners of all files, by commitment."""

    def __init__(self) -> None:
        self._own: dict[bytes, dict[bytes, Opening]] = {}
        self._room = MAX_OWN

    def note(self, transcript: Transcript) -> None:
        """Take what a file says, as far as there is room."""
        game = transcript.head.game_id
        own = self._own.setdefault(game, {})
        for opening in transcript.own[: self._room]:
            own[committed(game, opening)] = opening
        self._room -= len(transcript.own[: self._room])

    def own(self, transcript: Transcript) -> dict[bytes, Opening]:
        """All openings for the game of a file; its own are always among them."""
        return self._own.get(transcript.head.game_id, {}) | own_openings(transcript)


class Gathering(Struct):
    """What is to be checked: a report for each path, `sources` those that can be read, each of them once."""

    reports: list[FileReport]
    sources: list[SourceFile]
    said: Shared


def gather(paths: Iterable[Path]) -> Gathering:
    """The first round. A file that cannot be read has its finding already."""
    gathered = Gathering([], [], Shared())
    known: dict[object, Path] = {}
    room = MAX_FILE
    for path in paths:
        report = FileReport(path)
        gathered.reports.append(report)
        report.same_as = known.get(_name(path))
        if report.same_as is not None:
            continue
        known[_name(path)] = path
        try:
            data = content(path)
            digest = hashlib.sha256(data).digest()
            report.same_as = known.get(digest)
            if report.same_as is not None:
                continue
            known[digest] = path
            transcript = parse(data)
        except (Damaged, OSError) as error:
            report.findings.append(unread(path, error))
            continue
        gathered.said.note(transcript)
        keep = path is STDIN or len(data) <= room
        room -= len(data) if keep else 0
        gathered.sources.append(SourceFile(report, transcript.head.game_id, transcript if keep else None))
    return gathered


def _name(path: Path) -> object:
    """A key for a file before it is read: links to one file have the same."""
    if path is STDIN:
        return STDIN, "standard input"
    try:
        found = path.stat()
    except OSError:
        return path
    return (found.st_dev, found.st_ino) if found.st_ino else path


MAX_HISTORIES: Final = 64
"""So many different histories of one game are kept to compare files with; of more, the first prove enough."""


class History(Struct, frozen=True):
    """What is kept of a file to compare others of its game with it; see `Examined`."""

    report: FileReport
    hosts: Hosts
    heads: Sequence[bytes]
    signatures: Sequence[bytes]

    def evidence(self, n: int) -> Evidence:
        """The host's signature of entry `n`."""
        return entry_evidence(self.report.game, self.hosts.at(n).key, n, self.heads[n], self.signatures[n - 1])

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(named(finding, self.hosts))

    def goes_with(self, other: "History") -> bool:
        """Whether the shorter of two is the beginning of the longer: equal hashes have equal histories."""
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
    if first.hosts.all[0] != second.hosts.all[0]:
        second.say(Finding("other_table", "damaged", {"other": str(first.report.path)}))
        return
    if first.goes_with(second):
        return
    common = range(min(len(first.heads), len(second.heads)))
    split = bisect_left(common, True, key=lambda n: first.heads[n] != second.heads[n])
    evidence = (first.evidence(split), second.evidence(split))
    second.say(Finding("two_histories", "proof", {"n": split}, evidence=evidence))


def verify(paths: Sequence[Path]) -> Report:
    """Check transcripts, each for itself and those of one game against each other. Never raises for what is in
    a file."""
    gathered = gather(paths)
    games: dict[bytes, list[SourceFile]] = {}
    for source in gathered.sources:
        games.setdefault(source.game, []).append(source)
    for sources in games.values():
        _verify_game(sources, gathered.said)
    return Report(tuple(_whole(gathered.reports)))


def _verify_game(sources: Sequence[SourceFile], said: Shared) -> None:
    judged = Judgements()
    histories: list[History] = []
    for source in sources:
        if (history := _history(source, said, judged)) is not None:
            confront_all(histories, history)


def _history(source: SourceFile, said: Shared, judged: Judgements) -> History | None:
    """Examine a file and keep of it only what it takes to compare others; None if it has none, or is not of the
    host that it names."""
    report = source.report
    try:
        transcript = source.read()
    except (Damaged, OSError) as error:
        report.findings.append(unread(report.path, error))
        return None
    finally:
        source.kept = None
    one = examine(transcript, report, said.own(transcript), judged)
    signatures = [delta.signature for delta in one.deltas]
    if not signatures or any(one.code == "forged" or one.kind == "other_rules" for one in report.findings):
        return None
    return History(report, one.hosts, one.heads, signatures)


def _whole(reports: Sequence[FileReport]) -> Iterator[FileReport]:
    """The reports, those of copies being that of the first, and how many files each was compared with."""
    by_path = {report.path: report for report in reports if report.same_as is None}
    found = [
        report
        if report.same_as is None
        else replace(by_path[report.same_as], path=report.path, same_as=report.same_as)
        for report in reports
    ]
    tables = Counter((report.game, report.header.hostkey) for report in found if report.header is not None)
    for report in found:
        if report.header is not None:
            report.compared = tables[report.game, report.header.hostkey] - 1
    yield from found
