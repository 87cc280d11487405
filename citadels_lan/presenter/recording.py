"""A game from its transcript, move by move, with everything that the file and the keys on this computer
reveal; its text, its points by round, and saving it as a file."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import Final

from msgspec.structs import replace as changed

from citadels_lan.crypto import replay
from citadels_lan.crypto.bookkeeping import followed
from citadels_lan.crypto.client_log import FileHead, Owner
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.commitments import plain
from citadels_lan.crypto.draft.knowledge import speaker
from citadels_lan.crypto.log import EVENTFUL, Mismatch, Move, Open, Said, decode_delta, decode_entry
from citadels_lan.crypto.replay import Played, opened_drafts, table_of, unknown_picks
from citadels_lan.crypto.report.model import FileReport, Finding
from citadels_lan.crypto.report.verify import Examined, examine, other_rules
from citadels_lan.crypto.transcript import Damaged, HeardFile, Transcript, hear, read
from citadels_lan.engine import HIDDEN, Event, State, edition_of, evolve, redact, seat_name, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.client.records import GameIdentity, key_path, load_key
from citadels_lan.platform.files import data_folder
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.log import score_lines
from citadels_lan.texts.record import NO_WINNER

from .archive import closes
from .attacks import Situation, attack, clears
from .facts import open_points
from .log import Entry, Line, Log


def owner_of(head: FileHead) -> Owner | None:
    """Return the owner of a transcript together with their secret key. None for a spectator's transcript, or
    if the key is not on this computer."""
    if head.seat is None:
        return None
    data = data_folder()
    path = key_path(data / "games", GameIdentity(head.game_id, head.fp, head.host), head.key)
    for found in (path, *data.glob(f"*/*/games/{path.name}")):  # Other players of this machine and bots.
        with suppress(OSError):
            if found.exists():
                return Owner(load_key(found), head.game_id, head.seat)
    return None


class NotReplayable(Exception):
    """The file contains nothing of a game that can be shown; `citadels-lan verify` gives details.
    `other_rules` is set if the reason is that the game was played with other rules."""

    def __init__(self, other_rules: Finding | None = None) -> None:
        super().__init__()
        self.other_rules = other_rules


@dataclass(frozen=True)
class Recording:
    """A recorded game: the names by seat, and at least one step; a step is a move or a deal. `seat` is the
    owner of the file, None for a spectator's file. The transcript of a finished game with all openings shows
    all hands. Any other transcript shows only what its owner saw."""

    path: Path
    names: Sequence[str]
    steps: Sequence[Played]
    seat: int | None = None

    @property
    def open(self) -> bool:
        """Whether the recording shows all hands."""
        return self.steps[-1].state.whole

    @property
    def owner(self) -> int | None:
        """If only one hand is known, the seat with that hand; None for a spectator's file, or if all hands
        are known."""
        viewer = self.steps[-1].state.viewer
        return viewer if viewer >= 0 else None

    @property
    def unopened(self) -> Sequence[int]:
        """The seats that have not opened all their picks of sealed drafts, although their hands are known."""
        closed = unknown_picks(self.steps)
        return closed if self.open else [seat for seat in closed if seat == self.owner]

    @property
    def finished(self) -> bool:
        """Whether the recording reaches the end of the game."""
        return self.steps[-1].state.phase == "over"

    @property
    def won(self) -> bool:
        """Whether the game has a winner: it was played to its end, and its record is closed."""
        return bool(self.steps[-1].state.winners)


def load_recording(path: Path) -> Recording:
    """Return the recording of the transcript at `path`. Raises NotReplayable."""
    try:
        transcript = read(path)
        if (other := other_rules(transcript)) is not None:
            raise NotReplayable(other)
        examined = examine(transcript, FileReport(path))
        header = examined.header
        steps: list[Played] = []
        if header is not None:
            steps = opened(examined) or list(told_steps(hear(transcript), owner_of(transcript.head)))
        if not closed(transcript):  # Such a game has no winner.
            for number, step in enumerate(steps):
                step.state.winners = ()
                events = (event.unwon() if isinstance(event, GameEnded) else event for event in step.events)
                steps[number] = changed(step, events=tuple(events))
    except (Damaged, Malformed, Mismatch, OSError) as reason:
        raise NotReplayable from reason
    if header is None or not steps:
        raise NotReplayable
    return Recording(path, [player.name for player in header.players], steps, transcript.head.seat)


def closed(transcript: Transcript) -> bool:
    """Return whether the record of the game is closed: its last entry is *close*. Raises Malformed."""
    return bool(transcript.bodies) and closes(decode_entry(decode_delta(transcript.bodies[-1]).public))


def opened(examined: Examined) -> list[Played]:
    """Return the steps of a finished game with all hidden information; an empty list if the file does not
    open everything. Picks of sealed drafts whose opening is missing stay unknown."""
    audit, header, entries = examined.audit, examined.header, examined.entries
    if audit.secret is None or header is None:
        return []
    drafts = opened_drafts(audit)
    try:
        played = replay.play(header, entries, partial(replay.opened_line, audit), replay.chance_of(audit))
        steps = [step for step in replay.with_characters(played, table_of(header), drafts) if step.events]
    except Mismatch:
        return []
    # If all picks are known, the states are those of a table that knows them.
    for step in steps if not unknown_picks(steps) else ():
        step.state.draft = "sealed" if step.state.draft == "blind" else step.state.draft
    return steps


def told_steps(heard: HeardFile, owner: Owner | None = None) -> Iterator[Played]:
    """Yield the steps of a game as the owner of the file saw them, up to the first unreadable entry; none if
    this program does not know the rules of the table. The owner's picks of sealed drafts are included if the
    log or the owner's key opens them."""
    state: State | None = None
    seat, drafts = heard.transcript.head.seat, opened_drafts(heard.audit, owner)
    for step in heard.steps:
        entry = step.entry
        try:
            if isinstance(entry, Open):
                state = view(table_of(entry.header), seat)
            if state is None or not isinstance(entry, EVENTFUL):
                continue
            events = drafts.own(step.events, seat)
            try:
                state = followed(step.n, state, events)
            except Mismatch:  # After a lie in a sealed draft the owner's knowledge may contradict the log.
                state, events = followed(step.n, state, step.events), step.events
        except Mismatch:
            return
        if not events:
            continue
        mover, line = None, ""
        if isinstance(entry, Move):
            mover, line = entry.seat, plain(entry.what) if isinstance(entry.what, str) else ""
        elif isinstance(entry, Said) and (item := speaker(entry)) is not None:
            mover = item.seat
        yield Played(step.n, mover, line, tuple(events), state)


