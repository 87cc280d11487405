"""A report for programs: everything that `prose` says, as plain data. The keys are documented in docs/verify.md;
new ones may be added, and none changes its meaning."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from citadels_lan.crypto.log import Header, Seated
from citadels_lan.crypto.stand_ins import Stint
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name

from .counts import Tally
from .findings import Translate, english
from .model import Evidence, FileReport, Finding, GameReport, Report, endorser, sentence
from .report_text import verdict

VERDICTS: Final = {0: "verified", 1: "cheating", 3: "damaged", 4: "incomplete"}
Figures = dict[str, Any]


About: TypeAlias = Callable[[Seated], Figures | None]
"""What whoever reads the report knows of a player; None for nothing."""


def unknown(_: Seated) -> None:
    """Nothing is known of anybody."""


def figures(report: Report, say: Translate = english, about: About = unknown) -> Figures:
    """The report as one object; `say` translates sentences in it, `about` says what is known of a player."""
    games = report.games
    return {
        "verdict": VERDICTS[report.code],
        "exit": report.code,
        "text": verdict(report, say),
        "games": [_game(game, about) for game in games],
        "files": [_file(file, say) for file in report.files],
    }


def _game(game: GameReport, about: About) -> Figures:
    best = game.best
    header, tally, counts = best.header, best.tally, best.counts
    assert header is not None
    last = tally.beacons[-1] if tally.beacons else None
    return {
        "game": best.game.hex(),
        "verdict": VERDICTS[game.code],
        "exit": game.code,
        "program": header.program,
        "rules": header.rules,
        "edition": header.edition,
        "cast": list(header.cast),
        "options": dict(header.options),
        "uniques": list(header.districts),
        "host_key": header.hostkey.hex(),
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
            "cosignatures": sum(len(beacon.seats) for beacon in tally.beacons),
            "openings": best.openings,
            "outcomes": counts.outcomes,
            "events": counts.events,
            "private_parts": counts.leaves,
        },
        "endorsed_by": _endorser(header),
        "restarts": [
            {"round": round_, "without": [seat_name(seat) for seat in seats]} for round_, seats in tally.restarts
        ],
        "disputed": [_in_rounds(seat, rounds) for seat, rounds in tally.disputed.items()],
        "stand_ins": [_stint(stint) for stint in tally.stand_ins],
        "drafts": _drafts(game),
        "beacons": [
            {
                "entry": beacon.n,
                "round": beacon.round,
                "seats": [seat_name(seat) for seat in beacon.seats],
                "signed_hash": beacon.head.hex(),
                "words": list(beacon.words),
            }
            for beacon in tally.beacons
        ],
        "words": list(last.words) if last else [],
        "last_hash": best.head.hex(),
    }


def _drafts(game: GameReport) -> Figures | None:
    """The sealed drafts; None where the draft was open."""
    drafts = game.best.tally.drafts
    if drafts is None:
        return None
    return {
        "dealt": drafts.dealt,
        "drawn": drafts.drawn,
        "picks": sum(drafts.picks.values()),
        "picks_opened": sum(drafts.proven.values()),
        "unopened": [seat_name(seat) for seat in drafts.closed],
        "left_out": [_in_rounds(seat, rounds) for seat, rounds in drafts.left_out.items()],
        "lied": [_in_rounds(seat, rounds) for seat, rounds in game.draft_lies.items()],
    }


def _in_rounds(seat: int, rounds: Sequence[int]) -> Figures:
    return {"seat": seat_name(seat), "rounds": list(rounds)}


def _stint(stint: Stint) -> Figures:
    """A time in which a stand-in moved for a seat: `moves` are the entries with its moves."""
    return {
        "seat": seat_name(stint.seat),
        "level": stint.level,
        "key": stint.key.hex(),
        "from": stint.n,
        "until": stint.until,
        "moves": list(stint.moves),
        "disputed": stint.disputed,
    }


def _endorser(header: Header) -> Figures | None:
    """Who answers for the host's key."""
    found = endorser(header)
    if found is None:
        return None
    key, seat = found
    return {"key": key.hex(), "key_words": list(key_words(key)), "seat": None if seat is None else seat_name(seat)}


def _player(header: Header, tally: Tally, seat: int, about: About) -> Figures:
    player = header.players[seat]
    return {
        "seat": seat_name(seat),
        "name": player.name,
        "key": player.key.hex(),
        "key_words": list(key_words(player.key)),
        "known": about(player),
        "bot": player.bot,
        "through_host": seat in (header.guests or ()),
        "moves_signed": tally.moves.get(seat, 0),
        "moves_unsigned": tally.waiting.get(seat, 0),
        "rounds_signed": sum(seat in beacon.seats for beacon in tally.beacons),
        "left_out_of_rounds": [beacon.round for beacon in tally.absent(seat)],
        "hidden_opened": tally.hidden.get(seat, 0),
        "hidden_unopened": tally.covert.get(seat, 0),
        "sealed_opened": tally.sealed.get(seat, 0),
        "sealed_unopened_rounds": list(tally.unopened.get(seat, ())),
    }


def _file(file: FileReport, say: Translate) -> Figures:
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


def _finding(finding: Finding, header: Header | None, say: Translate) -> Figures:
    key = finding.accused_key
    return {
        "code": finding.code,
        "kind": finding.kind,
        "text": sentence(finding, header, say),
        "contradiction": finding.contradiction or None,
        "seat": None if finding.seat is None else seat_name(finding.seat),
        "accused": finding.accused,
        "accused_key": None if key is None else key.hex(),
        "details": dict(finding.details),
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
    }


def _evidence(evidence: Evidence) -> Mapping[str, object]:
    return {
        "entry": evidence.n,
        "key": evidence.key.hex(),
        "signed": evidence.signed.hex(),
        "signature": evidence.signature.hex(),
        "public": evidence.public.hex() or None,
    }
