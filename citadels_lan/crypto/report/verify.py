"""Verify games from their transcripts, offline, and name cheaters with the proof.

The host has signed every entry, so the first contradiction in the chain is proof against the host.
Contradictions are found from entry to entry, and by playing a closed game again; for a game that was not
closed, in the public bookkeeping. A player is accused only of lies in a sealed draft, which the player has
signed (docs/protocol.md, section 13). Bytes that the host has not signed are damage.

The files are read twice. The first pass finds copies, and collects what one file contributes to others of its
game. The second pass takes one file at a time, so that memory never holds two large ones."""

import contextlib
import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os.path import realpath
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import PROGRAM
from citadels_lan.crypto import client_log, log
from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.codec import Malformed, frame, typed, u8, u64, unpack
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.draft.knowledge import judge as judge_draft
from citadels_lan.crypto.draft.secrets import NOBODY
from citadels_lan.crypto.replay import Counts, compare, knows_edition
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.crypto.transcript import STDIN, Damaged, Transcript, content, parse
from citadels_lan.engine import Event, State
from citadels_lan.engine.rules_digests import RULES

from .model import Evidence, FileReport, Finding, Report, undrafted, unopened, unread


class History(Struct):
    """The part of a file that is compared with other files of its game. `heads[n]` is hash[n], `signatures[n
    - 1]` is the host's signature of hash[n], and `hosts` are the hosts that signed. `report` is the report on
    the file."""

    report: FileReport
    hosts: Hosts
    heads: list[bytes]
    signatures: list[bytes]

    def evidence(self, n: int, public: bytes = b"") -> Evidence:
        """Return the host's signature of entry `n` as evidence. `public` are the public bytes of the entry,
        if the contradiction is in them."""
        signed = frame("entry", self.report.game, u64(n), self.heads[n])
        return Evidence(n, self.hosts.at(n).key, signed, self.signatures[n - 1], public)

    def say(self, finding: Finding) -> None:
        """Add a finding to the report on this file. If it accuses a host that took the game over, add which
        one."""
        host = self.hosts.by_key(finding.accused_key or b"")
        if host is not None and host.seat is not None:
            finding = replace(finding, host=(host.seat, host.first))
        self.report.findings.append(finding)

    def goes_with(self, other: "History") -> bool:
        """Return whether one of two histories is a beginning of the other. Comparing one hash is enough,
        because equal hashes mean equal histories."""
        last = min(len(self.heads), len(other.heads)) - 1
        return self.heads[last] == other.heads[last]


class Examined(History):
    """A transcript during its examination. `deltas` are the valid entries: they form a chain, and the host
    signed each. `chain` ends with the last of them. `broken` is the number of the first entry that is not
    valid, or None."""

    transcript: Transcript
    chain: log.Chain
    audit: Auditor
    deltas: list[log.Delta] = []
    broken: int | None = None

    @property
    def entries(self) -> list[log.AnyEntry]:
        """The decoded `deltas`. Raises Malformed if one of them cannot be decoded."""
        return [log.decode_entry(delta.public) for delta in self.deltas]

    @property
    def header(self) -> log.Header | None:
        """The header in the first entry; None if there is none that the host has signed."""
        return self.report.header


def own_openings(transcript: Transcript) -> dict[bytes, Opening]:
    """Return the openings of its own moves that the owner has stored in a transcript, by commitment."""
    game = transcript.head.game_id
    return {committed(game, opening): opening for opening in transcript.own}


class Judged(Struct, frozen=True):
    """The result of checking a whole chain, which is the same for all files with this chain. `header` is the
    one in the first entry, `fault` the first contradiction (or None), and `counts` what a replay has
    compared. `failed` is the type of the error if this program failed, otherwise ""."""

    header: log.Header | None
    audit: Auditor
    fault: log.Mismatch | None
    counts: Counts = Counts()
    failed: str = ""


Judgements: TypeAlias = dict[tuple[bytes, bytes], Judged]
"""The results for whole chains, by the first host's key and the hash of the last entry, so that no chain is
checked twice."""
MAX_JUDGED: Final = 8
"""Most results in `Judgements`; the oldest ones are dropped."""


def judge(one: Examined) -> Judged:
    """Check the whole chain of a file, and replay the game if it is closed. Does not raise: a contradiction
    is in `fault`, and a failure of this program in `failed`."""
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
        fault = log.Mismatch("edition", 1)  # an unknown edition may allow this
    return Judged(header, one.audit, fault)


