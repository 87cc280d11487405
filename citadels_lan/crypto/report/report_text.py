"""A report for people: the verdict first, then game by game what was checked and by whom it is signed, then the
files. About fifteen lines where all is well, and 80 columns wide but for bytes and the names of files."""

import textwrap
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name
from citadels_lan.texts.record import HOST_KNOWS, NO_PROMISE, PROMISED, PROMISES

from .counts import Tally
from .findings import LABELS, Translate, english
from .model import (
    ENDS,
    Evidence,
    FileReport,
    Finding,
    GameReport,
    Report,
    alone,
    host_text,
    own,
    player_text,
    printable,
    sentence,
)
from .report_rows import rows
from .unusual import INCOMPLETE, VERDICTS

WIDTH: Final = 80
NAME: Final = 24
"""Cells for a name; a longer one, which no honest table has, pushes the rest of its line."""
NOTHING: Final = Tally()
UNOPENED: Final = ("unopened", "draft_unopened")
"""Codes of what a player has not opened after the game."""
COPIES: Final = 3
"""So many names of files with the same contents are listed."""


About: TypeAlias = Callable[[Seated], str]
"""What whoever reads the report knows of a player; "" for nothing."""


def unknown(_: Seated) -> str:
    """Nothing is known of anybody."""
    return ""


def text(report: Report, say: Translate = english) -> str:
    """A report as one text; `say` translates."""
    return "\n".join(lines(report, say))


def lines(report: Report, say: Translate, about: About = unknown) -> Iterator[str]:
    """The lines of a report; `say` translates, `about` says what is known of a player."""
    yield from textwrap.wrap(verdict(report, say), WIDTH)
    for game in report.games:
        yield ""
        yield from _game(game, say, about)
    copies = _copies(report.loose)
    for file in report.loose:
        if file.same_as is None:
            yield ""
            yield printable(file.path)
            yield from _findings(file.findings, None, say)
            yield from _same_as(copies[file.path], say)
    if report.code == 0:
        yield from _promised(report, say)


def _promised(report: Report, say: Translate) -> Iterator[str]:
    """What a closed game promises, and what it does not."""
    without = [game for game in report.games if game.best.header is not None and alone(game.best.header)]
    yield ""
    if len(without) < len(report.games):
        yield say(PROMISED)
        for number, promise in enumerate(PROMISES, 1):
            yield from _wrapped(f"{number}. {say(promise)}")
    for limit in (HOST_KNOWS, *([NO_PROMISE] if without else [])):
        yield from _wrapped(say(limit))


def verdict(report: Report, say: Translate) -> str:
    """The one sentence that says it."""
    headers = [(finding, file.header) for file in report.files for finding in file.findings]
    if report.code == 1:
        who = [_accused(finding, header, say) for finding, header in headers if finding.accused]
        return say(LABELS["cheated"], who=", ".join(dict.fromkeys(who)))
    if report.code == 4:
        missing = [
            header.players[finding.seat].name
            for finding, header in headers
            if finding.code in UNOPENED and finding.seat is not None and header is not None
        ]
        if missing:
            return say(INCOMPLETE["not_opened"], names=", ".join(dict.fromkeys(missing)))
        return _incomplete(report, say)
    return say({0: VERDICTS["verified"], 3: VERDICTS["damaged"], 5: LABELS["other_rules"]}[report.code])


def _incomplete(report: Report, say: Translate) -> str:
    """The verdict with the first reason of a game that is not complete."""
    for game in report.games:
        for finding in () if game.complete else game.best.findings:
            if finding.code == "held_back":
                host = game.best.header.hostkey if game.best.header is not None else b""
                return say(INCOMPLETE["not_closed"], host=host_text(game.best.header, host, say))
            if finding.code in INCOMPLETE:
                return say(INCOMPLETE[finding.code])
    return say(LABELS["incomplete"])


def _accused(finding: Finding, header: Header | None, say: Translate) -> str:
    """Who is proven to have cheated."""
    if finding.accused == "player":
        return player_text(header, finding.seat or 0, say)
    return say(LABELS["the_host"], host=host_text(header, finding.accused_key or b"", say, finding.host))


# A game


def _game(game: GameReport, say: Translate, about: About) -> Iterator[str]:
    best = game.best
    header, tally = best.header, best.tally
    assert header is not None
    yield say(LABELS["game"], game=best.game.hex(), rules=header.rules.hex()[:8], edition=header.config.named)
    yield from _players(header, tally, say, about)
    found = [*rows(game, header, say)]
    width = max(_cells(label) for label, _ in found) + 2
    for label, text in found:
        broken = textwrap.wrap(text, WIDTH - 2 - width, break_long_words=False) or [""]
        yield f"  {_pad(label, width)}{broken[0]}"
        yield from (" " * (width + 2) + line for line in broken[1:])
    shared, complete = game.shared, game.complete
    yield from _findings(shared, header, say, tally)
    if not complete and any(finding.code == "unopened" for file in game.files for finding in file.findings):
        yield from _wrapped(say(LABELS["do_unopened"]))
    yield ""
    copies = _copies(game.files)
    for file in game.files:
        if file.same_as is None:
            part = complete and file.code == 4
            yield from _part(file, say) if part else _file(file, own(file, shared), tally, say)
            yield from _same_as(copies[file.path], say)


