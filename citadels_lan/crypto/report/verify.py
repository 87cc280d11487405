"""Is a game what it should have been? Reads transcripts, offline, and says who cheated and how that is proven.

The host has signed every entry, so each contradiction in a chain of them is proof against the host, and nobody
else is accused by anything here (docs/protocol.md, section 7). What the host has not signed is damage.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain, entry_fields
from citadels_lan.crypto.client_log import check_leaf, check_link, decode_events, merge, misplaced
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.log import RULES, AnyEntry, Header, Open, decode_entry, decode_private, events_of
from citadels_lan.crypto.migration.agreement import proposal_in
from citadels_lan.crypto.migration.host_keys import HostKeys
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.referee import Referee
from citadels_lan.crypto.replay import Counts, compare, knows_edition
from citadels_lan.crypto.signed_head import decode, host_signed
from citadels_lan.crypto.signed_view import SignedView, comparable, unpacked, view_fields, view_signed
from citadels_lan.crypto.signed_view import decode as decode_view
from citadels_lan.crypto.transcript import Alarmed, Damaged, Transcript
from citadels_lan.engine import Event, State

from .counts import tally, unopened
from .entries import Entries
from .gathering import Shared, Source, gather, own_openings
from .model import Evidence, FileReport, Finding, Report, unread

MAX_HISTORIES: Final = 64
"""So many different histories of one game are kept to compare files with; of more, the first prove enough."""
MAX_KNOWN: Final = 20_000
"""Of so many entries together it is kept what they say."""


class Judged(Struct, frozen=True):
    """What a whole chain says, whoever received it: the header in its first entry, the first contradiction, if
    there is one, what a replay has compared, and the error with which this program failed to replay it."""

    header: Header | None
    audit: Auditor
    fault: Mismatch | None
    counts: Counts = Counts()
    failed: str = ""


class Judgements:
    """What is known of whole chains by who has signed them and their last heads, so that the same one is not read
    twice. The oldest are forgotten where it would be too much to hold."""

    def __init__(self) -> None:
        self._judged: dict[tuple[bytes, bytes], tuple[int, Judged]] = {}

    def get(self, host: bytes, head: bytes) -> Judged | None:
        """What is known of the chain that ends with `head`, signed by the key `host`."""
        return self._judged[host, head][1] if (host, head) in self._judged else None

    def add(self, host: bytes, head: bytes, entries: int, judged: Judged) -> None:
        """Note what a chain of so many entries says."""
        self._judged[host, head] = entries + 1, judged
        while sum(size for size, _ in self._judged.values()) > MAX_KNOWN:
            del self._judged[next(iter(self._judged))]


class Examined(Struct):
    """A file under examination. `deltas` are those that form a chain, each signed by the host; `chain` is after
    the last, `heads[n]` is hash[n]; `entries` what they say. `broken` is the entry at which the chain
    ends before the file does; `hosts` says who signs which entries."""

    transcript: Transcript
    report: FileReport
    chain: Chain
    hosts: HostKeys
    audit: Auditor
    heads: list[bytes]
    deltas: list[Delta] = []
    broken: int | None = None

    @property
    def entries(self) -> Entries:
        return Entries([delta.public for delta in self.deltas])

    @property
    def header(self) -> Header | None:
        return self.report.header

    def evidence(self, n: int, *, public: bool = True) -> Evidence:
        """The host's signature of entry `n`."""
        head, delta = self.transcript.head, self.deltas[n - 1]
        found = entry_evidence(head.game_id, self.hosts.at(n), n, self.heads[n], delta.signature)
        return replace(found, public=delta.public if public else b"")

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(finding)


def entry_evidence(game: bytes, host: bytes, n: int, head: bytes, signature: bytes) -> Evidence:
    """A host's signature of entry `n`, whose hash is `head`."""
    return Evidence(n, host, frame("entry", *entry_fields(game, n, head)), signature)


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
            _confront_all(histories, history)


