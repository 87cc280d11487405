"""Is a game what it should have been? Reads transcripts, offline, and says who cheated and how that is proven.

The host has signed every entry, so each contradiction in a chain of them is proof against the host, and nobody
else is accused by anything here (docs/protocol.md, section 7). What the host has not signed is damage.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain, entry_fields
from citadels_lan.crypto.client_log import check_leaf, check_link, decode_events, merge, misplaced
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.log import RULES, AnyEntry, Header, Open, decode_entry, decode_private, events_of
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.replay import Counts, compare, knows_edition
from citadels_lan.crypto.signed_head import decode, host_signed
from citadels_lan.crypto.signed_view import SignedView, view_fields, view_signed
from citadels_lan.crypto.signed_view import decode as decode_view
from citadels_lan.crypto.transcript import Alarmed, Damaged, Transcript, read
from citadels_lan.crypto.views import comparable, followed, unpacked
from citadels_lan.engine import Event

from .counts import tally
from .model import Evidence, FileReport, Finding, Report, unread


class Judged(Struct, frozen=True):
    """What a whole chain says, whoever received it: its entries, the first contradiction, if there is one, what a
    replay has compared, and the error with which this program failed to replay it."""

    entries: list[AnyEntry]
    audit: Auditor
    fault: Mismatch | None
    counts: Counts = Counts()
    failed: str = ""


class Examined(Struct):
    """A file under examination. `deltas` are those that form a chain, each signed by the host; `chain` is after
    the last, `heads[n]` is hash[n]; `entries` those that can be read. `broken` is the entry at which the chain
    ends before the file does."""

    transcript: Transcript
    report: FileReport
    chain: Chain
    audit: Auditor
    heads: list[bytes]
    deltas: list[Delta] = []
    entries: list[AnyEntry] = []
    broken: int | None = None
    unread: int | None = None

    @property
    def header(self) -> Header | None:
        return self.report.header

    def evidence(self, n: int, *, public: bool = True) -> Evidence:
        """The host's signature of entry `n`."""
        head, delta = self.transcript.head, self.deltas[n - 1]
        signed = frame("entry", *entry_fields(head.game_id, n, self.heads[n]))
        return Evidence(n, head.host, signed, delta.signature, delta.public if public else b"")

    def say(self, finding: Finding) -> None:
        """Add a finding."""
        self.report.findings.append(finding)


def verify(paths: Sequence[Path]) -> Report:
    """Check transcripts, each for itself and those of one game against each other. Never raises for what is in
    a file."""
    reports: list[FileReport] = []
    found: list[tuple[Transcript, FileReport]] = []
    for path in paths:
        report = FileReport(path)
        reports.append(report)
        try:
            transcript = read(path)
        except (Damaged, OSError) as error:
            report.findings.append(unread(path, error))
            continue
        report.same_as = next((other.path for earlier, other in found if earlier == transcript), None)
        found.append((transcript, report))
    examined = []
    judged: dict[bytes, Judged] = {}
    for transcript, report in found:
        game = transcript.head.game_id
        same = [other for other, _ in found if other.head.game_id == game]
        heard = tuple(dict.fromkeys(datagram for other in same for datagram in other.heard))
        examined.append(examine(transcript, report, own_openings(same, game), heard, judged))
    for at, one in enumerate(examined):
        for other in examined[:at]:
            confront(other, one)
    return Report(tuple(reports))


def own_openings(transcripts: Sequence[Transcript], game: bytes) -> dict[bytes, Opening]:
    """What the owners of some files of one game opened themselves, by commitment."""
    return {committed(game, opening): opening for transcript in transcripts for opening in transcript.own}


