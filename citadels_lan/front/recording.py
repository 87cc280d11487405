"""A game out of its transcript, move by move, as far as the file goes and with everything that the file knows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citadels_lan.crypto.bookkeeping import followed
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.draft.playing import DraftEntry
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import EVENTFUL, DraftSaid, Move, Open, TableMove
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import MoveLines, Played, chances, play, table_of
from citadels_lan.crypto.report.examined import Examined
from citadels_lan.crypto.report.examining import examine
from citadels_lan.crypto.report.gathering import told_boxes
from citadels_lan.crypto.report.hearing import HeardFile, hear
from citadels_lan.crypto.report.model import FileReport
from citadels_lan.crypto.report.opened_drafts import OpenedDrafts, own_part, unknown_picks, with_characters
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.engine import Event, State, view

from .past.own_key import owner_of


class NotReplayable(Exception):
    """Nothing of a game can be read in the file; verification says more."""


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


def load_recording(path: Path) -> Recording:
    """The game of a transcript. Raises NotReplayable."""
    try:
        transcript = read(path)
        examined = examine(transcript, FileReport(path))
        header = examined.header
        steps = opened(examined) or list(told(hear(transcript), owner_of(transcript.head))) if header else []
    except (Damaged, Mismatch, OSError) as reason:
        raise NotReplayable from reason
    if header is None or not steps:
        raise NotReplayable
    return Recording(path, [player.name for player in header.players], steps, transcript.head.seat)


def opened(examined: Examined) -> list[Played]:
    """A finished game with everything that was hidden; empty where the file does not open all of it. What seats
    have picked in sealed drafts and never opened stays unknown."""
    audit, header, entries = examined.audit, examined.header, examined.entries
    if audit.secret is None or header is None:
        return []
    drafts = OpenedDrafts(audit, told_boxes(examined.transcript))
    try:
        played = play(header, entries, MoveLines(audit, entries).line, chances(audit))
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
    drafts = OpenedDrafts(heard.audit, told_boxes(heard.transcript), owner)
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
    step: LogStep, before: State, drafts: OpenedDrafts, seat: int | None
) -> tuple[State, Sequence[Event]]:
    """The view after an entry, and what came of it, with what the seat knows by itself where that can be: in a
    draft in which somebody has lied it may not. Raises Mismatch."""
    known = own_part(step.events, drafts.known(step.n, step.events), seat)
    try:
        return followed(step.n, before, known), known
    except Mismatch:
        drafts.leave()
        return followed(step.n, before, step.events), step.events


def _mover(entry: Move | TableMove | DraftEntry) -> tuple[int | None, str]:
    """Whose move an entry is, and its line where that is not hidden."""
    if isinstance(entry, Move):
        return entry.seat, plain(entry.what) if isinstance(entry.what, str) else ""
    return entry.seat if isinstance(entry, DraftSaid) else None, ""