def _history(source: Source, said: Shared, judged: Judgements) -> History | None:
    """Examine a file and keep of it only what it takes to compare others; None if it has none."""
    report = source.report
    try:
        transcript = source.read()
    except (Damaged, OSError) as error:
        report.findings.append(unread(report.path, error))
        return None
    finally:
        source.kept = None
    one = examine(transcript, report, said.own(transcript), said.heard(transcript), judged)
    signatures = [delta.signature for delta in one.deltas]
    return History(report, one.hosts, one.audit, one.heads, signatures) if signatures else None


def _confront_all(histories: list[History], one: History) -> None:
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


def examine(
    transcript: Transcript,
    report: FileReport,
    own: Mapping[bytes, Opening] | None = None,
    heard: Sequence[bytes] | None = None,
    judged: Judgements | None = None,
) -> Examined:
    """Everything about one file, told to its report. `own` are openings by their owners and `heard` datagrams
    with heads, from all files of the game; without them, those of this file. `judged` has what is known of chains
    that were read before."""
    head = transcript.head
    chain = Chain(head.game_id, head.rules, head.fp)
    audit = Auditor(head.game_id, head.rules, head.fp, head.host)
    examined = Examined(transcript, report, chain, HostKeys(head.host), audit, [chain.head])
    report.game, report.seat = head.game_id, head.seat
    if head.rules != RULES:
        changed = transcript.footer is not None and not transcript.whole
        code = "changed" if changed else "other_rules"
        examined.say(Finding(code, "damaged", {"rules": head.rules, "own": RULES}))
        return examined
    _link(examined)
    verdict = judged.get(head.host, chain.head) if judged is not None else None
    if verdict is None:
        verdict = _judge(examined)
        if judged is not None:
            judged.add(head.host, chain.head, chain.n, verdict)
    audit = examined.audit = verdict.audit
    report.header = verdict.header
    report.signed = _footer(examined)
    report.counts = verdict.counts
    if verdict.failed:
        # A fault of this program must not accuse anybody, and must not pass for a verified game.
        examined.say(Finding("failed", "damaged", {"error": verdict.failed}))
    fault = verdict.fault or _told_otherwise(examined)
    if audit.secret is None and report.header is not None:
        fault = _refereed(examined, fault)
    if fault is not None:
        _accuse(examined, fault)
    _hear(examined, transcript.heard if heard is None else heard)
    borne_out = any(one.kind == "proof" or one.code == "failed" for one in report.findings)
    if transcript.alarm is not None and not borne_out:
        _doubt(examined, transcript.alarm)
    _open_own(examined, own_openings(transcript) if own is None else own)
    _complete(examined)
    report.signatures, report.openings = audit.signatures + chain.n, len(audit.opened)
    report.cosigned = dict(audit.between.cosigned)
    report.rounds = tuple(audit.between.rounds.values())
    report.head, report.tally = chain.head, tally(audit, chain.n)
    return examined


def _link(one: Examined) -> None:
    """Follow the chain as far as it goes."""
    head = one.transcript.head
    for at, body in enumerate(one.transcript.bodies, 1):
        try:
            delta = decode_delta(body)
            after = check_link(one.chain, one.hosts, delta)
            check_leaf(head.game_id, head.seat, delta)
        except (Malformed, Gap, Unsaid):
            one.broken = at
            break
        one.hosts.take(at, one.chain.head, delta.public)
        one.heads.append(one.chain.grow(after))
        one.deltas.append(delta)
    one.report.links = one.chain.n


def _footer(one: Examined) -> bool:
    """Look at the file itself; whether its owner's signature stands behind all of it."""
    transcript, header = one.transcript, one.header
    if transcript.footer is not None and not transcript.whole:
        if one.broken is None:
            one.say(Finding("changed", "damaged"))
        else:
            one.say(Finding("changed_at", "damaged", {"n": one.broken}))
    elif one.broken is not None:
        one.say(Finding("link", "damaged", {"n": one.broken}))
    elif transcript.footer is not None and not transcript.signed(one.chain):
        one.say(Finding("signature", "damaged"))
    elif header is not None and not _owned(transcript, header):
        one.say(Finding("owner", "damaged"))
    else:
        return transcript.footer is not None
    return False


