"""Everything about one file, told to its report: how far its chain goes, what contradicts in it, whose it is, what
it proves besides, and what is missing. What the host has not signed is damage."""

from collections.abc import Mapping, Sequence

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.client_log import check_leaf, check_link
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.draft.boxes import BoxContent
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.log import RULES, Header
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_head import decode, host_signed
from citadels_lan.crypto.signed_view import view_fields
from citadels_lan.crypto.transcript import Alarmed, Transcript

from .counts import tally, unopened
from .drafts import closed_drafts, draft_findings
from .examined import Examined, entry_evidence
from .gathering import own_openings, told_boxes
from .judging import Judgements, check_books, judge, snapshot_in, told_otherwise
from .model import Evidence, FileReport, Finding


def examine(
    transcript: Transcript,
    report: FileReport,
    own: Mapping[bytes, Opening] | None = None,
    heard: Sequence[bytes] | None = None,
    boxes: Mapping[bytes, BoxContent] | None = None,
    judged: Judgements | None = None,
) -> Examined:
    """Everything about one file, told to its report. `own` are openings by their owners, `heard` datagrams
    with heads and `boxes` contents of boxes, from all files of the game; without them, those of this file.
    `judged` has what is known of chains that were read before."""
    head = transcript.head
    chain = Chain(head.game_id, head.rules, head.fp)
    audit = Auditor(head.game_id, head.rules, head.fp, head.host)
    examined = Examined(transcript, report, chain, audit, [chain.head])
    report.game, report.seat = head.game_id, head.seat
    if head.rules != RULES:
        changed = transcript.footer is not None and not transcript.whole
        code = "changed" if changed else "other_rules"
        examined.say(Finding(code, "damaged", {"rules": head.rules, "own": RULES}))
        return examined
    _link(examined)
    verdict = judged.get(head.host, chain.head) if judged is not None else None
    if verdict is None:
        verdict = judge(examined)
        if judged is not None:
            judged.add(head.host, chain.head, chain.n, verdict)
    audit = examined.audit = verdict.audit
    report.header = verdict.header
    report.signed = _footer(examined)
    report.counts = verdict.counts
    if verdict.failed:
        # A fault of this program must not accuse anybody, and must not pass for a verified game.
        examined.say(Finding("failed", "damaged", {"error": verdict.failed}))
    fault = verdict.fault or told_otherwise(examined)
    if audit.secret is None and report.header is not None:
        fault = check_books(examined, fault)
    if fault is not None:
        _accuse(examined, fault)
    told = told_boxes(transcript) if boxes is None else boxes
    for finding in draft_findings(examined, told):
        examined.say(finding)
    _hear(examined, transcript.heard if heard is None else heard)
    borne_out = any(one.kind == "proof" or one.code in ("failed", "forged") for one in report.findings)
    if transcript.alarm is not None and not borne_out:
        _doubt(examined, transcript.alarm)
    _open_own(examined, own_openings(transcript) if own is None else own)
    _complete(examined)
    report.signatures, report.openings = audit.signatures + chain.n, len(audit.concealed.opened)
    report.cosigned = dict(audit.between.cosigned)
    report.rounds = tuple(audit.between.rounds.values())
    report.head, report.tally = chain.head, tally(audit, chain.n, told)
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


def _accuse(one: Examined, fault: Mismatch) -> None:
    """Say that the host is proven by a contradiction to have cheated, or that the file is not its word, or that
    another version has to look at it."""
    seat = fault.details.get("seat")
    seat = seat if isinstance(seat, int) else None
    details = {"n": fault.n, **{key: value for key, value in fault.details.items() if key != "seat"}}
    if fault.code == "host":  # who has signed these entries is not the host of this table
        one.say(Finding("forged", "damaged"))
        return
    if fault.code == "edition" and one.header is not None:  # another version may know it
        one.say(Finding("other_edition", "damaged", {"edition": one.header.config.named}))
        return
    evidence = (one.evidence(fault.n), *_evidence_of_view(one, fault))
    one.say(Finding("host_cheated", "proof", details, fault.code, seat, evidence))


def _evidence_of_view(one: Examined, fault: Mismatch) -> tuple[Evidence, ...]:
    """The host's signature of a snapshot, where that is what is wrong."""
    shown = snapshot_in(one) if fault.code == "snapshot" else None
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
            theirs = entry_evidence(head.game_id, head.host, heard.n, heard.head, heard.hostsig)
            evidence = (one.evidence(heard.n, public=False), theirs)
            one.say(Finding("two_histories", "proof", {"n": heard.n}, evidence=evidence))
            return


def _open_own(one: Examined, own: Mapping[bytes, Opening]) -> None:
    """Open what the log has not, but its owner has."""
    game, pending = one.transcript.head.game_id, one.audit.concealed.pending
    for commit, place in list(pending.items()):
        if place.sealed is not None and commit in own and place.opened_by(game, commit, own[commit]):
            one.audit.concealed.opened[place.n, place.index] = own[commit]
            del pending[commit]


def _complete(one: Examined) -> None:
    """Say what is missing."""
    if one.transcript.torn:
        one.say(Finding("torn", "incomplete"))
    for seat, rounds in unopened(one.audit).items() if one.audit.secret is not None else ():
        details: dict[str, int | str] = {"round": rounds[0], "rounds": len(rounds)}
        one.say(Finding("unopened", "incomplete", details, seat=seat))
    for seat in closed_drafts(one):
        one.say(Finding("draft_unopened", "incomplete", seat=seat))
    if any(finding.kind != "incomplete" for finding in one.report.findings):
        return
    if one.audit.secret is None:
        finished = one.audit.may_close
        code, details = ("held_back", {}) if finished else ("unfinished", {"n": one.chain.n})
        one.say(Finding(code, "incomplete", details))
    elif one.transcript.footer is None:
        one.say(Finding("unsigned", "incomplete"))
