"""The report. For people: first the verdict, then for each game the players and the facts, then the files. A
verified game takes about fifteen lines. Lines have at most 80 columns, except for bytes and names of
files.

`figures` is the report for programs: the facts of each game and the findings in each file as plain data.
docs/report.md documents the keys."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict
from rich.cells import cell_len

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.report import model
from citadels_lan.crypto.report.model import INCOMPLETE, LABELS, NAMES, STATUS, VERDICTS, Translate, english
from citadels_lan.engine import seat_name
from citadels_lan.texts.record import HOST_KNOWS, NO_PROMISE, PROMISED, PROMISES

from .facts import About, facts, unknown

WIDTH: Final = 80
NAME: Final = 24
"""Cells in the column of names. No honest table has a longer name; it would shift the rest of its line."""
MOVES: Final = 3
"""Index of the column with the numbers of moves, which is aligned to the right."""
UNOPENED: Final = ("unopened", "draft_unopened")
"""Codes of the findings that a player has not opened moves or drafts after the game."""
COPIES: Final = 3
"""Most names of files with the same contents that the report lists."""


def text(report: model.Report, say: Translate = english) -> str:
    """Return the report for people as one text. `say` translates."""
    return "\n".join(lines(report, say))


def lines(report: model.Report, say: Translate, about: About = unknown) -> Iterator[str]:
    """Yield the lines of the report for people. `say` translates, and `about` returns what the reader knows
    of a player."""
    yield from textwrap.wrap(verdict(report, say), WIDTH)
    for game in report.games:
        yield ""
        yield from _game(game, say, about)
    for file in report.loose:
        if file.same_as is None:
            yield ""
            yield model.printable(file.path)
            yield from _findings(file.findings, None, say)
            yield from _same_as(file, report.loose, say)
    if report.code == 0:
        yield from _promised(report, say)


def _promised(report: model.Report, say: Translate) -> Iterator[str]:
    """Yield what verification of a closed game guarantees, and what it cannot guarantee."""
    without = [game for game in report.games if game.best.header is not None and model.alone(game.best.header)]
    yield ""
    if len(without) < len(report.games):
        yield say(PROMISED)
        for number, promise in enumerate(PROMISES, 1):
            yield from _wrapped(f"{number}. {say(promise)}")
    for limit in (HOST_KNOWS, *([NO_PROMISE] if without else [])):
        yield from _wrapped(say(limit))


def verdict(report: model.Report, say: Translate) -> str:
    """Return the verdict on all files in one sentence."""
    findings = [(finding, file.header) for file in report.files for finding in file.findings]
    if report.code == 1:
        accused = dict.fromkeys(_accused(finding, header, say) for finding, header in findings if finding.accused)
        return say("PROOF OF CHEATING by {who}.", who=", ".join(accused))
    if report.code != 4:
        return say(VERDICTS[NAMES[report.code]])
    names = dict.fromkeys(
        header.players[finding.seat].name
        for finding, header in findings
        if finding.code in UNOPENED and finding.seat is not None and header is not None
    )
    return say(INCOMPLETE["not_opened"], names=", ".join(names)) if names else _incomplete(report, say)


def _incomplete(report: model.Report, say: Translate) -> str:
    """Return the verdict INCOMPLETE, with the first reason that a finding gives."""
    for game in report.games:
        for finding in () if game.complete else game.best.findings:
            if finding.code in INCOMPLETE:
                header = game.best.header
                return say(
                    INCOMPLETE[finding.code], host=model.host_text(header, header.hostkey if header else b"", say)
                )
    return say("INCOMPLETE: no contradiction found, but part of the game is missing.")


def _accused(finding: model.Finding, header: Header | None, say: Translate) -> str:
    """Return a text that names the player or the host whom a finding accuses."""
    if finding.accused == "player":
        return model.player_text(header, finding.seat or 0, say)
    return say("the host ({host})", host=model.host_text(header, finding.accused_key or b"", say, finding.host))


def _game(game: model.GameReport, say: Translate, about: About) -> Iterator[str]:
    best, found = game.best, [*facts(game, say, about)]
    header, data = best.header, {fact.key: fact.data for fact in found}
    assert header is not None
    rules, edition = header.rules.hex()[:8], header.config.named
    yield say("Game {game} (rules {rules}, edition {edition})", game=best.game.hex(), rules=rules, edition=edition)
    yield from _players(data["players"], len(data["cosigned"]), say)
    shown = [fact for fact in found if fact.sentences]
    width = max(cell_len(fact.label) for fact in shown) + 2
    for fact in shown:
        for label, row in zip((fact.label, *[""] * len(fact.sentences)), fact.sentences, strict=False):
            first, *rest = textwrap.wrap(row, WIDTH - 2 - width, break_long_words=False) or [""]
            yield f"  {_pad(label, width)}{first}"
            yield from (" " * (width + 2) + line for line in rest)
    yield from _findings(game.shared, header, say, best.audit)
    if not game.complete and any(finding.code == "unopened" for file in game.files for finding in file.findings):
        yield from _wrapped(say(LABELS["do_unopened"]))
    yield ""
    for file in game.files:
        if file.same_as is None:
            yield from _file(file, game, say)
            yield from _same_as(file, game.files, say)


def _players(players: Sequence[Mapping[str, Any]], rounds: int, say: Translate) -> Iterator[str]:
    """Yield a table of the players with the numbers of their signatures. Under each person are the six words
    of the key, and what the reader knows of it. A bot has no such line, because its key is made for one
    table."""
    rows = [[say("Seat"), say("Name"), say("Who"), say("Moves signed"), say("Rounds signed")]]
    below: list[list[str]] = [[]]
    for one in players:
        kind = say(LABELS.get(one["kind"], LABELS["person"]))
        signed = say("{some} of {all}", some=one["rounds_signed"], all=rounds)
        rows.append([seat_name(one["seat"]), one["name"], kind, str(one["moves_signed"]), signed])
        key = say("Key: {words}", words=" ".join(one["key_words"]))
        below.append([] if one["kind"] == "bot" else [*filter(None, (key, one["known"]))])
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    widths[1] = min(widths[1], NAME)
    for row, more in zip(rows, below, strict=True):
        cells = [_pad(cell, widths[at], right=at == MOVES) for at, cell in enumerate(row)]
        yield "  " + "  ".join(cells).rstrip()
        yield from (" " * (widths[0] + 4) + line for line in more)


def _file(file: model.FileReport, game: model.GameReport, say: Translate) -> Iterator[str]:
    """Yield the lines about a file with its own findings. If another file has the whole game, the findings
    about missing parts are left out."""
    part = game.complete and file.code == 4
    label = LABELS["file_part" if part else "file_signed" if file.signed else "file_unsigned"]
    owner = say("a spectator") if file.seat is None else _name(file.header, file.seat, say)
    yield model.printable(file.path)
    yield "  " + say(label, owner=owner, entries=file.links, status=say(STATUS[NAMES[file.code]]))
    if part:
        yield from _findings((one for one in file.findings if one.code not in model.ENDS), file.header, say)
    else:
        yield from _findings(model.own(file, game.shared), file.header, say, game.best.audit)


def _same_as(file: model.FileReport, files: Iterable[model.FileReport], say: Translate) -> Iterator[str]:
    """Yield a line that lists the copies of `file` among `files`; nothing if there are none."""
    copies = [model.printable(other.path) for other in files if other.same_as == file.path]
    names = ", ".join(copies[:COPIES])
    if len(copies) > COPIES:
        names = say("{names} and {count} more", names=names, count=len(copies) - COPIES)
    if copies:
        yield "  " + say("the same file as {other}", other=names)


def _findings(
    findings: Iterable[model.Finding], header: Header | None, say: Translate, audit: Auditor | None = None
) -> Iterator[str]:
    for finding in findings:
        if finding.code == "unopened" and audit and audit.secret and finding.seat in model.unopened(audit):
            continue  # The fact `sealed` of the game has all of them.
        yield from _wrapped(model.sentence(finding, header, say))
        for number, evidence in enumerate(finding.evidence, 1):
            yield "    " + say("Evidence {number}, at entry {n}:", number=number, n=evidence.n)
            if evidence.public:
                yield f"      {say('the entry')}: {evidence.public.hex()}"
            yield f"      {say('signed by {key}', key=evidence.key.hex())}: {evidence.signed.hex()}"
            yield f"      {say('the signature')}: {evidence.signature.hex()}"
        if finding.kind == "proof":
            yield from _wrapped(say(LABELS["do_host" if finding.accused == "host" else "do_player"]))


def _wrapped(text: str) -> Sequence[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _name(header: Header | None, seat: int, say: Translate) -> str:
    """Return a player's name with the number of the seat."""
    if header is None or seat >= len(header.players):
        return say("seat {seat}", seat=seat_name(seat))
    return say("{name} ({seat})", name=header.players[seat].name, seat=seat_name(seat))