def _owned(transcript: Transcript, header: Header) -> bool:
    seat = transcript.head.seat
    if seat is None:
        return True
    return seat < len(header.players) and header.players[seat].key == transcript.head.key


def _judge(one: Examined) -> Judged:
    """Read the whole chain, and play the game again if it is closed."""
    fault = _audit(one)
    header = _header(one)
    opened = one.audit.header
    if fault is not None and opened is not None and not knows_edition(opened):
        fault = Mismatch("edition", 1)  # what contradicts here may be right there
    if fault is not None or one.audit.secret is None:
        return Judged(header, one.audit, fault)
    try:
        counts = compare(one.audit, one.entries, [delta.leaves for delta in one.deltas])
    except Mismatch as contradiction:
        return Judged(header, one.audit, contradiction)
    except Exception as error:
        return Judged(header, one.audit, None, failed=type(error).__name__)
    return Judged(header, one.audit, None, counts)


def _header(one: Examined) -> Header | None:
    """What the first entry says of the table, whatever contradicts it; unless it is the table of another host than
    the one that has signed this, who would be accused of what it has not said."""
    try:
        entry = one.entries[0]
    except (IndexError, Malformed):
        return None
    if not isinstance(entry, Open) or entry.header.hostkey != one.transcript.head.host:
        return None
    return entry.header


def _audit(one: Examined) -> Mismatch | None:
    """The first contradiction from entry to entry, if there is one."""
    for delta in one.deltas:
        try:
            entry = decode_entry(delta.public)
            events = decode_events(events_of(entry))
            one.audit.read(delta.n, one.heads[delta.n - 1], entry, events)
        except Malformed:
            return Mismatch("malformed", delta.n)
        except Mismatch as fault:
            return fault
        if misplaced(entry, delta.leaves):
            return Mismatch("leaves", delta.n)
    return None


def _told_otherwise(one: Examined) -> Mismatch | None:
    """The first entry that tells this viewer something else than it tells everybody; each file has its own."""
    try:
        for delta in one.deltas:
            if delta.private is not None:
                _as_told(delta)
    except Mismatch as fault:
        return fault
    return None


def _refereed(one: Examined, fault: Mismatch | None) -> Mismatch | None:
    """The first contradiction in a game that is not open, where nothing can be replayed: what is public, and what
    this viewer was told and shown, is judged without it. `fault` is one that was found already."""
    assert one.header is not None
    seat = one.transcript.head.seat
    snapshot = _snapshot(one)
    try:
        referee = Referee(one.header, seat if seat is not None and seat < len(one.header.players) else None)
        for delta in one.deltas[: fault.n - 1 if fault is not None else None]:
            referee.read(delta.n, *_as_told(delta))
            if snapshot is not None and snapshot.n == delta.n and not _shows(snapshot, one, referee.state):
                return Mismatch("snapshot", delta.n)
    except Mismatch as contradiction:
        return contradiction
    except Exception as error:
        # A fault of this program: it accuses nobody, and what was found without it stays.
        if fault is None:
            one.say(Finding("failed", "damaged", {"error": type(error).__name__}))
    return fault


def _shows(snapshot: SignedView, one: Examined, state: State) -> bool:
    """Whether a snapshot shows the view after its entry. One of another version says nothing here."""
    try:
        view = unpacked(snapshot.packed)
    except Malformed:
        return True
    return snapshot.head == one.heads[snapshot.n] and comparable(view) == comparable(state)


def _as_told(delta: Delta) -> tuple[AnyEntry, list[Event], list[Event]]:
    """An entry, its events as everybody is told them, and as the file's viewer is. Raises Mismatch."""
    try:
        entry = decode_entry(delta.public)
        public = decode_events(events_of(entry))
        told = decode_private(delta.private) if delta.private is not None else []
        return entry, public, merge(delta.n, public, told)
    except Malformed:
        raise Mismatch("malformed", delta.n) from None