def _header(one: Examined) -> log.Header | None:
    """Return the header in the first entry, even if the header contradicts the file in another way. None:
    there is no header, or it names another host than the one that signed the entry."""
    try:
        entry = log.decode_entry(one.deltas[0].public)
    except (IndexError, Malformed):
        return None
    if not isinstance(entry, log.Open) or entry.header.hostkey != one.transcript.head.host:
        return None
    return entry.header


def check_received(one: Examined, fault: log.Mismatch | None) -> log.Mismatch | None:
    """Return the first contradiction in what only the owner of the file received, or `fault`, a contradiction
    already found in the chain, if none comes before it. Checks the private events. If the game was not
    closed, also checks the public bookkeeping and the snapshot."""
    seat, header, snapshot = one.transcript.head.seat, one.header, snapshot_in(one)
    try:
        books = None
        if header is not None and one.audit.secret is None:
            books = Bookkeeping(header, seat if seat is not None and seat < len(header.players) else None)
        # Only the entries before the contradiction are read; later ones can follow from it.
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
        # A fault of this program accuses no one, and findings from before it stay.
        if fault is None:
            one.say(Finding("failed", "damaged", {"error": type(error).__name__}))
    return fault


def _shows(snapshot: client_log.SignedView, one: Examined, state: State) -> bool:
    """Return whether `snapshot` has the hash of its entry, and its view is equal to `state`. A view that
    another version of the program has made counts as equal."""
    if snapshot.head != one.heads[snapshot.n]:
        return False
    try:
        return client_log.comparable(client_log.unpacked_view(snapshot.packed)) == client_log.comparable(state)
    except Malformed:
        return True


def _as_seen(delta: log.Delta, seat: int | None) -> tuple[log.AnyEntry, list[Event]]:
    """Return the decoded entry in `delta`, and its events as `seat` sees them. Raises Mismatch."""
    try:
        entry = log.decode_entry(delta.public)
        public = client_log.decode_events(log.events_of(entry))
    except Malformed:
        raise log.Mismatch("malformed", delta.n) from None
    return entry, client_log.private_events(delta, public, seat)


def snapshot_in(one: Examined) -> client_log.SignedView | None:
    """Return the snapshot in a file. None: there is none, or the host has not signed it for this seat."""
    head, packed = one.transcript.head, one.transcript.snapshot
    try:
        shown = typed(unpack(packed), client_log.SignedView) if packed is not None else None
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
    """Examine a transcript, and write the findings into `report`. `own` are stored openings from all files of
    the game, by commitment (None: use those in this file). `judged` has the results for chains that were
    checked before."""
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
    if (alarm := transcript.alarm) is not None and not borne_out:
        # The entry which raised the alarm is correct. This accuses no one: the owner's program may have had a
        # defect or other rules, or it received another entry, which is only in another file.
        code = "told_otherwise" if alarm.code == "two_histories" else "false_alarm"
        examined.say(Finding(code, "incomplete", {"n": alarm.n, "reason": alarm.code}, seat=head.seat))
    _complete(examined)
    report.head, report.audit = chain.head, examined.audit
    report.signatures = examined.audit.signatures + chain.n
    return examined


def _judged(one: Examined, judged: Judgements) -> log.Mismatch | None:
    """Return the first contradiction in a file, or None. Takes the result for its chain from `judged`, or
    checks the chain and stores the result."""
    host, chain, report = one.transcript.head.host, one.chain, one.report
    # Files of several players share the public chain, and reading it takes most of the time.
    verdict = judged.get((host, chain.head))
    if verdict is None:
        verdict = judged[host, chain.head] = judge(one)
        # The oldest result goes, so that many files cannot fill the memory.
        if len(judged) > MAX_JUDGED:
            del judged[next(iter(judged))]
    one.audit, report.header, report.counts = verdict.audit, verdict.header, verdict.counts
    report.signed = _footer(one)
    if verdict.failed:
        # A fault of this program must not accuse anyone, and must not pass for a verified game.
        one.say(Finding("failed", "damaged", {"error": verdict.failed}))
    return check_received(one, verdict.fault)


def other_rules(transcript: Transcript) -> Finding | None:
    """Return the finding that the game has other rules than this program, according to the first entry that
    the host signed. None if the rules are the same, or the first entry does not tell. In a file with other
    rules nothing else can be checked."""
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
    lied = header.rules != head.rules and head.rules in RULES.values()  # the header has these rules
    return None if lied or header.rules == RULES.get(header.edition) else _made_by(header)


