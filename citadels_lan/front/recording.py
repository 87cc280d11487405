"""A game out of its transcript, move by move, as far as the file goes and with everything that the file knows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import Move, Open, TableMove
from citadels_lan.crypto.referee.following import followed
from citadels_lan.crypto.replay import MoveLines, Played, chances, play, table_of
from citadels_lan.crypto.report.examined import Examined
from citadels_lan.crypto.report.examining import examine
from citadels_lan.crypto.report.hearing import HeardFile, hear
from citadels_lan.crypto.report.model import FileReport
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.engine import State, view


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
    def finished(self) -> bool:
        """Whether the recording reaches the end of the game."""
        return self.steps[-1].state.phase == "over"


def load_recording(path: Path) -> Recording:
    """The game of a transcript. Raises NotReplayable."""
    try:
        transcript = read(path)
        examined = examine(transcript, FileReport(path))
        header = examined.header
        steps = opened(examined) or list(told(hear(transcript))) if header is not None else []
    except (Damaged, Mismatch, OSError) as reason:
        raise NotReplayable from reason
    if header is None or not steps:
        raise NotReplayable
    return Recording(path, [player.name for player in header.players], steps, transcript.head.seat)


def opened(examined: Examined) -> list[Played]:
    """A finished game with everything that was hidden; empty where the file does not open all of it."""
    audit, header, entries = examined.audit, examined.header, examined.entries
    if audit.secret is None or header is None:
        return []
    try:
        return list(play(header, entries, MoveLines(audit, entries).line, chances(audit)))
    except Mismatch:
        return []


def told(heard: HeardFile) -> Iterator[Played]:
    """A game as the owner of the file was told it, up to the first entry that cannot be; nothing of a table that
    this program does not play."""
    state: State | None = None
    for step in heard.steps:
        try:
            if isinstance(step.entry, Open):
                state = view(table_of(step.entry.header), heard.transcript.head.seat)
            if state is None or not isinstance(step.entry, Move | TableMove):
                continue
            state = followed(step.n, state, step.events)
        except Mismatch:
            return
        yield Played(step.n, *_mover(step.entry), step.events, state)


def _mover(entry: Move | TableMove) -> tuple[int | None, str]:
    """Whose move an entry is, and its line where that is not hidden."""
    if isinstance(entry, TableMove):
        return None, ""
    return entry.seat, plain(entry.what) if isinstance(entry.what, str) else ""
