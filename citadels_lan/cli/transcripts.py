"""`verify`, `show` and `replay`: check transcripts offline, print one as text, and step through or save a game.

The text of `show` has the table, the check words of each round, a line of notation for each move with the
sentences of its events, and the result. The events are those that the owner of the file received; a hidden or
sealed move is shown if it was revealed later.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os.path import samefile
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import to_builtins

from citadels_lan.cli.console import DONE, OTHER_RULES, REFUSED, UNREADABLE, Console, Failure
from citadels_lan.cli.preferences import Profiles, save_language
from citadels_lan.crypto import log
from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.client_log import Owner
from citadels_lan.crypto.commitments import WIDTH, committed, fits, join, read_sealed
from citadels_lan.crypto.draft import drafts
from citadels_lan.crypto.draft.knowledge import own_part
from citadels_lan.crypto.replay import Played, opened_drafts
from citadels_lan.crypto.report.model import printable, sentence, unread
from citadels_lan.crypto.report.report_text import figures
from citadels_lan.crypto.report.report_text import lines as report_lines
from citadels_lan.crypto.report.verify import other_rules
from citadels_lan.crypto.report.verify import verify as verify_files
from citadels_lan.crypto.transcript import STDIN, Damaged, HeardFile, Transcript, hear, read
from citadels_lan.engine import HIDDEN, Event, seat_name
from citadels_lan.engine import events as ev
from citadels_lan.engine.actions import Pick
from citadels_lan.platform.files import data_folder
from citadels_lan.presenter import recording as recordings
from citadels_lan.presenter.archive import closes
from citadels_lan.presenter.known_players import Reader, known_players
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.log import score_lines
from citadels_lan.texts.log import sentence as event_sentence
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.ui import run_replay

MOST_EVENTS: Final = 12_000
"""`show` computes points for at most this many events. No real game has so many, but a damaged file can."""


def verify(console: Console, options: argparse.Namespace) -> int:
    """Check transcripts, compare those that belong to the same game, print the report, and return its exit
    code."""
    say = console.texts.say
    report = verify_files([path for word in options.files for path in _files(word)])
    acquainted = known_players(data_folder())
    if acquainted.trouble is not None:
        console.complain(say(acquainted.trouble.text, **dict(acquainted.trouble.values)))
    reader = Reader(console.texts, acquainted, frozenset(key for _, key in Profiles(data_folder()).known()))
    if options.json:
        console.line(json.dumps(figures(report, say, reader.figures)))
    else:
        for line in report_lines(report, say, reader.about):
            console.line(line)
    return report.code


def _file(word: str) -> Path:
    return STDIN if word == "-" else Path(word)


def _files(word: str) -> Sequence[Path]:
    """Return the transcripts to verify. If `word` is a folder: its transcripts in order of their names.
    Otherwise, or if the folder has none: the path itself, so that the report names it."""
    path = _file(word)
    try:
        within = sorted(path.glob("*.ctr")) if word != "-" and path.is_dir() else []
    except OSError:
        within = []
    return within or [path]


def show(console: Console, options: argparse.Namespace) -> int:
    """Print a transcript as text, or the review of its player. Raises Failure."""
    path = _file(options.file)
    if options.review:
        return _review(console, path, options.file)
    say = console.texts.say
    try:
        transcript = read(path)
    except (Damaged, OSError) as error:
        raise Failure(UNREADABLE, f"{path}: {sentence(unread(path, error), None, say)}") from None
    if (other := other_rules(transcript)) is not None:
        raise Failure(OTHER_RULES, f"{path}: {sentence(other, None, say)}")
    game, owner = hear(transcript), recordings.owner_of(transcript.head)
    points = {
        each.round: each
        for each in recordings.points_by_round(_first(recordings.told_steps(game, owner)))
        if not each.final
    }
    shown = TranscriptText(game, console.texts, points, owner)
    for line in (json.dumps(shown.figures(), ensure_ascii=False),) if options.json else shown.lines():
        console.line(line)
    return UNREADABLE if game.broken else DONE


def _first(steps: Iterable[Played]) -> Iterator[Played]:
    """Yield the steps of a game; stop after MOST_EVENTS events."""
    events = 0
    for played in steps:
        events += len(played.events)
        if events > MOST_EVENTS:
            return
        yield played


def _review(console: Console, path: Path, name: str) -> int:
    """Print the biggest mistakes of the player; on a terminal, show them one by one as exercises. Standard
    error shows the progress of the analysis."""
    from citadels_lan.bots.search.reviews import review
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.presenter.review import decided, exercises, learn, seat_review

    try:
        recording = recordings.load_recording(path)
    except recordings.NotReplayable as reason:
        raise _not_replayable(console, reason, name) from None
    if recording.seat is None:
        text = msg("{file} belongs to a spectator, so it has no moves to review.")
        raise console.failure(text, REFUSED, file=name)

    def progress(share: float) -> None:
        console.passing(console.texts.say(msg("Analysing: {percent}%"), percent=round(100 * share)))

    with ThinkingPool() as pool:
        decisions = list(decided(recording, recording.seat))
        mistakes = asyncio.run(review(pool, decisions, progress))
        console.passing("")  # Removes the progress.
        if sys.stdin.isatty() and sys.stdout.isatty() and mistakes.moves:
            names = recordings.shown_names(recording)
            asyncio.run(learn(console.texts, exercises(mistakes, names), pool, sys.stdin.readline, console.line))
            return DONE
    for line in seat_review(console.texts, mistakes, recordings.shown_names(recording), recording.seat):
        console.line(line)
    return DONE


class TranscriptText:
    """The text of one transcript, with the `points` after each round. With the key of the `owner`, the
    owner's picks in a sealed draft are also shown before the game is over.

    The file is not verified, so it can name cards and seats that do not exist. An event with such a card or
    seat is printed by its name and fields.
    """

    def __init__(
        self,
        heard: HeardFile,
        texts: Texts,
        points: Mapping[int, recordings.RoundPoints] = MappingProxyType({}),
        owner: Owner | None = None,
    ) -> None:
        self._heard = heard
        self._audit = heard.audit
        self._viewer = heard.transcript.head.seat
        self._texts = texts
        self._names = [player.name for player in heard.audit.header.players] if heard.audit.header else []
        self._points = points
        self._round = 0
        self._stars = _stars(heard.transcript, heard.audit)
        self._drafts = opened_drafts(heard.audit, owner)
        self._closed = any(closes(step.entry) for step in heard.steps)

    def _known(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return the events without the one that names the winner, unless the record is closed."""
        return tuple(
            event.unwon() if isinstance(event, ev.GameEnded) and not self._closed else event for event in events
        )

    def figures(self) -> dict[str, object]:
        """Return the transcript as plain data: the table, and for each entry the events that the owner knows."""
        header, entries = self._audit.header, []
        for step in self._heard.steps:
            known = self._known(self._drafts.opened(step.events))
            events = to_builtins([{"event": type(event).__name__, **event.fields()} for event in known])
            entries.append({"n": step.n, "entry": type(step.entry).__name__, "events": events})
        table: dict[str, object] = {}
        if header is not None:
            players = [{"name": player.name, "bot": player.bot} for player in header.players]
            table = {"game": header.game_id.hex(), "edition": header.config.named, "players": players}
        return {**table, "seat": self._viewer, "closed": self._closed, "entries": entries}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text. If the end of the file is damaged, the text ends before it, and says
        so."""
        heard, header = self._heard, self._audit.header
        ended: ev.GameEnded | None = None
        picks: list[ev.Picked] = []
        for step in heard.steps:
            events = self._drafts.opened(step.events)
            if header is not None:
                yield from self._entry(step.n, step.entry, events, header)
            picks += [event for event in events if isinstance(event, ev.Picked)]
            own = self._known(own_part(step.events, events, self._viewer))
            yield from (f"    {line}" for line in self._sentences(own))
            ended = next((event for event in step.events if isinstance(event, ev.GameEnded)), ended)
        yield ""
        if heard.broken:
            yield self._texts.say("entry {n} cannot be read: the rest of the file is left out", n=heard.broken)
        if header is not None and header.draft and picks:
            yield self._picks(picks, header)
        if ended is None or header is None:
            yield self._texts.say("the game was not finished")
        else:
            scores = ended.scores[: len(self._names)]
            yield from score_lines(self._texts, self._names, scores, ended.winners if self._closed else ())
            yield from () if self._closed else (self._texts.say(NO_WINNER),)

    def _entry(self, n: int, entry: log.AnyEntry, events: Sequence[Event], header: log.Header) -> Iterator[str]:
        say = self._texts.say
        match entry:
            case log.Open():
                yield from self._header(header)
            case log.CoSigned():
                yield self._cosigned(n, header)
                yield ""
            case log.Handover():
                name = printable(header.players[entry.seat].name)
                yield say("[{n}] the host hands the game over to {who}", n=n, who=name)
            case log.SeatChange():
                yield self._seat_change(n, entry, header)
            case log.Move():
                yield f"[{n}] {seat_name(entry.seat)} {self._move(n, entry)}"
            case log.TableMove():
                yield say("[{n}] table", n=n)
            case log.Said():
                yield f"[{n}] {self._draft_message(entry, events, header)}"

    def _header(self, header: log.Header) -> Iterator[str]:
        say, chance = self._texts.say, self._texts.say("by chance")
        yield say(
            "game {game}, {program}, rules {rules}, edition {edition}",
            game=header.game_id.hex(), program=header.program, rules=header.rules.hex()[:8],
            edition=header.config.named,
        )  # fmt: skip
        cast = card_names(self._texts.characters, header.cast)
        uniques = card_names(self._texts.districts, header.districts)
        yield say("characters: {names}", names=cast or chance)
        yield say("unique districts: {names}", names=uniques or chance)
        if header.called_off:
            yield say("cancelled starts of this game: {count}", count=len(header.called_off))
        for seat, player in enumerate(header.players):
            text = msg("{seat}: {name} (bot)") if player.bot else msg("{seat}: {name}")
            yield say(text, seat=seat_name(seat), name=player.name)
        if self._viewer is None or self._viewer >= len(header.players):
            yield say("as a spectator received it")
        else:
            yield say("as {name} received it", name=header.players[self._viewer].name)

    def _cosigned(self, n: int, header: log.Header) -> str:
        signed = next(each for each in self._audit.cosigned if each.n == n)
        words = " ".join(signed.words) or self._texts.say("no check words")
        missing = _names([seat for seat in range(len(header.players)) if seat not in signed.seats], header)
        signers = self._texts.say("all except {who}", who=missing) if missing else self._texts.say("all players")
        text = msg("[{n}] after round {round}, signed by {who}: {words}")
        if signed.over:
            text = msg("[{n}] end, signed by {who}: {words}")
        return self._texts.say(text, n=n, round=signed.round, words=words, who=signers)

    def _seat_change(self, n: int, entry: log.SeatChange, header: log.Header) -> str:
        text = (
            msg("[{n}] The host reports {who} offline."),
            msg("[{n}] A bot ({level}) plays for {who}."),
            msg("[{n}] {who} is back."),
        )[entry.what]
        return self._texts.say(text, n=n, who=header.players[entry.seat].name, level=printable(entry.level))

    def _draft_message(self, entry: log.Said, events: Sequence[Event], header: log.Header) -> str:
        """Return the line for a message of a sealed draft; for a pick with its character if that is known."""
        item, say = entry.items[0], self._texts.say
        match drafts.decode_message(item.message):
            case drafts.Begun():
                return say("all players begin the draft")
            case drafts.CallReply():
                return say(
                    "answers to the call of a character: {who}",
                    who=_names([each.seat for each in entry.items], header),
                )
            case drafts.Dealt():
                text = say("deals the characters")
            case drafts.PassedOn():
                text = _pick(events) or f"pick ({say('hidden')})"
            case drafts.HandedOver() as given:
                text = say("gives {to} a character", to=seat_name(given.to))
            case drafts.Complained() as complaint:
                text = say("complains about entry {entry}", entry=complaint.entry)
            case _:
                text = say("passes on the face-down character")
        return f"{seat_name(item.seat)} {text}"

    def _move(self, n: int, move: log.Move) -> str:
        """Return the notation of a move; hidden parts are shown if they were revealed later."""
        if isinstance(move.what, str):
            sealed = read_sealed(move.what)
            if sealed is None:
                return move.what
            return self._stars.get(n) or f"{sealed.line} ({self._texts.say('sealed')})"
        parts = [self._audit.concealed.opened.get((n, index)) for index in range(len(move.what) // WIDTH)]
        opened = tuple(part.line for part in parts if part is not None)
        if len(opened) == len(parts):
            return join(opened)
        return " ".join((*opened, f"({self._texts.say('hidden')})"))

    def _picks(self, picks: Sequence[ev.Picked], header: log.Header) -> str:
        """Return a line with the number of picks in sealed drafts, and the seats with picks that are not
        revealed."""
        hidden = [pick.seat for pick in picks if pick.character == HIDDEN]
        if not hidden:
            return self._texts.say("sealed drafts: {picks} picks, all opened", picks=len(picks))
        text = msg("sealed drafts: {picks} choices, {left} not revealed here: {who}")
        return self._texts.say(text, picks=len(picks), left=len(hidden), who=_names(sorted({*hidden}), header))

    def _sentences(self, events: Sequence[Event]) -> Iterator[str]:
        """Yield the sentences about the events of one entry, as the log at the table shows them."""
        for event, after in zip(events, [*events[1:], None], strict=False):
            if isinstance(event, (ev.TurnEnded, ev.RoundEnded)) or _in_heading(event, after):
                continue
            if isinstance(event, ev.RoundBegan):
                if self._round in self._points:
                    yield recordings.points_line(self._texts, self._names, self._points[self._round])
                self._round += 1
            line = self._sentence(event)
            if line is not None and self._viewer is not None and event.redact(None) != event:
                line = self._texts.say(msg("(private) {line}"), line=line)
            if line is not None:
                yield line

    def _sentence(self, event: Event) -> str | None:
        try:
            return event_sentence(self._texts, event, self._names, self._viewer)
        except (LookupError, ValueError):
            return " ".join((type(event).__name__, *(f"{name}={it}" for name, it in event.fields().items())))


def _names(seats: Sequence[int], header: log.Header) -> str:
    return ", ".join(header.players[seat].name for seat in seats)


def _pick(events: Sequence[Event]) -> str | None:
    """Return the notation of the pick in these events; None if its character or the card laid aside is not
    known."""
    for event in events:
        if isinstance(event, ev.Picked) and HIDDEN not in (event.character, *event.laid):
            return str(Pick(event.character, next(iter(event.laid), None)))
    return None


def _stars(transcript: Transcript, audit: Auditor) -> dict[int, str]:
    """Return, by number of the entry, the notation of each sealed move, in which a star marks the signed
    marker. It is known if the log reveals it or if the transcript's owner made the move."""
    own = {committed(transcript.head.game_id, opening): opening for opening in transcript.own}
    own_stars = {
        place.n: own[commit].line
        for commit, place in audit.concealed.pending.items()
        if commit in own and place.sealed is not None and fits(own[commit], place.sealed)
    }
    return own_stars | {
        n: opening.line for (n, _), opening in audit.concealed.opened.items() if "*" in opening.line
    }


