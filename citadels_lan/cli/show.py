"""`show`: a transcript as text, in sentences."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, OTHER_RULES, REFUSED, UNREADABLE, Console, Failure, not_replayable
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from pathlib import Path

    from citadels_lan.crypto.replay import Played
    from citadels_lan.engine import Event
    from citadels_lan.front.retelling import RoundPoints

MOST_EVENTS: Final = 12_000
PERCENT_A_LINE: Final = 20


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "file", metavar=say("FILE"), help=say("a transcript, a file ending in .ctr, or - for standard input")
    )
    parser.options.add_argument(
        "--review",
        action="store_true",
        help=say("the biggest mistakes of the player who saved the file, with better moves"),
    )
    parser.epilog = say("What it shows is not checked: `citadels-lan verify FILE` does that.")


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.cli.profiles import one
    from citadels_lan.cli.transcript_text import TEXTS, lines
    from citadels_lan.crypto.report.examining import other_rules
    from citadels_lan.crypto.report.model import sentence, unread
    from citadels_lan.crypto.transcript import Damaged, hear, read
    from citadels_lan.front.recording import owner_of, told_steps
    from citadels_lan.front.retelling import points_by_round

    say = console.texts.say
    path = one(options.file)
    if options.review:
        return _review(console, path, options.file)
    try:
        transcript = read(path)
    except (Damaged, OSError) as error:
        raise Failure(UNREADABLE, f"{path}: {sentence(unread(path, error), None, say)}") from None
    if (other := other_rules(transcript)) is not None:
        raise Failure(OTHER_RULES, f"{path}: {sentence(other, None, say)}")
    game, owner = hear(transcript), owner_of(transcript.head)
    damaged = False

    def translated(message: str, /, **values: object) -> str:
        nonlocal damaged
        damaged = damaged or message == TEXTS["damaged"]
        return say(message, **values)

    points = {one.round: one for one in points_by_round(_first(told_steps(game, owner))) if not one.final}
    for line in lines(game, translated, Sentences(console.texts, points), owner):
        console.line(line)
    return UNREADABLE if damaged else DONE


def _first(steps: "Iterable[Played]") -> "Iterator[Played]":
    """As much of a game as points are reckoned for: more than any that was played."""
    events = 0
    for played in steps:
        events += len(played.events)
        if events > MOST_EVENTS:
            return
        yield played


def _review(console: Console, path: "Path", named: str) -> int:
    """Print the biggest mistakes, and the progress on standard error."""
    import asyncio

    from citadels_lan.bots.search.reviews import review
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.front.recording import NotReplayable, load_recording
    from citadels_lan.front.retelling import shown_names
    from citadels_lan.front.review import decided, seat_review

    say = console.texts.say
    try:
        recording = load_recording(path)
    except NotReplayable as reason:
        raise not_replayable(reason, named, console.texts) from None
    if recording.seat is None:
        raise Failure(REFUSED, say(msg("{file} is a spectator's: there are no moves to review."), file=named))

    with ThinkingPool() as pool:
        found = asyncio.run(review(pool, list(decided(recording, recording.seat)), Progress(console)))
    console.passing("")
    for line in seat_review(console.texts, found, shown_names(recording), recording.seat):
        console.line(line)
    return DONE


class Progress:
    """Says how far the thinking is: all the time on a terminal, elsewhere in a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told = 0

    def __call__(self, share: float) -> None:
        percent = round(100 * share)
        said = self._console.texts.say(msg("Thinking: {percent} %"), percent=percent)
        if not self._console.passing(said) and percent >= self._told + PERCENT_A_LINE:
            self._told = percent
            self._console.complain(said)


class Sentences:
    """Tells a game in a language, as the table's log does, and at the end of each round who has how many `points`.
    What nobody has checked may name cards and seats that do not exist: such an event is shown as it is."""

    def __init__(self, texts: Texts, points: Mapping[int, "RoundPoints"] = MappingProxyType({})) -> None:
        self._texts = texts
        self._points = points
        self._round = 0
        self._names: Sequence[str] = ()
        self._viewer: int | None = None

    def begin(self, names: Sequence[str], viewer: int | None) -> None:
        self._names, self._viewer = names, viewer

    def tell(self, events: "Sequence[Event]") -> "Iterator[str]":
        from citadels_lan.engine import events as ev
        from citadels_lan.front.retelling import points_line

        silent, headed = (ev.TurnEnded, ev.RoundEnded), (ev.Called, ev.Revealed)
        for event, after in zip(events, [*events[1:], None], strict=False):
            if isinstance(event, silent):
                continue
            if isinstance(event, ev.RoundBegan):
                if self._round in self._points:
                    yield points_line(self._texts, self._names, self._points[self._round])
                self._round += 1
            line = None if isinstance(event, headed) and _in_heading(event, after) else self._sentence(event)
            if line is not None and self._viewer is not None and event.redact(None) != event:
                line = self._texts.say(msg("(private) {line}"), line=line)
            if line is not None:
                yield line

    def _sentence(self, event: "Event") -> str | None:
        from citadels_lan.cli.transcript_text import event_text
        from citadels_lan.texts.sentences.sentence import sentence

        try:
            return sentence(self._texts, event, self._names, self._viewer)
        except (LookupError, ValueError):
            return event_text(event)

    def characters(self, keys: Sequence[str]) -> str:
        return _named(self._texts.characters, keys)

    def districts(self, keys: Sequence[str]) -> str:
        return _named(self._texts.districts, keys)

    def points(self, reason: str) -> str:
        from citadels_lan.texts.sentences.teller import score_reason

        try:
            return score_reason(self._texts, reason)
        except KeyError:
            return reason


def _named(names: Callable[[Sequence[str]], str], keys: Sequence[str]) -> str:
    try:
        return names(keys)
    except KeyError:
        return " ".join(keys)


def _in_heading(event: "Event", after: "Event | None") -> bool:
    """Whether the text is as clear without an event: a turn's heading says who was called and revealed."""
    from citadels_lan.engine import events

    match event:
        case events.Called():
            return isinstance(after, events.Revealed)
        case events.Revealed(seat):
            return isinstance(after, events.TurnBegan) and after.seat == seat
    return False
