"""A game out of its transcript, move by move, as far as the file goes and with everything that the file knows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.bookkeeping import followed
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.draft.playing import KnownEvents, speaker
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import EVENTFUL, Move, Open, Said, TableMove, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.replay import MoveLines, Played, chance_of, play, table_of
from citadels_lan.crypto.report.drafts import opened_drafts, unknown_picks, with_characters
from citadels_lan.crypto.report.examined import Examined
from citadels_lan.crypto.report.examining import examine, other_rules
from citadels_lan.crypto.report.model import FileReport, Finding
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.crypto.transcript import Damaged, HeardFile, Transcript, hear, read
from citadels_lan.engine import Event, State, view
from citadels_lan.engine.events import GameEnded

from .archive import closes
from .past.own_key import owner_of


class NotReplayable(Exception):
    """Nothing of a game can be read in the file; verification says more. `other_rules` says that the game was
    played with other rules, if that is why."""

    def __init__(self, other_rules: Finding | None = None) -> None:
        super().__init__()
        self.other_rules = other_rules


@dataclass(frozen=True)
class Recording:
    """A game: the names by seat, and what happened, one step for each move and each deal; at least one. `seat` is
    that of whoever's file it is, None for a spectator's.

    After the end of a game its transcript opens everything. One that stops before, or where somebody has kept an
    opening back, tells what its owner was told.
    """

    path: Path
    names: Sequence[str]
    steps: Sequence[Played]
    seat: int | None = None

    @property
    def open(self) -> bool:
        """Whether all hands are known."""
        return self.steps[-1].state.whole

    @property
    def owner(self) -> int | None:
        """The seat whose hand is known, where not all are; None for a spectator's file."""
        viewer = self.steps[-1].state.viewer
        return viewer if viewer >= 0 else None

    @property
    def unopened(self) -> Sequence[int]:
        """The seats, of those whose hands are known, that have kept picks of sealed drafts to themselves."""
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
    """The game of a transcript. Raises NotReplayable."""
    try:
        transcript = read(path)
        if (other := other_rules(transcript)) is not None:
            raise NotReplayable(other)
        examined = examine(transcript, FileReport(path))
        header = examined.header
        steps = opened(examined) or list(told(hear(transcript), owner_of(transcript.head))) if header else []
        steps = steps if closed(transcript) else list(without_winner(steps))
    except (Damaged, Malformed, Mismatch, OSError) as reason:
        raise NotReplayable from reason
    if header is None or not steps:
        raise NotReplayable
    return Recording(path, [player.name for player in header.players], steps, transcript.head.seat)


def closed(transcript: Transcript) -> bool:
    """Whether the record of the game is closed: its last entry is *close*. Raises Malformed."""
    return bool(transcript.bodies) and closes(decode_entry(decode_delta(transcript.bodies[-1]).public))


def without_winner(steps: Iterable[Played]) -> Iterator[Played]:
    """The steps of a game whose record is not closed: such a game has no winner."""
    for step in steps:
        step.state.winners = ()
        events = (event.unwon() if isinstance(event, GameEnded) else event for event in step.events)
        yield replace(step, events=tuple(events))


def opened(examined: Examined) -> list[Played]:
    """A finished game with everything that was hidden; empty where the file does not open all of it. What seats
    have picked in sealed drafts and never opened stays unknown."""
    audit, header, entries = examined.audit, examined.header, examined.entries
    if audit.secret is None or header is None:
        return []
    drafts = opened_drafts(audit)
    try:
        played = play(header, entries, MoveLines(audit, entries).line, chance_of(audit))
        steps = with_characters(played, table_of(header), drafts)
        return _known([step for step in steps if step.events])
    except Mismatch:
        return []


def _known(steps: list[Played]) -> list[Played]:
    """The same, as a table has it that knows what was picked, where all of it is known."""
    for step in steps if not unknown_picks(steps) else ():
        step.state.draft = "sealed" if step.state.draft == "blind" else step.state.draft
    return steps


def told(heard: HeardFile, owner: Owner | None = None) -> Iterator[Played]:
    """A game as the owner of the file was told it, up to the first entry that cannot be; nothing of a table that
    this program does not play. What the owner has picked itself in sealed drafts is in it, where the log or its
    key opens that."""
    state: State | None = None
    drafts = opened_drafts(heard.audit, owner)
    for step in heard.steps:
        try:
            if isinstance(step.entry, Open):
                state = view(table_of(step.entry.header), heard.transcript.head.seat)
            if state is None or not isinstance(step.entry, EVENTFUL):
                continue
            state, events = _followed(step, state, drafts, heard.transcript.head.seat)
        except Mismatch:
            return
        if events:
            yield Played(step.n, *_mover(step.entry), tuple(events), state)


def _followed(
    step: LogStep, before: State, drafts: KnownEvents, seat: int | None
) -> tuple[State, Sequence[Event]]:
    """The view after an entry, and what came of it, with what the seat knows by itself where that can be: in a
    draft in which somebody has lied it may not. Raises Mismatch."""
    known = drafts.own(step.events, seat)
    try:
        return followed(step.n, before, known), known
    except Mismatch:
        return followed(step.n, before, step.events), step.events


def _mover(entry: Move | TableMove | Said) -> tuple[int | None, str]:
    """Whose move an entry is, and its line where that is not hidden."""
    if isinstance(entry, Move):
        return entry.seat, plain(entry.what) if isinstance(entry.what, str) else ""
    item = speaker(entry) if isinstance(entry, Said) else None
    return item.seat if item is not None else None, ""
