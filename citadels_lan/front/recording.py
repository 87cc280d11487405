"""A game from its transcript, move by move, with everything that the file and the keys on this machine reveal."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.crypto.bookkeeping import followed
from citadels_lan.crypto.client_log import LogStep
from citadels_lan.crypto.commitments import plain
from citadels_lan.crypto.draft.playing import KnownEvents, speaker
from citadels_lan.crypto.log import EVENTFUL, Mismatch, Move, Open, Said, TableMove, decode_delta, decode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.replay import (
    MoveLines,
    Played,
    chance_of,
    opened_drafts,
    play,
    table_of,
    unknown_picks,
    with_characters,
)
from citadels_lan.crypto.report.examining import Examined, examine, other_rules
from citadels_lan.crypto.report.model import FileReport, Finding
from citadels_lan.crypto.transcript import Damaged, FileHead, HeardFile, Transcript, hear, read
from citadels_lan.engine import Event, State, view
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.client.records import GameIdentity, key_path, load_key
from citadels_lan.systems.files import data_folder

from .archive import closes


def owner_of(head: FileHead) -> Owner | None:
    """The owner's secret part of a transcript; None for a spectator's, or if its key is not on this machine."""
    if head.seat is None:
        return None
    data = data_folder()
    path = key_path(data / "games", GameIdentity(head.game_id, head.fp, head.host), head.key)
    for found in (path, *data.glob(f"*/*/games/{path.name}")):  # others on this machine, and its bots
        with suppress(OSError):
            if found.exists():
                return Owner(load_key(found), head.game_id, head.seat)
    return None


class NotReplayable(Exception):
    """Nothing of a game can be read in the file; verification says more. `other_rules` says that the game was
    played with other rules, if that is why."""

    def __init__(self, other_rules: Finding | None = None) -> None:
        super().__init__()
        self.other_rules = other_rules


@dataclass(frozen=True)
class Recording:
    """A recorded game: the names by seat, and one step for each move and each deal; at least one. `seat` is the
    owner of the file, None for a spectator's. After the end of a game its transcript opens everything. A file that
    stops before, or lacks an opening, shows only the owner's view."""

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
        steps = opened(examined) or list(told_steps(hear(transcript), owner_of(transcript.head))) if header else []
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
    """A finished game with everything that was hidden; empty if the file does not open all of it. Picks of sealed
    drafts that were never opened stay unknown."""
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
    """The same steps as a table that knows all picks, if all are known."""
    for step in steps if not unknown_picks(steps) else ():
        step.state.draft = "sealed" if step.state.draft == "blind" else step.state.draft
    return steps


def told_steps(heard: HeardFile, owner: Owner | None = None) -> Iterator[Played]:
    """A game as the owner of the file saw it, up to the first entry that cannot be read; no steps if this program
    does not know the table. Own picks of sealed drafts are included if the log or the key opens them."""
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
    """The view after an entry, and its events, with the seat's own knowledge if possible: after a lie in a sealed
    draft it may not be. Raises Mismatch."""
    known = drafts.own(step.events, seat)
    try:
        return followed(step.n, before, known), known
    except Mismatch:
        return followed(step.n, before, step.events), step.events


def _mover(entry: Move | TableMove | Said) -> tuple[int | None, str]:
    """The seat that made a move, and its line if that is not hidden."""
    if isinstance(entry, Move):
        return entry.seat, plain(entry.what) if isinstance(entry.what, str) else ""
    item = speaker(entry) if isinstance(entry, Said) else None
    return item.seat if item is not None else None, ""