def examine(
    transcript: Transcript,
    report: FileReport,
    own: Mapping[bytes, Opening] | None = None,
    heard: Sequence[bytes] | None = None,
    judged: dict[bytes, Judged] | None = None,
) -> Examined:
    """Everything about one file, told to its report. `own` are openings by their owners and `heard` datagrams
    with heads, from all files of the game; without them, those of this file. `judged` has what is known by the
    last head of a chain, so that the same chain is not read twice."""
    head = transcript.head
    chain = Chain(head.game_id, head.rules, head.fp)
    examined = Examined(transcript, report, chain, Auditor(head.game_id, head.rules, head.fp), [chain.head])
    report.game, report.seat = head.game_id, head.seat
    if head.rules != RULES:
        changed = transcript.footer is not None and not transcript.whole
        code = "changed" if changed else "other_rules"
        examined.say(Finding(code, "damaged", {"rules": head.rules, "own": RULES}))
        return examined
    _link(examined)
    verdict = judged.get(chain.head) if judged is not None else None
    if verdict is None:
        _read(examined)
        verdict = _judge(examined)
    if judged is not None:
        judged[chain.head] = verdict
    audit = examined.audit = verdict.audit
    examined.entries = verdict.entries
    if examined.entries and isinstance(examined.entries[0], Open):
        report.header = examined.entries[0].header
    report.signed = _footer(examined)
    report.counts = verdict.counts
    if verdict.failed:
        # A fault of this program must not accuse anybody, and must not pass for a verified game.
        examined.say(Finding("failed", "damaged", {"error": verdict.failed}))
    fault = _first(verdict.fault, _told(examined))
    shown = None if fault is not None or verdict.failed else _shown(examined)
    if fault is not None:
        _accuse(examined, fault)
    elif shown is not None:
        _accuse(examined, shown)
    _hear(examined, transcript.heard if heard is None else heard)
    borne_out = any(one.kind == "proof" or one.code == "failed" for one in report.findings)
    if transcript.alarm is not None and not borne_out:
        _doubt(examined, transcript.alarm)
    _open_own(examined, own_openings([transcript], head.game_id) if own is None else own)
    _complete(examined)
    report.signatures, report.openings = audit.signatures, len(audit.opened)
    report.cosigned = dict(audit.cosigned)
    report.rounds = tuple(audit.rounds.values())
    report.head, report.tally = chain.head, tally(audit, chain.n)
    return examined


def _link(one: Examined) -> None:
    """Follow the chain as far as it goes."""
    head = one.transcript.head
    for at, body in enumerate(one.transcript.bodies, 1):
        try:
            delta = decode_delta(body)
            after = check_link(one.chain, head.host, delta)
            check_leaf(head.game_id, head.seat, delta)
        except (Malformed, Gap, Unsaid):
            one.broken = at
            break
        one.heads.append(one.chain.grow(after))
        one.deltas.append(delta)
    one.report.links = one.chain.n


def _read(one: Examined) -> None:
    """Read the entries as far as they say something."""
    for delta in one.deltas:
        try:
            entry = decode_entry(delta.public)
            decode_events(events_of(entry))
        except Malformed:
            one.unread = delta.n
            break
        one.entries.append(entry)


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
    opened = one.audit.header
    if fault is not None and opened is not None and not knows_edition(opened):
        fault = Mismatch("edition", 1)  # what contradicts here may be right there
    if fault is not None or one.audit.secret is None:
        return Judged(one.entries, one.audit, fault)
    try:
        counts = compare(one.audit, one.entries, [delta.leaves for delta in one.deltas])
    except Mismatch as contradiction:
        return Judged(one.entries, one.audit, contradiction)
    except Exception as error:
        return Judged(one.entries, one.audit, None, failed=type(error).__name__)
    return Judged(one.entries, one.audit, None, counts)


def _audit(one: Examined) -> Mismatch | None:
    """The first contradiction from entry to entry, if there is one."""
    for delta, entry in zip(one.deltas, one.entries, strict=False):
        try:
            one.audit.read(delta.n, one.heads[delta.n - 1], entry, decode_events(events_of(entry)))
        except Mismatch as fault:
            return fault
        except Malformed:
            return Mismatch("malformed", delta.n)
        if misplaced(entry, delta.leaves):
            return Mismatch("leaves", delta.n)
    return None if one.unread is None else Mismatch("malformed", one.unread)


