"""Everything about one file, told to its report: how far its chain goes, what contradicts in it, whose it is, what
it proves besides, and what is missing. What the host has not signed is damage."""

import contextlib
from collections.abc import Mapping

from citadels_lan import PROGRAM
from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.client_log import check_leaf, check_link
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import Delta, decode_delta
from citadels_lan.crypto.faults import Gap, Mismatch, Unsaid
from citadels_lan.crypto.frames import frame
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.log import Handover, Header, Open, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_view import view_fields
from citadels_lan.crypto.transcript import Alarmed, Transcript
from citadels_lan.engine.rules_digests import RULES

from .counts import tally, undrafted, unopened
from .drafts import draft_findings
from .examined import Examined, own_openings
from .judging import Judgements, check_books, judge, snapshot_in, told_otherwise
from .model import Evidence, FileReport, Finding


def examine(
    transcript: Transcript,
    report: FileReport,
    own: Mapping[bytes, Opening] | None = None,
    judged: Judgements | None = None,
) -> Examined:
    """Everything about one file, told to its report. `own` are openings by their owners from all files of
    the game; without them, those of this file. `judged` has what is known of chains that were read before."""
    head = transcript.head
    chain = Chain(head.game_id, head.rules, head.fp)
    audit = Auditor(head.game_id, head.rules, head.fp, head.host)
    hosts = Hosts(head.game_id, head.host, head.fp)
    examined = Examined(transcript, report, chain, audit, [chain.head], hosts)
    report.game, report.seat = head.game_id, head.seat
    _link(examined)
    if (other := other_rules(transcript)) is not None:
        report.signed = _footer(examined)
        examined.say(other)
        return examined
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
    _open_own(examined, own_openings(transcript) if own is None else own)
    for finding in draft_findings(examined):
        examined.say(finding)
    borne_out = any(one.kind == "proof" or one.code in ("failed", "forged") for one in report.findings)
    if transcript.alarm is not None and not borne_out:
        _doubt(examined, transcript.alarm)
    _complete(examined)
    report.signatures, report.openings = audit.signatures + chain.n, len(audit.concealed.opened)
    report.head, report.tally = chain.head, tally(audit, chain.n)
    return examined


def other_rules(transcript: Transcript) -> Finding | None:
    """That a game has other rules than this program, by the first entry, which its host has signed; None if it has
    the same, or if there is no such entry. This program cannot judge anything else in the file."""
    head = transcript.head
    try:
        delta = decode_delta(transcript.bodies[0])
        check_link(Chain(head.game_id, head.rules, head.fp), head.host, delta)
    except (IndexError, Malformed, Gap, Unsaid):
        return None
    try:
        entry = decode_entry(delta.public)
    except Malformed:
        entry = None
    if not isinstance(entry, Open):
        return None if head.rules in RULES.values() else Finding("unknown_rules", "other_rules")
    header = entry.header
    lied = header.rules != head.rules and head.rules in RULES.values()  # the chain began with these rules
    return None if lied or header.rules == RULES.get(header.edition) else _made_by(header)


def _made_by(header: Header) -> Finding:
    """That a game was played with other rules, and which version of the program has them."""
    own, rules = RULES.get(header.edition, b"").hex()[:8] or "-", header.rules.hex()[:8]
    details = {"program": header.program, "rules": rules, "own": PROGRAM, "own_rules": own}
    return Finding("other_rules", "other_rules", {"edition": header.config.named, **details})


def _link(one: Examined) -> None:
    """Follow the chain as far as it goes."""
    head = one.transcript.head
    for at, body in enumerate(one.transcript.bodies, 1):
        try:
            delta = decode_delta(body)
            after = check_link(one.chain, one.hosts.now.key, delta)
            check_leaf(head.game_id, head.seat, delta)
        except (Malformed, Gap, Unsaid):
            one.broken = at
            break
        one.heads.append(one.chain.grow(after))
        one.deltas.append(delta)
        _follow_host(one, delta)
    one.report.links, one.report.hosts = one.chain.n, tuple(one.hosts.all)


def _follow_host(one: Examined, delta: Delta) -> None:
    """After a *handover* another key signs, whether or not the entry is right."""
    with contextlib.suppress(Malformed):
        if isinstance(entry := decode_entry(delta.public), Handover):
            one.hosts.add(delta.n, entry)


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
    if fault.code == "edition" and one.header is not None:  # another version may know its options
        one.say(_made_by(one.header))
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
        if place.sealed is not None and commit in own and place.opened_by(game, commit, own[commit]):
            one.audit.concealed.opened[place.n, place.index] = own[commit]
            del pending[commit]
    if one.audit.drafts is not None and one.audit.secret is not None:
        links = (opening for opening in own.values() if one.audit.drafts.link_fits(opening))
        one.audit.drafts.links = {opening.seat: opening.nonce for opening in links} | one.audit.drafts.links


def _complete(one: Examined) -> None:
    """Say what is missing."""
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
