"""A report for programs: the contents of `report_text` as plain data. The keys are documented in docs/report.md;
new ones may be added, and none changes its meaning."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.seats import Absence, CoSignedRound
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name

from . import model
from .findings import Translate, english
from .report_text import verdict

VERDICTS: Final = {0: "verified", 1: "cheating", 3: "damaged", 4: "incomplete", 5: "other_rules"}
Figures = dict[str, Any]


About: TypeAlias = Callable[[Seated], Figures | None]
"""The reader's knowledge of a player; None for none."""


def unknown(_: Seated) -> None:
    """The reader knows no player."""


def figures(report: model.Report, say: Translate = english, about: About = unknown) -> Figures:
    """The report as one object; `say` translates sentences in it, `about` gives the reader's knowledge of a
    player."""
    games = report.games
    return {
        "verdict": VERDICTS[report.code],
        "exit": report.code,
        "text": verdict(report, say),
        "games": [_game(game, about) for game in games],
        "files": [_file(file, say) for file in report.files],
    }


def _game(game: model.GameReport, about: About) -> Figures:
    best = game.best
    header, tally, counts = best.header, best.tally, best.counts
    assert header is not None
    last = tally.cosigned[-1] if tally.cosigned else None
    return {
        "game": best.game.hex(),
        "verdict": VERDICTS[game.code],
        "exit": game.code,
        "program": header.program,
        "rules": header.rules.hex(),
        "edition": header.edition,
        "cast": list(header.cast),
        "options": dict(header.options),
        "uniques": list(header.districts),
        "host_key": header.hostkey.hex(),
        "handovers": [
            {"entry": host.first - 1, "seat": host.seat, "key": host.key.hex()} for host in best.hosts[1:]
        ],
        "certificate": header.fp.hex(),
        "files": [str(file.path) for file in game.files],
        "distinct_files": game.distinct,
        "one_history": game.agree,
        "over": tally.over,
        "closed": tally.closed,
        "rounds": tally.round,
        "players": [_player(header, tally, seat, about) for seat in range(len(header.players))],
        "checked": {
            "entries": best.links,
            "signatures": best.signatures,
            "host_signatures": tally.host,
            "move_signatures": sum(tally.moves.values()),
            "cosignatures": sum(len(one.seats) for one in tally.cosigned),
            "openings": best.openings,
            "outcomes": counts.outcomes,
            "events": counts.events,
            "private_parts": counts.leaves,
        },
        "endorsed_by": _endorser(header),
        "called_off": [
            {"hash": one.head.hex(), "missing": [seat_name(seat) for seat in one.missing]}
            for one in header.called_off
        ],
        "absences": [_absence(absence) for absence in tally.absences],
        "drafts": _drafts(game),
        "cosigned": [_cosigned(one) for one in tally.cosigned],
        "words": list(last.words) if last else [],
        "last_hash": best.head.hex(),
    }


def _cosigned(one: CoSignedRound) -> Figures:
    """The co-signatures after a round, or after the game."""
    return {
        "entry": one.n,
        "round": one.round,
        "over": one.over,
        "seats": [seat_name(seat) for seat in one.seats],
        "protests": [seat_name(seat) for seat in one.protests],
        "signed_hash": one.head.hex(),
        "words": list(one.words),
    }


def _drafts(game: model.GameReport) -> Figures | None:
    """The sealed drafts; None where the draft was open."""
    tally = game.best.tally
    if tally.drafts is None:
        return None
    return {
        "dealt": tally.drafts,
        "unopened": [seat_name(seat) for seat in tally.undrafted],
        "lied": [_in_rounds(seat, rounds) for seat, rounds in game.draft_lies.items()],
    }


def _in_rounds(seat: int, rounds: Sequence[int]) -> Figures:
    return {"seat": seat_name(seat), "rounds": list(rounds)}


def _absence(absence: Absence) -> Figures:
    """A time in which a player was away: `bot` is the entry from which on a substitute played, `moves` the entries
    with its moves."""
    return {
        "seat": seat_name(absence.seat),
        "from": absence.n,
        "bot": absence.bot,
        "level": absence.level or None,
        "until": absence.until,
        "moves": list(absence.moves),
    }


def _endorser(header: Header) -> Figures | None:
    """The key that endorsed the host's key."""
    found = model.endorser(header)
    if found is None:
        return None
    key, seat = found
    return {"key": key.hex(), "key_words": list(key_words(key)), "seat": None if seat is None else seat_name(seat)}


def _player(header: Header, tally: model.Tally, seat: int, about: About) -> Figures:
    player = header.players[seat]
    return {
        "seat": seat_name(seat),
        "name": player.name,
        "key": player.key.hex(),
        "key_words": list(key_words(player.key)),
        "known": about(player),
        "bot": player.bot,
        "through_host": player.kind == SeatKind.GUEST,
        "moves_signed": tally.moves.get(seat, 0),
        "rounds_signed": len(tally.cosigned) - len(tally.absent(seat)),
        "rounds_not_signed": [one.round for one in tally.absent(seat)],
        "protests": [one.round for one in tally.protests(seat)],
        "hidden_opened": tally.hidden.get(seat, 0),
        "hidden_unopened": tally.covert.get(seat, 0),
        "sealed_opened": tally.sealed.get(seat, 0),
        "sealed_unopened_rounds": list(tally.unopened.get(seat, ())),
    }


def _file(file: model.FileReport, say: Translate) -> Figures:
    header, seat = file.header, file.seat
    owner = header.players[seat] if header and seat is not None and seat < len(header.players) else None
    return {
        "path": str(file.path),
        "verdict": VERDICTS[file.code],
        "exit": file.code,
        "game": file.game.hex() or None,
        "seat": None if seat is None else seat_name(seat),
        "owner": owner.name if owner else None,
        "signed": file.signed,
        "entries": file.links,
        "last_hash": file.head.hex() or None,
        "compared_with": file.compared,
        "same_as": str(file.same_as) if file.same_as else None,
        "findings": [_finding(finding, header, say) for finding in file.findings],
    }


def _finding(finding: model.Finding, header: Header | None, say: Translate) -> Figures:
    key = finding.accused_key
    return {
        "code": finding.code,
        "kind": finding.kind,
        "text": model.sentence(finding, header, say),
        "contradiction": finding.contradiction or None,
        "seat": None if finding.seat is None else seat_name(finding.seat),
        "accused": finding.accused,
        "accused_key": None if key is None else key.hex(),
        "details": dict(finding.details),
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
    }


def _evidence(evidence: model.Evidence) -> Mapping[str, object]:
    return {
        "entry": evidence.n,
        "key": evidence.key.hex(),
        "signed": evidence.signed.hex(),
        "signature": evidence.signature.hex(),
        "public": evidence.public.hex() or None,
    }