def _snapshot(one: Examined) -> SignedView | None:
    """The snapshot in a file, if the host has signed it for the file's seat."""
    head, packed = one.transcript.head, one.transcript.snapshot
    try:
        shown = decode_view(packed) if packed is not None else None
    except Malformed:
        return None
    if shown is None or not view_signed(one.hosts.at(shown.n), head.game_id, head.seat, shown):
        return None
    return shown


def _accuse(one: Examined, fault: Mismatch) -> None:
    """Say that the host is proven by a contradiction to have cheated, or that another version has to look at
    it."""
    seat = fault.details.get("seat")
    seat = seat if isinstance(seat, int) else None
    details = {"n": fault.n, **{key: value for key, value in fault.details.items() if key != "seat"}}
    if fault.code == "edition" and one.header is not None:  # another version may know it
        one.say(Finding("other_edition", "damaged", {"edition": one.header.config.named}))
        return
    evidence = (one.evidence(fault.n), *_evidence_of_view(one, fault))
    one.say(Finding("host_cheated", "proof", details, fault.code, seat, evidence))


def _evidence_of_view(one: Examined, fault: Mismatch) -> tuple[Evidence, ...]:
    """The host's signature of a snapshot, where that is what is wrong."""
    shown = _snapshot(one) if fault.code == "snapshot" else None
    if shown is None:
        return ()
    head = one.transcript.head
    signed = frame("snapshot", *view_fields(head.game_id, shown.n, shown.head, head.seat, shown.packed))
    return (Evidence(shown.n, one.hosts.at(shown.n), signed, shown.signature),)


def _doubt(one: Examined, alarm: Alarmed) -> None:
    """Say that an alarm is not borne out by the entry that raised it. That accuses nobody: whose program raised it
    may have had a fault, or another view of the rules."""
    details: dict[str, int | str] = {"n": alarm.n, "reason": alarm.code}
    one.say(Finding("false_alarm", "incomplete", details, seat=one.transcript.head.seat))


def _hear(one: Examined, datagrams: Sequence[bytes]) -> None:
    """Look for a head that the host has signed for somebody else. Whatever else a datagram says is no proof of
    anything: not even who sent it matters."""
    head = one.transcript.head
    for datagram in datagrams:
        try:
            heard = decode(datagram)
        except Malformed:
            continue
        ours = heard.game_id == head.game_id and heard.n < len(one.heads)
        host = one.hosts.at(heard.n)
        if ours and heard.head != one.heads[heard.n] and host_signed(heard.sealed, head.game_id, host):
            theirs = entry_evidence(head.game_id, host, heard.n, heard.head, heard.hostsig)
            evidence = (one.evidence(heard.n, public=False), theirs)
            one.say(Finding("two_histories", "proof", {"n": heard.n}, evidence=evidence))
            return


def _open_own(one: Examined, own: Mapping[bytes, Opening]) -> None:
    """Open what the log has not, but its owner has."""
    game, pending = one.transcript.head.game_id, one.audit.pending
    for commit, place in list(pending.items()):
        if place.sealed is not None and commit in own and place.opened_by(game, commit, own[commit]):
            one.audit.opened[place.n, place.index] = own[commit]
            del pending[commit]


def _complete(one: Examined) -> None:
    """Say what is missing."""
    if one.transcript.torn:
        one.say(Finding("torn", "incomplete"))
    for seat, rounds in unopened(one.audit).items() if one.audit.secret is not None else ():
        details: dict[str, int | str] = {"round": rounds[0], "rounds": len(rounds)}
        one.say(Finding("unopened", "incomplete", details, seat=seat))
    if any(finding.kind != "incomplete" for finding in one.report.findings):
        return
    if one.audit.secret is None:
        finished = one.audit.may_close
        code, details = ("held_back", {}) if finished else ("unfinished", {"n": one.chain.n})
        one.say(Finding(code, "incomplete", details))
    elif one.transcript.footer is None:
        one.say(Finding("unsigned", "incomplete"))


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
