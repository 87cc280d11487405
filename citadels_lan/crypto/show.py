"""A transcript as text: the table, one line of notation for each move with what came of it, and the result.

The events are told as the owner of the file was told them; a hidden move is shown where it was opened later.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import asdict

from citadels_lan.engine import Event, Score, seat_name
from citadels_lan.engine.events import GameEnded

from .audit import Auditor
from .commitments import WIDTH, join
from .faults import Gap, Mismatch
from .follower import Follower, Step
from .log import Header, Move, Open, Table
from .messages import Say, english, msg
from .packing import Malformed
from .transcript import Transcript

SEATS = frozenset({"seat", "other", "giver", "taker", "owner", "by", "winner", "lender"})
"""Fields of events that hold a seat."""

TEXTS: Mapping[str, str] = {
    "game": msg("game {game}, {program}, rules {rules}, edition {edition}"),
    "cast": msg("characters: {keys}"),
    "uniques": msg("unique districts: {keys}"),
    "chance": msg("by chance"),
    "bot": msg("{seat}: {name} (bot)"),
    "person": msg("{seat}: {name}"),
    "round": msg("[{n}] table"),
    "hidden": msg("hidden"),
    "damaged": msg("entry {n} cannot be read: the rest of the file is left out"),
    "unfinished": msg("the game was not finished"),
    "score": msg("{seat}: {name}, {total} points ({parts})"),
    "winner": msg("{name} wins"),
}


def lines(transcript: Transcript, say: Say = english) -> Iterator[str]:
    """The lines of a transcript. A damaged end is left out and said."""
    steps, audit, broken = _steps(transcript)
    ended: GameEnded | None = None
    for step in steps:
        if isinstance(step.entry, Open):
            yield from _header(step.entry.header, say)
        elif isinstance(step.entry, Move):
            yield f"[{step.n}] {seat_name(step.entry.seat)} {_line(step.n, step.entry, audit, say)}"
        elif isinstance(step.entry, Table):
            yield say(TEXTS["round"], n=step.n)
        for event in step.events:
            yield f"    {event_text(event)}"
            ended = event if isinstance(event, GameEnded) else ended
    if broken:
        yield say(TEXTS["damaged"], n=broken)
    if ended is None or audit.header is None:
        yield say(TEXTS["unfinished"])
    else:
        yield from _result(audit.header, ended, say)


def event_text(event: Event) -> str:
    """An event in one line: its name and its fields, seats as letters."""
    fields = (f"{name}={_value(name, value)}" for name, value in asdict(event).items())
    return " ".join((type(event).__name__, *fields))


def _steps(transcript: Transcript) -> tuple[list[Step], Auditor, int | None]:
    head = transcript.head
    follower = Follower(head.game_id, head.rules, head.fp, head.seat)
    steps = []
    for body in transcript.bodies:
        try:
            steps.append(follower.receive(body))
        except (Malformed, Gap, Mismatch):
            return steps, follower.audit, follower.chain.n + 1
    return steps, follower.audit, None


def _header(header: Header, say: Say) -> Iterator[str]:
    yield say(
        TEXTS["game"],
        game=header.game_id.hex(),
        program=header.program,
        rules=header.rules,
        edition=header.edition,
    )
    for name, keys in (("cast", header.cast), ("uniques", header.uniques)):
        yield say(TEXTS[name], keys=" ".join(keys) or say(TEXTS["chance"]))
    for seat, player in enumerate(header.players):
        yield say(TEXTS["bot" if player.bot else "person"], seat=seat_name(seat), name=player.name)


def _line(n: int, move: Move, audit: Auditor, say: Say) -> str:
    if isinstance(move.what, str):
        return move.what
    parts = [audit.opened.get((n, index)) for index in range(len(move.what) // WIDTH)]
    known = tuple(part.line for part in parts if part is not None)
    if len(known) == len(parts):
        return join(known)
    return " ".join((*known, f"({say(TEXTS['hidden'])})"))


def _value(name: str, value: object) -> str:
    if name in SEATS and isinstance(value, int):
        return seat_name(value) if 0 <= value < 9 else str(value)
    if isinstance(value, (tuple, list)):
        return ",".join(_value("", one) for one in value) or "-"
    if isinstance(value, Score):
        return str(value.total)
    return str(value)


def _result(header: Header, ended: GameEnded, say: Say) -> Iterator[str]:
    names = [player.name for player in header.players]
    for seat, (name, score) in enumerate(zip(names, ended.scores, strict=False)):
        parts = " ".join(f"{reason} {points:+}" for reason, points in score.parts)
        yield say(TEXTS["score"], seat=seat_name(seat), name=name, total=score.total, parts=parts)
    if 0 <= ended.winner < len(names):
        yield say(TEXTS["winner"], name=names[ended.winner])
