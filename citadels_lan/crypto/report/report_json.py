"""A report for programs: the facts of each game and the findings in each file as plain data. docs/report.md
documents the keys."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from citadels_lan.crypto.log import Header
from citadels_lan.crypto.report.model import NAMES, FileReport, Finding, Report, Translate, english, sentence

from .facts import About, facts, unknown
from .report_text import verdict

Figures = dict[str, Any]


def figures(report: Report, say: Translate = english, about: About = unknown) -> Figures:
    """Return the report as one object. `say` translates its sentences, `about` returns what the reader knows of
    a player."""
    games = [
        _verdict(game.code) | {fact.key: plain(fact.data) for fact in facts(game, say, about)}
        for game in report.games
    ]
    files = [_file(file, say) for file in report.files]
    return {**_verdict(report.code), "text": verdict(report, say), "games": games, "files": files}


def plain(value: Any) -> Any:
    """Convert a value for JSON: bytes become hexadecimal, a path becomes text, a Struct an object."""
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


def _verdict(code: int) -> Figures:
    return {"verdict": NAMES[code], "exit": code}


def _file(file: FileReport, say: Translate) -> Figures:
    header, seat = file.header, file.seat
    owner = header.players[seat].name if header and seat is not None and seat < len(header.players) else None
    return {
        "path": str(file.path),
        **_verdict(file.code),
        "game": file.game.hex() or None,
        "seat": seat,
        "owner": owner,
        "signed": file.signed,
        "entries": file.links,
        "last_hash": file.head.hex() or None,
        "compared_with": file.compared,
        "same_as": plain(file.same_as),
        "findings": [_finding(finding, header, say) for finding in file.findings],
    }


def _finding(finding: Finding, header: Header | None, say: Translate) -> Figures:
    key = finding.accused_key
    accused = {"accused": finding.accused, "accused_key": plain(key)}
    return {**plain(finding), **accused, "text": sentence(finding, header, say)}
