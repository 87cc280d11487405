"""Is a game what it should have been? Reads transcripts, offline, and says who cheated and how that is proven.

The host has signed every entry, so each contradiction in a chain of them is proof against the host. A player is
accused of its lies in a sealed draft alone, which it has signed itself (docs/protocol.md, section 7).
What the host has not signed is damage.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.transcript import Damaged

from .comparing import History, confront_all
from .examining import examine
from .gathering import Shared, Source, gather
from .judging import Judgements
from .model import FileReport, Report, unread


def verify(paths: Sequence[Path]) -> Report:
    """Check transcripts, each for itself and those of one game against each other. Never raises for what is in
    a file."""
    gathered = gather(paths)
    games: dict[bytes, list[Source]] = {}
    for source in gathered.sources:
        games.setdefault(source.game, []).append(source)
    for sources in games.values():
        _verify_game(sources, gathered.said)
    return Report(tuple(_whole(gathered.reports)))


def _verify_game(sources: Sequence[Source], said: Shared) -> None:
    judged = Judgements()
    histories: list[History] = []
    for source in sources:
        if (history := _history(source, said, judged)) is not None:
            confront_all(histories, history)


def _history(source: Source, said: Shared, judged: Judgements) -> History | None:
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
    shared = (said.own(transcript), said.heard(transcript), said.boxes(transcript))
    one = examine(transcript, report, *shared, judged)
    signatures = [delta.signature for delta in one.deltas]
    if not signatures or any(finding.code == "forged" for finding in report.findings):
        return None
    return History(report, transcript.head.host, one.heads, signatures)


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
