"""Examining one file: how far its chain goes, what contradicts in it, whose it is, what else it proves, and
what is missing.

Contradictions are found from entry to entry, in the game played again, or, while that is not open, in the public
bookkeeping. The host has signed every entry, so the first contradiction is proof against it. What the host has not
signed is damage.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import PROGRAM
from citadels_lan.crypto import client_log, log
from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.codec import Malformed, frame, u8, u64
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.draft.drafting import judge as judge_draft
from citadels_lan.crypto.draft.secrets import NOBODY
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.replay import Counts, compare, knows_edition
from citadels_lan.crypto.transcript import Alarmed, Transcript
from citadels_lan.engine import Event, State
from citadels_lan.engine.rules_digests import RULES

from .model import Evidence, FileReport, Finding, tally, undrafted, unopened


class History(Struct):
    """The part of a file that others of its game are compared with: `heads[n]` is hash[n], `signatures[n - 1]` the
    host's of that, and `hosts` are those that signed."""

    report: FileReport
    hosts: Hosts
    heads: list[bytes]
    signatures: list[bytes]

    def evidence(self, n: int, public: bytes = b"") -> Evidence:
        """The host's signature of entry `n`."""
        signed = frame("entry", *log.entry_fields(self.report.game, n, self.heads[n]))
        return Evidence(n, self.hosts.at(n).key, signed, self.signatures[n - 1], public)

    def say(self, finding: Finding) -> None:
        """Add a finding. It names the accused host, if that is not the first one."""
        host = self.hosts.by_key(finding.accused_key or b"")
        if host is not None and host.seat is not None:
            finding = replace(finding, host=(host.seat, host.first))
        self.report.findings.append(finding)

    def goes_with(self, other: "History") -> bool:
        """Whether the shorter of two is the beginning of the longer: equal hashes have equal histories."""
        last = min(len(self.heads), len(other.heads)) - 1
        return self.heads[last] == other.heads[last]


class Examined(History):
    """A file under examination. `deltas` are those that form a chain, each signed by the host; `chain` is after
    the last. `broken` is the entry at which the chain ends before the file does."""

    transcript: Transcript
    chain: log.Chain
    audit: Auditor
    deltas: list[log.Delta] = []
    broken: int | None = None

    @property
    def entries(self) -> list[log.AnyEntry]:
        """The decoded entries. Malformed if one of them cannot be decoded."""
        return [log.decode_entry(delta.public) for delta in self.deltas]

    @property
    def header(self) -> log.Header | None:
        """The header in the first entry; None without one that its host has signed."""
        return self.report.header


def own_openings(transcript: Transcript) -> dict[bytes, Opening]:
    """The openings by the owner of a file, by commitment."""
    game = transcript.head.game_id
    return {committed(game, opening): opening for opening in transcript.own}


class Judged(Struct, frozen=True):
    """The result for a whole chain, the same for each viewer: the header in its first entry, the first
    contradiction, if there is one, what a replay has compared, and the error with which this program failed to
    replay it."""

    header: log.Header | None
    audit: Auditor
    fault: log.Mismatch | None
    counts: Counts = Counts()
    failed: str = ""


Judgements: TypeAlias = dict[tuple[bytes, bytes], Judged]
"""The results for chains by the host that has signed them and their last head, so that no chain is read twice."""
MAX_JUDGED: Final = 8
"""So many results are kept."""


def judge(one: Examined) -> Judged:
    """Read the whole chain, and play the game again if it is closed."""
    header, fault = _header(one), None
    try:
        for delta in one.deltas:
            client_log.audit_entry(one.audit, one.heads[delta.n - 1], delta)
        if one.audit.secret is not None:
            counts = compare(one.audit, one.entries, [delta.leaves for delta in one.deltas])
            return Judged(header, one.audit, None, counts)
    except log.Mismatch as contradiction:
        fault = contradiction
    except Exception as error:
        return Judged(header, one.audit, None, failed=type(error).__name__)
    opened = one.audit.header
    if opened is not None and not knows_edition(opened):
        fault = log.Mismatch("edition", 1)  # what contradicts here may be right there
    return Judged(header, one.audit, fault)