# In sentences


@dataclass(frozen=True)
class RoundPoints:
    """The points of each seat at the end of a round. `final`: they are the final scores, which include the
    points of hidden cards."""

    round: int
    points: tuple[int, ...]
    final: bool = False


def points_by_round(steps: Iterable[Played]) -> Sequence[RoundPoints]:
    """Return the points at the end of each round. For a round that is not finished, they are the points so
    far."""
    # A later step of the same round replaces the earlier one.
    last = {_round(step): step.state for step in steps}
    return [
        RoundPoints(number, tuple(score.total for score in state.scores), final=True)
        if state.phase == "over"
        else RoundPoints(number, tuple(open_points(state)))
        for number, state in last.items()
    ]


def _round(step: Played) -> int:
    """Return the number of the round of a step. The deal belongs to the first round."""
    return max(step.state.round, 1)


def bars(points: int, most: int, heights: str, lines: int = 1) -> Sequence[str]:
    """Return `points` as a vertical bar that is one cell wide and `lines` lines high, the highest line first.
    `heights` are the characters from an empty to a full cell, and `most` are the points of a full bar. Even
    one point is visible."""
    full = len(heights) - 1
    filled = -(-points * full * lines // max(most, 1))
    return [heights[max(0, min(filled - full * line, full))] for line in reversed(range(lines))]


def first_steps(steps: Sequence[Played]) -> dict[int, int]:
    """Return, for each round, the number of its first step."""
    first = {_round(step): number for number, step in reversed(list(enumerate(steps)))}
    return dict(sorted(first.items()))


def harmed(steps: Sequence[Played]) -> Sequence[frozenset[int]]:
    """Return, for each step, the seats that it attacked (as defined in `attacks`)."""
    found = [frozenset[int]()]
    for before, after in pairwise(steps):
        state, hurt = before.state, set()
        for event in after.events:
            hurt |= {seat for seat in range(len(state.players)) if attack(event, situation(state, seat))}
            state = evolve(state, event)
        found.append(frozenset(hurt))
    return found


def situation(state: State, seat: int) -> Situation:
    """Return the situation of a seat (as `attacks` needs it), as far as `state` shows it."""
    killed, turn = state.mark("killed"), state.turn.seat if state.turn is not None else None
    character, ranks = killed.character if killed is not None else "", edition_of(state).ranks
    held = frozenset(state.players[seat].concealed)
    return Situation(seat, held, turn, killed=character, ranks=ranks, healed=clears(state, seat))


STOPS: Final = msg("The recording ends here: the file contains no more moves.")
UNTOLD: Final = (ev.Shuffled, ev.Offered, ev.RoundBegan, ev.SetAside, ev.PutUnder)
"""Events whose hidden cards are not shown: they are whole decks, and later events show the cards that
matter."""


class OpenLog(Log):
    """The log of a recording that shows all hands: each line is that of a spectator, followed by the cards
    that were hidden at that time."""

    def line(self, texts: Texts, entry: Entry) -> Line | None:
        """Return one entry as a line; None if it has no text."""
        if not isinstance(entry, Event):
            return super().line(texts, entry)
        public = redact(entry, None)
        line, names = super().line(texts, public), texts.district
        groups = [
            ", ".join(texts.character(key) if key in CHARACTERS else names(key) for key in keys)
            for keys in uncovered(entry, public)
        ]
        return Line(line.kind, f"{line.text} [{' / '.join(groups)}]") if line is not None and groups else line


def uncovered(event: Event, public: Event) -> Sequence[Sequence[str]]:
    """Return the cards and characters that `event` contains but `public`, its public form, does not; one
    group for each field."""
    whole, seen, groups = event.fields(), public.fields(), []
    for name in () if isinstance(event, UNTOLD) else ("kept",) if isinstance(event, ev.Kept) else tuple(whole):
        value = (whole[name],) if isinstance(whole[name], str) else whole[name]
        if whole[name] != seen[name] and isinstance(value, tuple) and value and HIDDEN not in value:
            groups.append(list(value))
    return groups


class Retelling:
    """The log lines of a recording in one language, by step."""

    def __init__(self, recording: Recording, texts: Texts) -> None:
        self.names = shown_names(recording)
        self.steps: list[list[Line]] = []
        self._recording, self._texts = recording, texts
        self._log = OpenLog(None, self.names, edition_of(recording.steps[0].state))
        for played in recording.steps:
            start = len(self._log.entries)
            for event in played.events:
                self._log.add(event)
            self.steps.append(list(self._log.lines(texts, start)))

    def until(self, step: int) -> list[Line]:
        """Return the log lines up to and including a step."""
        return list(chain.from_iterable(self.steps[: step + 1]))

    def of(self, step: int) -> str:
        """Return one sentence about a step: its first event, or the end of the game."""
        events = self._recording.steps[step].events
        # The end of the game matters more than the move that caused it.
        events = events[-1:] if isinstance(events[-1], ev.GameEnded) else events
        lines = (self._log.line(self._texts, event) for event in events)
        return next((line.text for line in lines if line is not None), "")


def shown_names(recording: Recording) -> Sequence[str]:
    """Return the names of the players without unsafe characters."""
    return [clean(name, 24) or "?" for name in recording.names]


def known_hands(recording: Recording, names: Sequence[str], texts: Texts) -> str:
    """Return a sentence about whose hands are known, and whose picks are not."""
    known = msg("All hands are visible.")
    if not recording.open and recording.owner is None:
        known = msg("This is a spectator's file, and the hidden choices were not revealed. No hand is known.")
    elif not recording.open:
        known = msg(
            "The hidden choices were not revealed. Only the hand of {name}, the owner of this file, is known."
        )
    sentences = [texts.say(known, name=names[recording.owner or 0])]
    if recording.unopened:
        unopened = msg("Some choices of {names} in the sealed drafts are unknown: they were not revealed.")
        sentences.append(texts.say(unopened, names=texts.listing([names[seat] for seat in recording.unopened])))
    return " ".join(sentences)


def as_text(recording: Recording, texts: Texts) -> Iterator[str]:
    """Yield the whole game as lines of text: the players, each round and turn with a heading, and the
    result."""
    told = Retelling(recording, texts)
    names, rounds = told.names, {points.round: points for points in points_by_round(recording.steps)}
    yield from (f"{seat_name(seat)}  {name}" for seat, name in enumerate(names))
    yield known_hands(recording, names, texts)
    for played, after, lines in zip_longest(recording.steps, recording.steps[1:], told.steps):
        for line in lines:
            underline = {"round": "=", "turn": "-"}.get(line.kind)
            yield from ("", line.text, underline * len(line.text)) if underline else (f"  {line.text}",)
        if after is not None and _round(after) > _round(played):
            yield f"  {points_line(texts, names, rounds[_round(played)])}"
    yield ""
    if not recording.finished:
        yield texts.say(STOPS)
        return
    state = recording.steps[-1].state
    yield from score_lines(texts, names, state.scores, state.winners)
    if not recording.won:
        yield texts.say(NO_WINNER)


def points_line(texts: Texts, names: Sequence[str], points: RoundPoints) -> str:
    """Return a line with the points of all players at the end of a round."""
    said = ", ".join(f"{name} {count}" for name, count in zip(names, points.points, strict=True))
    return texts.say("Points after round {round}: {points}", round=points.round, points=said)


def points_of_game(path: Path | None) -> Sequence[Sequence[int]]:
    """Return the points of each seat at the end of each round; an empty list if there is no readable
    transcript. The game is replayed for this, which takes a moment, so run it in a thread."""
    if path is None or not path.exists():
        return ()
    try:
        return [one.points for one in points_by_round(load_recording(path).steps)]
    except NotReplayable:
        return ()


def save(path: Path, lines: Iterable[str], *, replace: bool = False) -> None:
    """Write lines to a file. Raises OSError; FileExistsError if the file exists and `replace` is false."""
    with path.open("w" if replace else "x", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def not_saved(texts: Texts, path: Path, reason: OSError) -> str:
    """Return a sentence about why a file was not written."""
    if isinstance(reason, FileExistsError):
        return texts.say("{path} exists already. Choose another name.", path=path)
    return texts.say("Cannot write {path}: {reason}.", path=path, reason=reason.strerror or reason)


def asciicast(width: int, height: int, title: str, shown: Iterable[tuple[float, str]]) -> Iterator[str]:
    """Yield the lines of an asciicast, a recording of a terminal: its header, then each output with its time
    in seconds."""
    yield json.dumps({"version": 2, "width": width, "height": height, "title": title}, ensure_ascii=False)
    for seconds, sent in shown:
        yield json.dumps([round(seconds, 3), "o", sent], ensure_ascii=False)