def card_names(names: Callable[[Sequence[str]], str], keys: Sequence[str]) -> str:
    """Return the names of the cards `keys`, made by `names`; if one key is unknown, return the keys."""
    try:
        return names(keys)
    except KeyError:
        return " ".join(keys)


def _in_heading(event: Event, after: Event | None) -> bool:
    """Return whether the heading of a turn already shows this event: the call of a character or the revealed
    character."""
    match event:
        case ev.Called():
            return isinstance(after, ev.Revealed)
        case ev.Revealed(seat):
            return isinstance(after, ev.TurnBegan) and after.seat == seat
    return False


def replay(console: Console, options: argparse.Namespace) -> int:
    """Show or save a game, and return the exit code. Raises Failure."""
    if options.file == "-":  # Its standard input is the keyboard.
        raise console.failure(msg("`replay` reads keys from standard input. Give a file instead of `-`."))
    if options.plain and options.text is None:
        options.text = "-"
    outputs = [out for out in (options.text, options.svg, options.cast) if out is not None]
    if options.at is not None and options.svg is None:
        raise console.failure(msg("--at selects the moment for --svg. Use both."))
    if options.speed is not None and options.cast is None:
        raise console.failure(msg("--speed sets the speed of the film. Use it with --cast."))
    if options.force and not outputs:
        raise console.failure(msg("--force replaces a file. Name it with --text, --svg or --cast."))
    for out in outputs:
        if out != "-" and Path(out).exists() and Path(options.file).exists() and samefile(out, options.file):
            raise console.failure(msg("{path} is the transcript. Choose another file."), path=out)
        console.require_free(out, replace=options.force)
    try:
        return _save(console, options) if outputs else _watch(console, Path(options.file))
    except recordings.NotReplayable as reason:
        raise _not_replayable(console, reason, options.file) from None