def _header(one: Examined) -> log.Header | None:
    """Return the header in the first entry, also if it contradicts something. None if it names another host than
    the one that signed the entry: that host would be accused of an entry that it did not sign."""
    try:
        entry = log.decode_entry(one.deltas[0].public)
    except (IndexError, Malformed):
        return None
    if not isinstance(entry, log.Open) or entry.header.hostkey != one.transcript.head.host:
        return None
    return entry.header


def check_received(one: Examined, fault: log.Mismatch | None) -> log.Mismatch | None:
    """Return the first contradiction in what the viewer of a file received: in its private events, and in a game
    that is not open, and so cannot be replayed, in the public bookkeeping and in the snapshot of this viewer.
    `fault` is a contradiction that was found before."""
    seat, header, snapshot = one.transcript.head.seat, one.header, snapshot_in(one)
    try:
        books = None
        if header is not None and one.audit.secret is None:
            books = Bookkeeping(header, seat if seat is not None and seat < len(header.players) else None)
        for delta in one.deltas[: fault.n - 1 if fault is not None else None]:
            # A replay has checked everything that is public.
            if books is None and delta.private is None:
                continue
            entry, events = _as_seen(delta, seat)
            if books is not None:
                books.follow(delta.n, entry, events)
                if snapshot is not None and snapshot.n == delta.n and not _shows(snapshot, one, books.state):
                    return log.Mismatch("snapshot", delta.n)
    except log.Mismatch as contradiction:
        return contradiction
    except Exception as error:
        # A fault of this program: it accuses nobody, and what was found without it stays.
        if fault is None:
            one.say(Finding("failed", "damaged", {"error": type(error).__name__}))
    return fault


def _shows(snapshot: client_log.SignedView, one: Examined, state: State) -> bool:
    """Whether a snapshot has the hash of its entry, and shows the view after it. A view of another version says
    nothing here."""
    if snapshot.head != one.heads[snapshot.n]:
        return False
    try:
        return client_log.comparable(client_log.unpacked_view(snapshot.packed)) == client_log.comparable(state)
    except Malformed:
        return True


def _as_seen(delta: log.Delta, seat: int | None) -> tuple[log.AnyEntry, list[Event]]:
    """An entry, and its events as the file's viewer sees them. Raises Mismatch."""
    try:
        entry = log.decode_entry(delta.public)
        public = client_log.decode_events(log.events_of(entry))
    except Malformed:
        raise log.Mismatch("malformed", delta.n) from None
    return entry, client_log.private_events(delta, public, seat)


def snapshot_in(one: Examined) -> client_log.SignedView | None:
    """The snapshot in a file, if the host has signed it for the file's seat."""
    head, packed = one.transcript.head, one.transcript.snapshot
    try:
        shown = client_log.decode_view(packed) if packed is not None else None
    except Malformed:
        return None
    if shown is None or not client_log.view_signed(one.hosts.at(shown.n + 1).key, head.game_id, head.seat, shown):
        return None
    return shown


def examine(
    transcript: Transcript,
    report: FileReport,
    own: Mapping[bytes, Opening] | None = None,
    judged: Judgements | None = None,
) -> Examined:
    """Examine a file and add everything to its report. `own` are openings by their owners from all files of
    the game; without them, those of this file. `judged` has the results for chains that were read before."""
    head = transcript.head
    chain = log.Chain(head.game_id, head.rules, head.fp)
    audit = Auditor(head.game_id, head.rules, head.fp, head.host)
    hosts = Hosts(head.game_id, head.host, head.fp)
    examined = Examined(report, hosts, [chain.head], [], transcript, chain, audit)
    report.game, report.seat = head.game_id, head.seat
    _link(examined)
    # With other rules any contradiction may be correct, so nothing else is judged.
    if (other := other_rules(transcript)) is not None:
        report.signed = _footer(examined)
        examined.say(other)
        return examined
    if (fault := _judged(examined, {} if judged is None else judged)) is not None:
        _accuse(examined, fault)
    _open_own(examined, own_openings(transcript) if own is None else own)
    for finding in _draft_findings(examined):
        examined.say(finding)
    borne_out = any(one.kind == "proof" or one.code in ("failed", "forged") for one in report.findings)
    if transcript.alarm is not None and not borne_out:
        _doubt(examined, transcript.alarm)
    _complete(examined)
    audit = examined.audit
    report.signatures, report.openings = audit.signatures + chain.n, len(audit.concealed.opened)
    report.head, report.tally = chain.head, tally(audit)
    return examined