def _made_by(header: log.Header) -> Finding:
    """Return the finding that a game has other rules, with the version of the program that made it."""
    own, rules = RULES.get(header.edition, b"").hex()[:8] or "-", header.rules.hex()[:8]
    details = {"program": header.program, "rules": rules, "own": PROGRAM, "own_rules": own}
    return Finding("other_rules", "other_rules", {"edition": header.config.named, **details})


def _link(one: Examined) -> None:
    """Add the entries of the file to its chain, up to the last valid one."""
    head = one.transcript.head
    for at, body in enumerate(one.transcript.bodies, 1):
        try:
            delta = log.decode_delta(body)
            after = client_log.check_link(one.chain, one.hosts.now.key, delta)
            # A private part that does not fit its leaf was changed after the host had signed.
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
    """Check the footer of a file, and that its key is that of the owner's seat. Return whether the owner has
    signed all entries."""
    transcript, header, seat = one.transcript, one.header, one.transcript.head.seat
    keys = [player.key for player in header.players] if header is not None else []
    if transcript.footer is not None and not transcript.whole:
        if one.broken is None:
            one.say(Finding("changed", "damaged"))
        else:
            one.say(Finding("changed_at", "damaged", {"n": one.broken}))
    elif one.broken is not None:
        one.say(Finding("link", "damaged", {"n": one.broken}))
    elif transcript.footer is not None and not transcript.signed(one.chain):
        one.say(Finding("signature", "damaged"))
    # Anyone can sign a footer, so its key must be that of the seat.
    elif header is not None and seat is not None and keys[seat : seat + 1] != [transcript.head.key]:
        one.say(Finding("owner", "damaged"))
    else:
        return transcript.footer is not None
    return False


def _accuse(one: Examined, fault: log.Mismatch) -> None:
    """Add the finding for the contradiction `fault`. Its kind is: proof, if the host signed the
    contradiction; damage, if the host did not; other rules, if this program does not know the edition."""
    seat = fault.details.get("seat")
    seat = seat if isinstance(seat, int) else None
    details = {"n": fault.n, **{key: value for key, value in fault.details.items() if key != "seat"}}
    if fault.code == "host":  # these entries are signed by another key than that of this table's host
        one.say(Finding("forged", "damaged"))
        return
    if fault.code == "edition" and one.header is not None:  # another version may know the options
        one.say(_made_by(one.header))
        return
    evidence = (one.evidence(fault.n, one.deltas[fault.n - 1].public), *_evidence_of_view(one, fault))
    one.say(Finding("host_cheated", "proof", details, fault.code, seat, evidence))


def _evidence_of_view(one: Examined, fault: log.Mismatch) -> tuple[Evidence, ...]:
    """Return the host's signature of a false snapshot as evidence; () if `fault` is not about a snapshot."""
    shown = snapshot_in(one) if fault.code == "snapshot" else None
    if shown is None:
        return ()
    head = one.transcript.head
    signed = frame("snapshot", *client_log.view_fields(head.game_id, shown.n, shown.head, head.seat, shown.packed))
    return (Evidence(shown.n, one.hosts.at(shown.n + 1).key, signed, shown.signature),)


def _open_own(one: Examined, own: Mapping[bytes, Opening]) -> None:
    """Open the commitments of sealed moves that the log leaves unopened with the openings in `own`. Take the
    secrets of sealed drafts from there, too."""
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
    """Add a finding for each part that is missing in a file: its end, its footer, openings, or the result of
    the game."""
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
    """Yield a finding for the first lie of each seat in each sealed draft, with the signed message as
    evidence."""
    drafts = one.audit.drafts
    for record in drafts.rounds if drafts is not None else ():
        found = judge_draft(record, drafts.secrets(record)) if drafts is not None else []
        # Reversed, so that the first lie of each seat replaces later ones.
        number, first = record.table.number, {lie.seat: lie for lie in reversed(found)}
        for seat, lie in sorted(first.items()):
            if seat == NOBODY:
                yield Finding("draft_unclear", "incomplete", {"round": number})
            else:
                entry, header, n = log.decode_entry(one.deltas[lie.n - 1].public), one.audit.table, lie.n
                items = [item for item in entry.items if item.seat == seat] if isinstance(entry, log.Said) else []
                fields, key = (header.game_id, u64(n), one.heads[n - 1], u8(seat)), header.players[seat].key
                signed = (Evidence(n, key, frame("said", *fields, item.message), item.sig) for item in items)
                details = {"n": n, "round": number}
                yield Finding("player_cheated", "proof", details, f"draft_{lie.code}", seat, tuple(signed))


