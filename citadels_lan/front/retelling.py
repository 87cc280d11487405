"""A recording in sentences, its points round by round, and saving it as a file."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import Final

from citadels_lan.crypto.replay import Played
from citadels_lan.engine import HIDDEN, Event, State, edition_of, evolve, redact, seat_name
from citadels_lan.engine import events as ev
from citadels_lan.front.cells import clean
from citadels_lan.texts import Texts, msg, msgs
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.texts.sentences.teller import score_reason

from .attacks import Situation, attack, clears
from .city_view import open_points
from .log import Entry, Line, Log
from .recording import NotReplayable, Recording, load_recording


@dataclass(frozen=True)
class RoundPoints:
    """The points of each seat at the end of a round; `final`: those of the scoring, with what was hidden."""

    round: int
    points: tuple[int, ...]
    final: bool = False


def points_by_round(steps: Iterable[Played]) -> Sequence[RoundPoints]:
    """The points at the end of each round that was begun; in a round that is not over, those so far."""
    last = {max(played.state.round, 1): played.state for played in steps}  # the deal is part of the first one
    return [_points(state) for state in last.values()]


def _points(state: State) -> RoundPoints:
    number = max(state.round, 1)
    if state.phase == "over":
        return RoundPoints(number, tuple(score.total for score in state.scores), final=True)
    return RoundPoints(number, tuple(open_points(state)))


def bars(points: int, most: int, heights: str, lines: int = 1) -> Sequence[str]:
    """Points as a bar one cell wide in `lines` lines, the highest first: `heights` are the signs of a cell from
    empty to full, `most` the points of a full bar. One point is always visible."""
    full = len(heights) - 1
    filled = -(-points * full * lines // max(most, 1))
    return [heights[max(0, min(filled - full * line, full))] for line in reversed(range(lines))]


def first_steps(steps: Sequence[Played]) -> dict[int, int]:
    """The number of the first step of each round, by the number of the round. The deal is part of the first."""
    found: dict[int, int] = {}
    for number, played in enumerate(steps):
        found.setdefault(max(played.state.round, 1), number)
    return found


def harmed(steps: Sequence[Played]) -> Sequence[frozenset[int]]:
    """The seats that each step has hurt: attacks as in `attacks`."""
    return [frozenset(), *(frozenset(_harmed(before.state, after.events)) for before, after in pairwise(steps))]


def _harmed(state: State, events: Sequence[Event]) -> Iterator[int]:
    for event in events:
        yield from (seat for seat in range(len(state.players)) if attack(event, situation(state, seat)))
        state = evolve(state, event)


def situation(state: State, seat: int) -> Situation:
    """How a seat stands, as far as a state tells."""
    killed, turn = state.mark("killed"), state.turn.seat if state.turn is not None else None
    character, ranks = killed.character if killed is not None else "", edition_of(state).ranks
    held = frozenset(state.players[seat].concealed)
    return Situation(seat, held, turn, killed=character, ranks=ranks, healed=clears(state, seat))


STOPS: Final = msg("The recording stops here: the file has no more of this game.")
UNTOLD: Final = (ev.Shuffled, ev.Offered, ev.RoundBegan, ev.SetAside, ev.PutUnder)
"""Events whose hidden cards would only be noise: whole decks, and what comes of them is told next."""


class OpenLog(Log):
    """The log of a reader who sees all hands: each sentence as a spectator reads it, and after it the cards that
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
    """The cards and characters in an event that not all players saw, grouped by field."""
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
        """A step in a sentence: the end of the game, or its first event."""
        events = self._recording.steps[step].events
        events = events[-1:] if isinstance(events[-1], ev.GameEnded) else events
        lines = (self._log.line(self._texts, event) for event in events)
        return next((line.text for line in lines if line is not None), "")


def shown_names(recording: Recording) -> Sequence[str]:
    """The names of the players, made harmless."""
    return [clean(name, 24) or "?" for name in recording.names]


def known_hands(recording: Recording, names: Sequence[str], texts: Texts) -> str:
    """Which hands are open, in a sentence, and whose picks are not."""
    known = msg("All hands are open.")
    if not recording.open and recording.owner is None:
        known = msg("A spectator's file of a game that did not open what was hidden: no hand is known.")
    elif not recording.open:
        known = msg("The game did not open what was hidden: only the hand of {name} is known, whose file this is.")
    unopened = msg("Not all that {names} picked in the sealed drafts is known: it was not opened.")
    closed = texts.say(unopened, names=texts.listing([names[seat] for seat in recording.unopened]))
    said = texts.say(known, name=names[recording.owner or 0])
    return f"{said} {closed}" if recording.unopened else said


def as_text(recording: Recording, texts: Texts) -> Iterator[str]:
    """The whole game in lines: the players, each round and turn under its heading, and the result."""
    told = Retelling(recording, texts)
    for seat, name in enumerate(told.names):
        yield f"{seat_name(seat)}  {name}"
    yield known_hands(recording, told.names, texts)
    rounds = {one.round: one for one in points_by_round(recording.steps)}
    for played, after, lines in zip_longest(recording.steps, recording.steps[1:], told.steps):
        yield from chain.from_iterable(map(_written, lines))
        if after is not None and after.state.round > max(played.state.round, 1):
            yield f"  {points_line(texts, told.names, rounds[max(played.state.round, 1)])}"
    yield ""
    state = recording.steps[-1].state
    if not recording.finished:
        yield texts.say(STOPS)
        return
    yield from _scores(state, told.names, texts)
    if not recording.won:
        yield texts.say(NO_WINNER)


def points_line(texts: Texts, names: Sequence[str], points: RoundPoints) -> str:
    """The public points of all players at the end of a round, in a line."""
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
        said = msgs("{seat}: {name}, {count} point ({parts})", "{seat}: {name}, {count} points ({parts})")
        yield texts.say(said, seat=seat_name(seat), name=names[seat], count=score.total, parts=parts)


def points_of_game(path: Path | None) -> Sequence[Sequence[int]]:
    """The points of each seat at the end of every round; empty where there is no transcript to be read. Plays the
    game again, which takes a moment: call it where nothing waits."""
    if path is None or not path.exists():
        return ()
    try:
        return [one.points for one in points_by_round(load_recording(path).steps)]
    except NotReplayable:
        return ()


def save(path: Path, lines: Iterable[str], *, replace: bool = False) -> None:
    """Write lines to a file. Raises OSError; FileExistsError where there is one already, unless it is to be
    replaced."""
    with path.open("w" if replace else "x", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def not_saved(texts: Texts, path: Path, reason: OSError) -> str:
    """Why a file was not written, in a sentence."""
    if isinstance(reason, FileExistsError):
        return texts.say(msg("There is a file {path} already: choose another name."), path=path)
    return texts.say(msg("{path} cannot be written: {reason}."), path=path, reason=reason.strerror or reason)


def asciicast(width: int, height: int, title: str, shown: Iterable[tuple[float, str]]) -> Iterator[str]:
    """The lines of the file: what it is, then when, in seconds from the beginning, a terminal is sent what."""
    yield json.dumps({"version": 2, "width": width, "height": height, "title": title}, ensure_ascii=False)
    for seconds, sent in shown:
        yield json.dumps([round(seconds, 3), "o", sent], ensure_ascii=False)