def _judged(one: Examined, judged: Judgements) -> log.Mismatch | None:
    """Judge the chain of a file, unless that is done already; return the first contradiction in the file."""
    host, chain, report = one.transcript.head.host, one.chain, one.report
    verdict = judged.get((host, chain.head))
    if verdict is None:
        verdict = judged[host, chain.head] = judge(one)
        if len(judged) > MAX_JUDGED:
            del judged[next(iter(judged))]
    one.audit, report.header, report.counts = verdict.audit, verdict.header, verdict.counts
    report.signed = _footer(one)
    if verdict.failed:
        # A fault of this program must not accuse anyone, and must not pass for a verified game.
        one.say(Finding("failed", "damaged", {"error": verdict.failed}))
    return check_received(one, verdict.fault)


def other_rules(transcript: Transcript) -> Finding | None:
    """That a game has other rules than this program, by the first entry, which its host has signed; None if it has
    the same, or if there is no such entry. This program cannot judge anything else in the file."""
    head = transcript.head
    try:
        delta = log.decode_delta(transcript.bodies[0])
        client_log.check_link(log.Chain(head.game_id, head.rules, head.fp), head.host, delta)
    except (IndexError, Malformed, log.Gap, log.Unsaid):
        return None
    try:
        entry = log.decode_entry(delta.public)
    except Malformed:
        entry = None
    if not isinstance(entry, log.Open):
        return None if head.rules in RULES.values() else Finding("unknown_rules", "other_rules")
    header = entry.header
    lied = header.rules != head.rules and head.rules in RULES.values()  # the chain began with these rules
    return None if lied or header.rules == RULES.get(header.edition) else _made_by(header)


def _made_by(header: log.Header) -> Finding:
    """That a game was played with other rules, and by which version of the program."""
    own, rules = RULES.get(header.edition, b"").hex()[:8] or "-", header.rules.hex()[:8]
    details = {"program": header.program, "rules": rules, "own": PROGRAM, "own_rules": own}
    return Finding("other_rules", "other_rules", {"edition": header.config.named, **details})


def _link(one: Examined) -> None:
    """Follow the chain as far as it goes."""
    head = one.transcript.head
    for at, body in enumerate(one.transcript.bodies, 1):
        try:
            delta = log.decode_delta(body)
            after = client_log.check_link(one.chain, one.hosts.now.key, delta)
            client_log.check_leaf(head.game_id, head.seat, delta)
        except (Malformed, log.Gap, log.Unsaid):
            one.broken = at
            break
        one.heads.append(one.chain.grow(after))
        one.deltas.append(delta)
        one.signatures.append(delta.signature)
        with contextlib.suppress(Malformed):
            if isinstance(entry := log.decode_entry(delta.public), log.Handover):
                one.hosts.add(delta.n, entry)  # another key signs from here on, whether or not the entry is right
    one.report.links, one.report.hosts = one.chain.n, tuple(one.hosts.all)


def _footer(one: Examined) -> bool:
    """Check the footer and the owner of a file; return whether its owner signed all entries."""
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


def _owned(transcript: Transcript, header: log.Header) -> bool:
    seat = transcript.head.seat
    if seat is None:
        return True
    return seat < len(header.players) and header.players[seat].key == transcript.head.key


def _accuse(one: Examined, fault: log.Mismatch) -> None:
    """Say that the host is proven by a contradiction to have cheated, or that the file is not its word, or that
    another version has to look at it."""
    seat = fault.details.get("seat")
    seat = seat if isinstance(seat, int) else None
    details = {"n": fault.n, **{key: value for key, value in fault.details.items() if key != "seat"}}
    if fault.code == "host":  # who has signed these entries is not the host of this table
        one.say(Finding("forged", "damaged"))
        return
    if fault.code == "edition" and one.header is not None:  # another version may know its options
        one.say(_made_by(one.header))
        return
    evidence = (one.evidence(fault.n, one.deltas[fault.n - 1].public), *_evidence_of_view(one, fault))
    one.say(Finding("host_cheated", "proof", details, fault.code, seat, evidence))