def _players(header: Header, tally: Tally, say: Translate, about: About) -> Iterator[str]:
    """A table of who played, and who signed how much; below a person the words of the key, and what is known of
    it. A bot's key is that of one table, which nobody compares."""
    titles = [say(LABELS[f"{column}_column"]) for column in ("seat", "name", "who", "moves", "heads")]
    rows = [titles]
    for seat, player in enumerate(header.players):
        signed = len(tally.cosigned) - len(tally.absent(seat))
        rows.append(
            [
                seat_name(seat),
                player.name,
                say(LABELS[_who(header, seat)]),
                str(tally.moves.get(seat, 0)),
                say(LABELS["of_all"], some=signed, all=len(tally.cosigned)),
            ]
        )
    widths = [max(_cells(row[column]) for row in rows) for column in range(len(titles))]
    widths[1] = min(widths[1], NAME)
    below = [[], *(_key(player, say, about) for player in header.players)]
    for row, more in zip(rows, below, strict=True):
        cells = [
            _pad(text, width, right=column == 3)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(cells).rstrip()
        yield from (" " * (widths[0] + 4) + line for line in more)


def _who(header: Header, seat: int) -> str:
    """What sits there, as a key of LABELS."""
    kind = header.players[seat].kind
    return {SeatKind.BOT: "bot", SeatKind.GUEST: "guest"}.get(kind, "person")


def _key(player: Seated, say: Translate, about: About) -> list[str]:
    """The words of a person's key, and below them what is known of it."""
    if player.bot:
        return []
    return [*filter(None, (say(LABELS["key"], words=" ".join(key_words(player.key))), about(player)))]


# Files and findings


def _file(file: FileReport, findings: Iterable[Finding], told: Tally, say: Translate) -> Iterator[str]:
    yield printable(file.path)
    label = LABELS["file_signed" if file.signed else "file_unsigned"]
    status = say(LABELS[f"status_{file.code}"])
    yield "  " + say(label, owner=_owner(file, say), entries=file.links, status=status)
    yield from _findings(findings, file.header, say, told)


def _part(file: FileReport, say: Translate) -> Iterator[str]:
    """A file that ends early, beside one that has the whole game."""
    yield printable(file.path)
    yield "  " + say(LABELS["file_part"], owner=_owner(file, say), entries=file.links)
    yield from _findings((one for one in file.findings if one.code not in ENDS), file.header, say)


def _owner(file: FileReport, say: Translate) -> str:
    return say(LABELS["spectator"]) if file.seat is None else _name(file.header, file.seat, say)


def _copies(files: Iterable[FileReport]) -> Mapping[Path, list[Path]]:
    """By the first of some files with the same contents: the others."""
    copies: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        if file.same_as is not None:
            copies[file.same_as].append(file.path)
    return copies


def _same_as(copies: Sequence[Path], say: Translate) -> Iterator[str]:
    if not copies:
        return
    names = ", ".join(map(printable, copies[:COPIES]))
    if len(copies) > COPIES:
        names = say(LABELS["and_more"], names=names, count=len(copies) - COPIES)
    yield "  " + say(LABELS["same_as"], other=names)


def _findings(
    findings: Iterable[Finding], header: Header | None, say: Translate, told: Tally = NOTHING
) -> Iterator[str]:
    for finding in findings:
        if finding.code == "unopened" and told.closed and finding.seat in told.unopened:
            continue  # a row of the game has all of them
        yield from _wrapped(sentence(finding, header, say))
        for number, evidence in enumerate(finding.evidence, 1):
            yield from _evidence(number, evidence, say)
        if finding.kind == "proof":
            yield from _wrapped(say(LABELS["do_host" if finding.accused == "host" else "do_player"]))


def _evidence(number: int, evidence: Evidence, say: Translate) -> Iterator[str]:
    yield "    " + say(LABELS["evidence"], number=number, n=evidence.n)
    if evidence.public:
        yield f"      {say(LABELS['public_bytes'])}: {evidence.public.hex()}"
    yield f"      {say(LABELS['signed_bytes'], key=evidence.key.hex())}: {evidence.signed.hex()}"
    yield f"      {say(LABELS['signature_bytes'])}: {evidence.signature.hex()}"


def _wrapped(text: str) -> Sequence[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _name(header: Header | None, seat: int, say: Translate) -> str:
    """A player by name and seat."""
    if header is None or seat >= len(header.players):
        return say(LABELS["somebody"], seat=seat_name(seat))
    return say(LABELS["name_seat"], name=header.players[seat].name, seat=seat_name(seat))


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _pad(text: str, width: int, *, right: bool = False) -> str:
    room = " " * (width - _cells(text))
    return room + text if right else text + room