def _told(one: Examined) -> Mismatch | None:
    """The first contradiction in what this file's seat alone was told. No other file of the same chain has it."""
    try:
        for delta, entry in zip(one.deltas, one.entries, strict=False):
            if delta.private is not None:
                _as_told(delta, entry)
    except Mismatch as fault:
        return fault
    return None


def _as_told(delta: Delta, entry: AnyEntry) -> list[Event]:
    """The events of an entry as the file's seat was told them. Raises Mismatch."""
    try:
        told = decode_private(delta.private) if delta.private is not None else []
        return merge(delta.n, decode_events(events_of(entry)), told)
    except Malformed:
        raise Mismatch("malformed", delta.n) from None


def _first(*faults: Mismatch | None) -> Mismatch | None:
    """The earliest contradiction, if there is one."""
    found = [fault for fault in faults if fault is not None]
    return min(found, key=lambda fault: fault.n) if found else None


def _shown(one: Examined) -> Mismatch | None:
    """Where the owner's program has left in alarm: the first entry after which its view cannot be one, or a
    snapshot that the host has signed and that is another view than follows from the entries."""
    transcript = one.transcript
    owned = one.header is not None and _owned(transcript, one.header)
    if not owned or (transcript.alarm is None and transcript.snapshot is None):
        return None
    snapshot = _snapshot(one)
    told = ((entry, _as_told(delta, entry)) for delta, entry in zip(one.deltas, one.entries, strict=False))
    try:
        for n, state in followed(told, transcript.head.seat):
            if snapshot is not None and n == snapshot.n:
                view = comparable(unpacked(snapshot.packed))
                if snapshot.head != one.heads[n] or view != comparable(state):
                    return Mismatch("snapshot", n)
    except Mismatch as fault:
        return fault
    except Malformed:  # a view of another version says nothing here
        return None
    except Exception as error:
        one.say(Finding("failed", "damaged", {"error": type(error).__name__}))
    return None


def _snapshot(one: Examined) -> SignedView | None:
    """The snapshot in a file, if the host has signed it for the file's seat."""
    head, packed = one.transcript.head, one.transcript.snapshot
    try:
        shown = decode_view(packed) if packed is not None else None
    except Malformed:
        return None
    return shown if shown is not None and view_signed(head.host, head.game_id, head.seat, shown) else None


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
    return (Evidence(shown.n, head.host, signed, shown.signature),)


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
        if ours and heard.head != one.heads[heard.n] and host_signed(heard.sealed, head.game_id, head.host):
            signed = frame("entry", *entry_fields(head.game_id, heard.n, heard.head))
            theirs = Evidence(heard.n, head.host, signed, heard.hostsig)
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
    for seat, round_ in sorted({(place.seat, place.round) for place in one.audit.pending.values()}):
        if one.audit.secret is not None:
            one.say(Finding("unopened", "incomplete", {"round": round_}, seat=seat))
    if any(finding.kind != "incomplete" for finding in one.report.findings):
        return
    if one.audit.secret is None:
        finished = one.audit.may_close
        code, details = ("held_back", {}) if finished else ("unfinished", {"n": one.chain.n})
        one.say(Finding(code, "incomplete", details))
    elif one.transcript.footer is None:
        one.say(Finding("unsigned", "incomplete"))


def confront(first: Examined, second: Examined) -> None:
    """Compare two files of one game, as far as both have a chain."""
    one, other = first.transcript.head, second.transcript.head
    if one.game_id != other.game_id:
        return
    if one.host != other.host:
        second.say(Finding("other_table", "damaged", {"other": str(first.report.path)}))
        return
    first.report.compared += 1
    second.report.compared += 1
    common = min(len(first.heads), len(second.heads))
    split = next((n for n in range(1, common) if first.heads[n] != second.heads[n]), None)
    if split is not None:
        evidence = (first.evidence(split, public=False), second.evidence(split, public=False))
        second.say(Finding("two_histories", "proof", {"n": split}, evidence=evidence))