def _pad(text: str, width: int, *, right: bool = False) -> str:
    room = " " * (width - cell_len(text))
    return room + text if right else text + room


# For programs


Figures = dict[str, Any]


def figures(report: model.Report, say: Translate = english, about: About = unknown) -> Figures:
    """Return the report as one JSON object. `say` translates its sentences, and `about` returns what the
    reader knows of a player."""
    games = [
        _verdict_figures(game.code) | {fact.key: plain(fact.data) for fact in facts(game, say, about)}
        for game in report.games
    ]
    files = [_file_figures(file, say) for file in report.files]
    return {**_verdict_figures(report.code), "text": verdict(report, say), "games": games, "files": files}


def plain(value: Any) -> Any:
    """Convert a value for JSON: bytes to hexadecimal text, a path to text, a Struct to an object."""
    match value:
        case bytes():
            return value.hex()
        case Path():
            return str(value)
        case Struct():
            return plain(asdict(value))
        case Mapping():
            return {str(key): plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
    return value


def _verdict_figures(code: int) -> Figures:
    return {"verdict": NAMES[code], "exit": code}


def _file_figures(file: model.FileReport, say: Translate) -> Figures:
    header, seat = file.header, file.seat
    owner = header.players[seat].name if header and seat is not None and seat < len(header.players) else None
    return {
        "path": str(file.path),
        **_verdict_figures(file.code),
        "game": file.game.hex() or None,
        "seat": seat,
        "owner": owner,
        "signed": file.signed,
        "entries": file.links,
        "last_hash": file.head.hex() or None,
        "compared_with": file.compared,
        "same_as": plain(file.same_as),
        "findings": [
            {
                **plain(finding),
                "accused": finding.accused,
                "accused_key": plain(finding.accused_key),
                "text": model.sentence(finding, header, say),
            }
            for finding in file.findings
        ],
    }