MAX_OWN: Final = log.MAX_ENTRIES
"""Most stored openings, from all files together, that are kept."""


class SourceFile(Struct):
    """A transcript that could be read, and its report. `kept` is the transcript if it cannot be read again
    (standard input); otherwise None."""

    report: FileReport
    game: bytes
    kept: Transcript | None


Openings: TypeAlias = dict[bytes, Opening]


class Sources:
    """The first pass over all files. `reports` has a report for each path, and `files` each readable file
    once. `own` are the openings that owners have stored in their files: by game, then by commitment."""

    def __init__(self) -> None:
        self.reports: list[FileReport] = []
        self.files: list[SourceFile] = []
        self.own: defaultdict[bytes, Openings] = defaultdict(dict)
        self._paths: dict[object, Path] = {}
        self._own_room = MAX_OWN

    def add(self, path: Path) -> None:
        """Read the file `path`. If that fails, add the finding to its report."""
        report = FileReport(path)
        self.reports.append(report)
        # The same path is not read twice.
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
        # Many files with many openings must not fill the memory.
        self._own_room -= len(own)
        self.files.append(SourceFile(report, game, transcript if path is STDIN else None))

    def _same(self, report: FileReport, key: object) -> bool:
        """Return whether an earlier file has the same `key` (a real path, or a hash of the contents). If so,
        store that file's path in `report`."""
        report.same_as = self._paths.get(key)
        self._paths.setdefault(key, report.path)
        return report.same_as is not None


MAX_HISTORIES: Final = 64
"""Most different histories of one game that are kept for comparison. A few are enough as proof."""


def compare_files(histories: list[History], one: History) -> None:
    """Compare a file with the kept `histories` of its game, and add the findings. Keep the file's history if
    it is different or longer."""
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
    """Compare two histories of one game as far as both go. Return the finding if they differ, otherwise
    None."""
    if first.hosts.all[0] != second.hosts.all[0]:
        return Finding("other_table", "damaged", {"other": str(first.report.path)})
    if first.goes_with(second):
        return None
    common = range(min(len(first.heads), len(second.heads)))
    # Each hash covers everything before it, so once histories differ they differ to the end.
    split = bisect_left(common, True, key=lambda n: first.heads[n] != second.heads[n])
    evidence = (first.evidence(split), second.evidence(split))
    return Finding("two_histories", "proof", {"n": split}, evidence=evidence)


def verify(paths: Iterable[Path]) -> Report:
    """Check transcripts: each on its own, then those of each game against each other. No content of a file
    makes this function raise."""
    sources = Sources()
    for path in paths:
        sources.add(path)
    histories: defaultdict[bytes, list[History]] = defaultdict(list)
    judged: defaultdict[bytes, Judgements] = defaultdict(dict)
    for source in sources.files:
        if (history := _history(source, sources.own[source.game], judged[source.game])) is not None:
            compare_files(histories[source.game], history)
    return Report(tuple(_whole(sources.reports)))


def _history(source: SourceFile, own: Openings, judged: Judgements) -> History | None:
    """Examine a file, and return only what is needed to compare it with others. None: the file has no valid
    entry, or the host that the header names has not signed them."""
    report = source.report
    try:
        transcript = source.kept or parse(content(report.path))
    except (Damaged, OSError) as error:  # the file has changed since the first pass
        report.findings.append(unread(report.path, error))
        return None
    finally:
        # The memory is free before the next file is read.
        source.kept = None
    one = examine(transcript, report, own | own_openings(transcript), judged)
    # The host of the header has not signed these entries, so they prove nothing against it.
    if not one.deltas or any(one.code == "forged" or one.kind == "other_rules" for one in report.findings):
        return None
    return History(report, one.hosts, one.heads, one.signatures)


def _whole(reports: Sequence[FileReport]) -> Iterator[FileReport]:
    """Yield the final reports: each with the number of other files of its game; a copy with the findings of
    the file that it equals."""
    by_path = {report.path: report for report in reports if report.same_as is None}
    found = [
        report
        if report.same_as is None
        else replace(by_path[report.same_as], path=report.path, same_as=report.same_as)
        for report in reports
    ]
    # Files count as one game only if the same host has signed them.
    tables = Counter((report.game, report.header.hostkey) for report in found if report.header is not None)
    for report in found:
        if report.header is not None:
            report.compared = tables[report.game, report.header.hostkey] - 1
    yield from found