def _evidence_of_view(one: Examined, fault: log.Mismatch) -> tuple[Evidence, ...]:
    """The host's signature of a snapshot, where that is what is wrong."""
    shown = snapshot_in(one) if fault.code == "snapshot" else None
    if shown is None:
        return ()
    head = one.transcript.head
    signed = frame("snapshot", *client_log.view_fields(head.game_id, shown.n, shown.head, head.seat, shown.packed))
    return (Evidence(shown.n, one.hosts.at(shown.n + 1).key, signed, shown.signature),)


def _doubt(one: Examined, alarm: Alarmed) -> None:
    """Say that the entry that raised an alarm does not confirm it. That accuses no one: the program that raised it
    may have had a fault or other rules, or it received another entry, which only another file has."""
    details: dict[str, int | str] = {"n": alarm.n, "reason": alarm.code}
    code = "told_otherwise" if alarm.code == "two_histories" else "false_alarm"
    one.say(Finding(code, "incomplete", details, seat=one.transcript.head.seat))


def _open_own(one: Examined, own: Mapping[bytes, Opening]) -> None:
    """Open what the log has not, but its owner has."""
    game, pending = one.transcript.head.game_id, one.audit.concealed.pending
    for commit, place in list(pending.items()):
        # The host had the openings of hidden moves. Only sealed ones can be with their owners.
        if place.sealed is not None and commit in own and place.opened_by(game, commit, own[commit]):
            one.audit.concealed.opened[place.n, place.index] = own[commit]
            del pending[commit]
    if one.audit.drafts is not None and one.audit.secret is not None:
        links = (opening for opening in own.values() if one.audit.drafts.link_fits(opening))
        one.audit.drafts.links = {opening.seat: opening.nonce for opening in links} | one.audit.drafts.links


def _complete(one: Examined) -> None:
    """Add a finding for each missing part."""
    if one.transcript.torn:
        one.say(Finding("torn", "incomplete"))
    for seat, rounds in unopened(one.audit).items() if one.audit.secret is not None else ():
        details: dict[str, int | str] = {"round": rounds[0], "rounds": len(rounds)}
        one.say(Finding("unopened", "incomplete", details, seat=seat))
    if one.audit.agreed is not None:
        players = enumerate(one.audit.table.players)
        others = [player.name for seat, player in players if seat not in one.audit.agreed]
        one.say(Finding("agreed", "incomplete", {"names": ", ".join(others) or "-"}))
    for seat in undrafted(one.audit):
        one.say(Finding("draft_unopened", "incomplete", seat=seat))
    if any(finding.kind != "incomplete" for finding in one.report.findings):
        return
    if one.audit.secret is None:
        finished = one.audit.may_close
        code, details = ("held_back", {}) if finished else ("unfinished", {"n": one.chain.n})
        one.say(Finding(code, "incomplete", details))
    elif one.transcript.footer is None:
        one.say(Finding("unsigned", "incomplete"))


def _draft_findings(one: Examined) -> Iterator[Finding]:
    """Return the first lie of each seat in each round, with what it has signed."""
    drafts = one.audit.drafts
    for record in drafts.rounds if drafts is not None else ():
        found = judge_draft(record, drafts.secrets(record)) if drafts is not None else []
        number, first = record.table.number, {lie.seat: lie for lie in reversed(found)}
        for seat, lie in sorted(first.items()):
            if seat == NOBODY:
                yield Finding("draft_unclear", "incomplete", {"round": number})
            else:
                details: dict[str, int | str] = {"n": lie.n, "round": number}
                evidence = _evidence_of_lie(one, lie.n, seat)
                yield Finding("player_cheated", "proof", details, f"draft_{lie.code}", seat, evidence)


def _evidence_of_lie(one: Examined, n: int, seat: int) -> tuple[Evidence, ...]:
    """Return what a seat has signed in an entry."""
    entry, header = log.decode_entry(one.deltas[n - 1].public), one.audit.table
    items = [item for item in entry.items if item.seat == seat] if isinstance(entry, log.Said) else []
    fields = (header.game_id, u64(n), one.heads[n - 1], u8(seat))
    key = header.players[seat].key
    return tuple(Evidence(n, key, frame("said", *fields, item.message), item.sig) for item in items)
