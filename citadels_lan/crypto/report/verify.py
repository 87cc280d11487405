"""Is a game what it should have been? Reads transcripts, offline, and names cheaters with the proof.

The host has signed every entry, so each contradiction in a chain of them is proof against the host. A player is
accused of its lies in a sealed draft alone, which it has signed itself (docs/protocol.md, section 13).
Bytes that the host has not signed are damage.

The files are read in two rounds. The first finds out which are the same, and what one says for others of its game;
the second takes them one after another, so that no two large ones are held at once.
"""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from os.path import realpath
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.log import MAX_ENTRIES
from citadels_lan.crypto.transcript import MAX_FILE, STDIN, Damaged, Transcript, content, parse

from .examining import History, Judgements, examine, own_openings
from .model import FileReport, Finding, Report, unread

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


Openings: TypeAlias = dict[bytes, Opening]


class Sources:
    """The first round. `reports` has one for each path, `files` has each file once that can be read, and `own` has
    the openings by the owners of all files, by game and commitment."""

    def __init__(self) -> None:
        self.reports: list[FileReport] = []
        self.files: list[SourceFile] = []
        self.own: defaultdict[bytes, Openings] = defaultdict(dict)
        self._paths: dict[object, Path] = {}
        self._own_room, self._room = MAX_OWN, MAX_FILE

    def add(self, path: Path) -> None:
        """Read a file. One that cannot be read has its finding already."""
        report = FileReport(path)
        self.reports.append(report)
        if self._same(report, STDIN if path is STDIN else realpath(path)):
            return
        try:
            data = content(path)
            if self._same(report, hashlib.sha256(data).digest()):
                return
            transcript = parse(data)
        except (Damaged, OSError) as error:
            report.findings.append(unread(path, error))
            return
        game, own = transcript.head.game_id, transcript.own[: self._own_room]
        self.own[game] |= {committed(game, opening): opening for opening in own}
        self._own_room -= len(own)
        # Standard input cannot be read a second time.
        keep = path is STDIN or len(data) <= self._room
        self._room -= len(data) if keep else 0
        self.files.append(SourceFile(report, game, transcript if keep else None))

    def _same(self, report: FileReport, key: object) -> bool:
        """Whether an earlier file has the same key."""
        report.same_as = self._paths.get(key)
        self._paths.setdefault(key, report.path)
        return report.same_as is not None


MAX_HISTORIES: Final = 64
"""So many different histories of one game are kept to compare files with; of more, the first prove enough."""


def compare(histories: list[History], one: History) -> None:
    """Compare a file with every other history of its game, and keep its own if it is another or goes further."""
    conflicts = [found for other in histories if (found := conflict(other, one)) is not None]
    if conflicts:  # One finding is enough, and a proof says more than that another file is of another table.
        one.say(min(conflicts, key=lambda found: found.kind != "proof"))
    alike = next((at for at, other in enumerate(histories) if other.goes_with(one)), None)
    if alike is None:
        if len(histories) < MAX_HISTORIES:
            histories.append(one)
    elif len(one.heads) > len(histories[alike].heads):
        histories[alike] = one


def conflict(first: History, second: History) -> Finding | None:
    """Compare two files of one game, as far as both have a chain."""
    if first.hosts.all[0] != second.hosts.all[0]:
        return Finding("other_table", "damaged", {"other": str(first.report.path)})
    if first.goes_with(second):
        return None
    common = range(min(len(first.heads), len(second.heads)))
    split = bisect_left(common, True, key=lambda n: first.heads[n] != second.heads[n])
    evidence = (first.evidence(split), second.evidence(split))
    return Finding("two_histories", "proof", {"n": split}, evidence=evidence)


def verify(paths: Iterable[Path]) -> Report:
    """Check transcripts, each for itself and those of one game against each other. Never raises for what is in
    a file."""
    sources = Sources()
    for path in paths:
        sources.add(path)
    histories: defaultdict[bytes, list[History]] = defaultdict(list)
    judged: defaultdict[bytes, Judgements] = defaultdict(dict)
    for source in sources.files:
        if (history := _history(source, sources.own[source.game], judged[source.game])) is not None:
            compare(histories[source.game], history)
    return Report(tuple(_whole(sources.reports)))


def _history(source: SourceFile, own: Openings, judged: Judgements) -> History | None:
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
    one = examine(transcript, report, own | own_openings(transcript), judged)
    # The host of the header has not signed these entries, so they prove nothing against it.
    if not one.deltas or any(one.code == "forged" or one.kind == "other_rules" for one in report.findings):
        return None
    return History(report, one.hosts, one.heads, one.signatures)


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
