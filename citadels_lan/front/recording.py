"""A finished game out of its transcript, move by move, with everything that was hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.replay import MoveLines, Played, chances, play
from citadels_lan.crypto.report.examining import examine
from citadels_lan.crypto.report.model import FileReport
from citadels_lan.crypto.transcript import Damaged, read


class NotReplayable(Exception):
    """The file is none of a finished game, or damaged; verification says more."""


@dataclass(frozen=True)
class Recording:
    """A game: the names by seat, and what happened, one step for each move and each deal."""

    path: Path
    names: Sequence[str]
    steps: Sequence[Played]


def load_recording(path: Path) -> Recording:
    """The game of a transcript. Raises NotReplayable."""
    try:
        examined = examine(read(path), FileReport(path))
        audit, entries = examined.audit, examined.entries
        if audit.secret is None or examined.header is None:
            raise NotReplayable
        header = examined.header
        steps = list(play(header, entries, MoveLines(audit, entries).line, chances(audit)))
    except (Damaged, Mismatch, OSError) as reason:
        raise NotReplayable from reason
    return Recording(path, [player.name for player in header.players], steps)