def _not_replayable(console: Console, reason: recordings.NotReplayable, file: str) -> Failure:
    if reason.other_rules is not None:
        return Failure(OTHER_RULES, f"{file}: {sentence(reason.other_rules, None, console.texts.say)}")
    text = msg("Cannot replay {file}. For the reason, run `citadels-lan verify`.")
    return console.failure(text, UNREADABLE, file=file)


def _watch(console: Console, path: Path) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        text = msg(
            "The replay screen needs a terminal. To print the game, run `citadels-lan replay {file} --text`."
        )
        raise console.failure(text, REFUSED, file=path)
    return run_replay(console.texts, path, save_language)


def _save(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.ui.pictures import film, picture

    recording, texts = recordings.load_recording(Path(options.file)), console.texts
    moves = len(recording.steps)
    if options.at is not None and options.at > moves:
        raise console.failure(msg("--at must be a move from 1 to {moves}."), moves=moves)
    if options.text is not None:
        console.save(options.text, recordings.as_text(recording, texts), replace=options.force)
    if options.svg is not None:
        drawing = picture(recording, texts, options.size, (options.at or moves) - 1, plain=options.ascii)
        console.save(options.svg, asyncio.run(drawing), replace=options.force)
    if options.cast is not None:
        filming = film(recording, texts, options.size, options.speed or 2.0, plain=options.ascii)
        console.save(options.cast, asyncio.run(filming), replace=options.force)
    return DONE
