"""A recording in sentences: for the log beside a replay, and as one text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final

from citadels_lan.engine import HIDDEN, Event, State, edition_of, redact, seat_name
from citadels_lan.engine import events as ev
from citadels_lan.front.cells import clean
from citadels_lan.front.log import Log
from citadels_lan.front.recording import Recording
from citadels_lan.front.told.entries import Entry, Line
from citadels_lan.texts import Message, Texts, msg, msgs
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.texts.sentences.reasons import score_reason

from .points import RoundPoints, points_by_round

ALL_OPEN: Final = msg("All hands are open.")
OF_ONE: Final = msg("The game did not open what was hidden: only the hand of {name} is known, whose file this is.")
OF_NONE: Final = msg("A spectator's file of a game that did not open what was hidden: no hand is known.")
UNOPENED: Final = msg("Not all that {names} picked in the sealed drafts is known: it was not opened.")
STOPS: Final = msg("The recording stops here: the file has no more of this game.")
SCORE: Final = msgs("{seat}: {name}, {count} point ({parts})", "{seat}: {name}, {count} points ({parts})")
UNTOLD: Final = (ev.Shuffled, ev.Offered, ev.RoundBegan, ev.SetAside, ev.PutUnder)
"""Events whose hidden cards would only be noise: whole decks, and what comes of them is told next."""


class OpenLog(Log):
    """The log of somebody who sees all hands: each sentence as a spectator reads it, and after it the cards that
    were hidden then."""

    def line(self, texts: Texts, entry: Entry) -> Line | None:
        """One entry as a line; None where it says nothing."""
        if not isinstance(entry, Event):
            return super().line(texts, entry)
        public = redact(entry, None)
        line = super().line(texts, public)
        said = [", ".join(_named(texts, card) for card in cards) for cards in uncovered(entry, public)]
        return Line(line.kind, f"{line.text} [{' / '.join(said)}]") if line is not None and said else line


def uncovered(event: Event, public: Event) -> Sequence[Sequence[str]]:
    """The cards and characters that an event names and that not everybody was told: those that belong together."""
    if isinstance(event, UNTOLD):
        return ()
    whole, seen = event.fields(), public.fields()
    fields = ("kept",) if isinstance(event, ev.Kept) else tuple(whole)
    hidden = ([*_keys(whole[name])] for name in fields if whole[name] != seen[name])
    return [keys for keys in hidden if keys and HIDDEN not in keys]


def _keys(value: object) -> Iterable[str]:
    return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _named(texts: Texts, key: str) -> str:
    try:
        return texts.district(key)
    except KeyError:
        return texts.character(key)


class Retelling:
    """The lines of a recording in one language, step by step."""

    def __init__(self, recording: Recording, texts: Texts) -> None:
        self.names = shown_names(recording)
        self._recording, self._texts = recording, texts
        self._log = OpenLog(None, self.names, edition_of(recording.steps[0].state))
        self.steps = list(self._lines())

    def _lines(self) -> Iterator[list[Line]]:
        for played in self._recording.steps:
            start = len(self._log.entries)
            for event in played.events:
                self._log.add(event)
            yield list(self._log.lines(self._texts, start))

    def until(self, step: int) -> list[Line]:
        """All lines up to a step, this one included."""
        return list(chain.from_iterable(self.steps[: step + 1]))

    def of(self, step: int) -> str:
        """What a step was, in a sentence: the end of the game, or the first thing that came of it."""
        events = self._recording.steps[step].events
        events = events[-1:] if isinstance(events[-1], ev.GameEnded) else events
        lines = (self._log.line(self._texts, event) for event in events)
        return next((line.text for line in lines if line is not None), "")


def shown_names(recording: Recording) -> Sequence[str]:
    """The names of the players, made harmless."""
    return [clean(name, 24) or "?" for name in recording.names]


def what_is_known(recording: Recording) -> Message:
    """Which hands are open, as a text with `name` in it."""
    if recording.open:
        return ALL_OPEN
    return OF_NONE if recording.owner is None else OF_ONE


def known(recording: Recording, names: Sequence[str], texts: Texts) -> str:
    """Which hands are open, in a sentence, and whose picks are not."""
    said = texts.say(what_is_known(recording), name=names[recording.owner or 0])
    if not recording.unopened:
        return said
    return f"{said} {texts.say(UNOPENED, names=texts.listing([names[seat] for seat in recording.unopened]))}"


def as_text(recording: Recording, texts: Texts) -> Iterator[str]:
    """The whole game in lines: who plays, every round and turn under a heading of its own, and the result."""
    told = Retelling(recording, texts)
    for seat, name in enumerate(told.names):
        yield f"{seat_name(seat)}  {name}"
    yield known(recording, told.names, texts)
    rounds = {one.round: one for one in points_by_round(recording.steps)}
    for played, after, lines in zip_longest(recording.steps, recording.steps[1:], told.steps):
        yield from chain.from_iterable(map(_written, lines))
        if after is not None and after.state.round > max(played.state.round, 1):
            yield f"  {standing(texts, told.names, rounds[max(played.state.round, 1)])}"
    yield ""
    state = recording.steps[-1].state
    if not recording.finished:
        yield texts.say(STOPS)
        return
    yield from _scores(state, told.names, texts)
    if not recording.won:
        yield texts.say(NO_WINNER)


def standing(texts: Texts, names: Sequence[str], points: RoundPoints) -> str:
    """What everybody had at the end of a round, as far as it lay open, in a line."""
    said = ", ".join(f"{name} {count}" for name, count in zip(names, points.points, strict=True))
    return texts.say(msg("Points after round {round}: {points}"), round=points.round, points=said)


def _written(line: Line) -> Iterator[str]:
    if line.kind == "round":
        yield from ("", line.text, "=" * len(line.text))
    elif line.kind == "turn":
        yield from ("", line.text, "-" * len(line.text))
    else:
        yield f"  {line.text}"


def _scores(state: State, names: Sequence[str], texts: Texts) -> Iterator[str]:
    for seat, score in enumerate(state.scores):
        parts = ", ".join(f"{score_reason(texts, reason)} {points:+}" for reason, points in score.parts)
        yield texts.say(SCORE, seat=seat_name(seat), name=names[seat], count=score.total, parts=parts)
