"""A transcript as text: the table, the words of every round, a line of notation for each move with its
events, and the result.

The events are those that the owner of the file saw; a hidden or sealed move is shown where it was opened
later. The sentences are not made here: they come through a `Narrator`, for texts are not for this layer.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.commitments import WIDTH, committed, fits, join, read_sealed
from citadels_lan.crypto.draft.playing import own_part
from citadels_lan.crypto.draft.record import (
    Begun,
    CallReply,
    Complained,
    Dealt,
    HandedOver,
    PassedOn,
    decode_message,
)
from citadels_lan.crypto.log import Close, CoSigned, Handover, Header, Move, Open, Said, SeatChange, TableMove
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import opened_drafts
from citadels_lan.crypto.report.findings import Translate, english, msg
from citadels_lan.crypto.report.model import printable
from citadels_lan.crypto.seats import CoSignedRound
from citadels_lan.crypto.transcript import HeardFile, Transcript
from citadels_lan.engine import HIDDEN, Event, Score, seat_name
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.events import GameEnded, Picked
from citadels_lan.texts.record import NO_WINNER

SEATS = frozenset({"seat", "other", "giver", "taker", "owner", "by", "lender"})
"""Fields of events that hold a seat."""

TEXTS: Mapping[str, str] = {
    "game": msg("game {game}, {program}, rules {rules}, edition {edition}"),
    "cast": msg("characters: {names}"),
    "uniques": msg("unique districts: {names}"),
    "chance": msg("by chance"),
    "bot": msg("{seat}: {name} (bot)"),
    "person": msg("{seat}: {name}"),
    "told": msg("told as {name} received it"),
    "watched": msg("told as a spectator received it"),
    "cosigned": msg("[{n}] after round {round}, signed by all players: {words}"),
    "cosigned_but": msg("[{n}] after round {round}, signed, but not by {who}: {words}"),
    "cosigned_end": msg("[{n}] at the end, signed by all players: {words}"),
    "cosigned_end_but": msg("[{n}] at the end, signed, but not by {who}: {words}"),
    "no_words": msg("no check words"),
    "called_off": msg("starts of this table called off before this one: {count}"),
    "away": msg("[{n}] The host says that {who} is away."),
    "substitute": msg("[{n}] A bot ({level}) plays for {who}."),
    "back": msg("[{n}] {who} is back."),
    "handover": msg("[{n}] the host hands the game over to {who}"),
    "round": msg("[{n}] table"),
    "hidden": msg("hidden"),
    "dealt": msg("deals the characters"),
    "given_back": msg("passes on the face-down character"),
    "begun": msg("all players begin the draft"),
    "handed_over": msg("gives {to} a character"),
    "complained": msg("complains about entry {entry}"),
    "replied": msg("replies to the call: {who}"),
    "sealed": msg("sealed"),
    "damaged": msg("entry {n} cannot be read: the rest of the file is left out"),
    "unfinished": msg("the game was not finished"),
    "drafts": msg("sealed drafts: {picks} picks, all of them open"),
    "drafts_left": msg("sealed drafts: {picks} picks, {left} of them not open here: {who}"),
    "score": msg("{seat}: {name}, {total} points ({parts})"),
    "winner": msg("{name} wins"),
}


class Narrator(Protocol):
    """Tells a game in a language. `begin` comes first, once the players are known."""

    def begin(self, names: Sequence[str], viewer: int | None) -> None: ...

    def tell(self, events: Sequence[Event]) -> Iterator[str]:
        """Lines for what an entry brought."""
        ...

    def characters(self, keys: Sequence[str]) -> str: ...

    def districts(self, keys: Sequence[str]) -> str: ...

    def points(self, reason: str) -> str:
        """The name of a part of a score."""
        ...


class Plain:
    """A narrator without a language: events by their names."""

    def begin(self, names: Sequence[str], viewer: int | None) -> None:
        pass

    def tell(self, events: Sequence[Event]) -> Iterator[str]:
        return map(event_text, events)

    def characters(self, keys: Sequence[str]) -> str:
        return " ".join(keys)

    def districts(self, keys: Sequence[str]) -> str:
        return " ".join(keys)

    def points(self, reason: str) -> str:
        return reason


def lines(
    heard: HeardFile, say: Translate = english, narrator: Narrator | None = None, owner: Owner | None = None
) -> Iterator[str]:
    """The lines of a transcript. A damaged end is left out and said. With the key of its `owner` the own picks of
    sealed drafts are named before the game is over, too."""
    narrator = narrator or Plain()
    transcript, audit = heard.transcript, heard.audit
    stars, drafts = _stars(transcript, audit), opened_drafts(audit, owner)
    closed = any(isinstance(step.entry, Close) and step.entry.secret for step in heard.steps)
    ended: GameEnded | None = None
    picks: list[Picked] = []
    for step in heard.steps:
        entry, known = step.entry, drafts.opened(step.events)
        if isinstance(entry, Open):
            narrator.begin([player.name for player in entry.header.players], transcript.head.seat)
            yield from _header(entry.header, transcript.head.seat, say, narrator)
        elif isinstance(entry, CoSigned) and audit.header is not None:
            signed = next(one for one in audit.cosigned if one.n == step.n)
            yield _cosigned(signed, audit.header, say)
            yield ""
        elif isinstance(entry, Handover) and audit.header is not None:
            yield say(TEXTS["handover"], n=step.n, who=printable(audit.header.players[entry.seat].name))
        elif isinstance(entry, SeatChange) and audit.header is not None:
            yield _seat_change(step.n, entry, audit.header, say)
        elif isinstance(entry, Move):
            yield f"[{step.n}] {seat_name(entry.seat)} {_line(step.n, entry, audit, stars, say)}"
        elif isinstance(entry, TableMove):
            yield say(TEXTS["round"], n=step.n)
        elif isinstance(entry, Said) and audit.header is not None:
            yield f"[{step.n}] {_drafted(entry, _picked(known), audit.header, say)}"
        picks += [event for event in known if isinstance(event, Picked)]
        own = own_part(step.events, known, transcript.head.seat)
        told = own if closed else [event.unwon() if isinstance(event, GameEnded) else event for event in own]
        yield from (f"    {line}" for line in narrator.tell(told))
        ended = next((event for event in step.events if isinstance(event, GameEnded)), ended)
    yield ""
    if heard.broken:
        yield say(TEXTS["damaged"], n=heard.broken)
    if audit.header is not None and audit.header.draft and picks:
        yield _picks(picks, audit.header, say)
    if ended is None or audit.header is None:
        yield say(TEXTS["unfinished"])
    else:
        yield from _result(audit.header, ended, say, narrator, closed=closed)


def event_text(event: Event) -> str:
    """An event in one line: its name and its fields, seats as letters."""
    fields = (f"{name}={_value(name, value)}" for name, value in event.fields().items())
    return " ".join((type(event).__name__, *fields))


def _stars(transcript: Transcript, audit: Auditor) -> dict[int, str]:
    """The lines of sealed moves with their stars, by entry, as far as log or owner opened them."""
    own = {committed(transcript.head.game_id, opening): opening for opening in transcript.own}
    found = {
        place.n: own[commit].line
        for commit, place in audit.concealed.pending.items()
        if commit in own and place.sealed is not None and fits(own[commit], place.sealed)
    }
    return found | {n: opening.line for (n, _), opening in audit.concealed.opened.items() if "*" in opening.line}


def _header(header: Header, viewer: int | None, say: Translate, narrator: Narrator) -> Iterator[str]:
    yield say(
        TEXTS["game"],
        game=header.game_id.hex(),
        program=header.program,
        rules=header.rules.hex()[:8],
        edition=header.config.named,
    )
    chance = say(TEXTS["chance"])
    yield say(TEXTS["cast"], names=narrator.characters(header.cast) if header.cast else chance)
    yield say(TEXTS["uniques"], names=narrator.districts(header.districts) if header.districts else chance)
    if header.called_off:
        yield say(TEXTS["called_off"], count=len(header.called_off))
    for seat, player in enumerate(header.players):
        yield say(TEXTS["bot" if player.bot else "person"], seat=seat_name(seat), name=player.name)
    if viewer is None or viewer >= len(header.players):
        yield say(TEXTS["watched"])
    else:
        yield say(TEXTS["told"], name=header.players[viewer].name)


def _cosigned(one: CoSignedRound, header: Header, say: Translate) -> str:
    words = " ".join(one.words) or say(TEXTS["no_words"])
    missing = [seat for seat in range(len(header.players)) if seat not in one.seats]
    text = TEXTS[f"cosigned{'_end' if one.over else ''}{'_but' if missing else ''}"]
    return say(text, n=one.n, round=one.round, words=words, who=_names(missing, header))


def _seat_change(n: int, entry: SeatChange, header: Header, say: Translate) -> str:
    text = ("away", "substitute", "back")[entry.what]
    return say(TEXTS[text], n=n, who=header.players[entry.seat].name, level=printable(entry.level))


def _drafted(entry: Said, pick: str | None, header: Header, say: Translate) -> str:
    """A message in a sealed draft; the pick if it is open."""
    item = entry.items[0]
    match decode_message(item.message):
        case Begun():
            return say(TEXTS["begun"])
        case CallReply():
            return say(TEXTS["replied"], who=_names([one.seat for one in entry.items], header))
        case Dealt():
            said = say(TEXTS["dealt"])
        case PassedOn():
            said = pick or f"pick ({say(TEXTS['hidden'])})"
        case HandedOver() as given:
            said = say(TEXTS["handed_over"], to=seat_name(given.to))
        case Complained() as complaint:
            said = say(TEXTS["complained"], entry=complaint.entry)
        case _:
            said = say(TEXTS["given_back"])
    return f"{seat_name(item.seat)} {said}"


def _picked(events: Sequence[Event]) -> str | None:
    """The line of a pick, where it is known."""
    for event in events:
        if isinstance(event, Picked) and HIDDEN not in (event.character, *event.laid):
            return str(Pick(event.character, next(iter(event.laid), None)))
    return None


def _picks(picks: Sequence[Picked], header: Header, say: Translate) -> str:
    """How many picks of sealed drafts there were, and whose are not open."""
    left = [event.seat for event in picks if event.character == HIDDEN]
    key = "drafts_left" if left else "drafts"
    return say(TEXTS[key], picks=len(picks), left=len(left), who=_names(sorted({*left}), header))


def _names(seats: Sequence[int], header: Header) -> str:
    return ", ".join(header.players[seat].name for seat in seats)


def _line(n: int, move: Move, audit: Auditor, stars: Mapping[int, str], say: Translate) -> str:
    if isinstance(move.what, str):
        sealed = read_sealed(move.what)
        if sealed is None:
            return move.what
        return stars.get(n) or f"{sealed.line} ({say(TEXTS['sealed'])})"
    parts = [audit.concealed.opened.get((n, index)) for index in range(len(move.what) // WIDTH)]
    known = tuple(part.line for part in parts if part is not None)
    if len(known) == len(parts):
        return join(known)
    return " ".join((*known, f"({say(TEXTS['hidden'])})"))


def _value(name: str, value: object) -> str:
    if name in SEATS and isinstance(value, int):
        return seat_name(value) if 0 <= value < 9 else str(value)
    if isinstance(value, (tuple, list)):
        return ",".join(_value("", part) for part in value) or "-"
    if isinstance(value, Score):
        return str(value.total)
    return str(value)


def _result(
    header: Header, ended: GameEnded, say: Translate, narrator: Narrator, *, closed: bool
) -> Iterator[str]:
    names = [player.name for player in header.players]
    for seat, (name, score) in enumerate(zip(names, ended.scores, strict=False)):
        parts = ", ".join(f"{narrator.points(reason)} {points:+}" for reason, points in score.parts)
        yield say(TEXTS["score"], seat=seat_name(seat), name=name, total=score.total, parts=parts)
    if not closed:
        yield say(NO_WINNER)
        return
    for seat in ended.winners:
        if 0 <= seat < len(names):
            yield say(TEXTS["winner"], name=names[seat])
