"""What has happened at a table, entry by entry, as one viewer is told it."""

from collections.abc import Callable
from typing import TypeAlias

from citadels_lan.crypto.client_log import ClientLog, LogStep
from citadels_lan.crypto.log import (
    EVENTFUL,
    AnyEntry,
    Back,
    Beacons,
    Close,
    DraftSaid,
    Header,
    Move,
    Present,
    Restart,
    Seal,
    StandIn,
    openings_of,
)
from citadels_lan.crypto.signed_head import SignedHead

from .duties import Duties
from .others.forks import Comparer, Fork
from .own_view import OwnView
from .records import Records
from .updates import (
    BackAgain,
    Cosigned,
    Happened,
    Restarted,
    StoodIn,
    Update,
    Waiting,
)

TOLD = Happened | Cosigned | Restarted | StoodIn | BackAgain
"""What belongs to the story of a game."""
LineOf: TypeAlias = Callable[[int, Move | DraftSaid], str | None]
"""The line of the move in entry `n`, or of what its seat has chosen in a draft, as far as this viewer knows it."""


class Chronicle:
    """The log of one table, told. `cosigned` are the shares of the round that is being played; the `comparer`
    holds what the host has signed here against what it signed for others."""

    def __init__(self, records: Records, view: OwnView, duties: Duties) -> None:
        self.cosigned: Cosigned | None = None
        self.comparer: Comparer | None = None
        self._records = records
        self._view = view
        self._duties = duties

    @property
    def closed(self) -> bool:
        """Whether the last entry is there."""
        client_log = self._records.client_log
        return client_log is not None and client_log.audit.secret is not None

    def open(self, header: Header) -> None:
        """The game begins."""
        self._view.open(header)
        self.comparer = Comparer(header, self._records.seat, self._records.identity)

    def compare(self, step: LogStep) -> Fork | None:
        """Whether others were told something else."""
        if self.comparer is None:
            return None
        self.comparer.entry(step.n, step.head)
        if not isinstance(step.entry, Seal | Close):
            return None
        return self.comparer.sealed(SignedHead(step.n, step.head, step.signature))

    def tell(self, step: LogStep, line: LineOf) -> list[Update]:
        """What an entry says. Raises Mismatch where it cannot be."""
        self._view.follow(step)
        client_log, entry = self._records.client_log, step.entry
        assert client_log is not None
        if isinstance(entry, EVENTFUL):
            return [self._happened(client_log, step, entry, line)]
        told = self._between(step.n, entry)
        if self._view.own is not None and not self.closed:
            told.append(Waiting())  # after a seal the next may move
        return told

    def _happened(self, client_log: ClientLog, step: LogStep, entry: AnyEntry, line: LineOf) -> Happened:
        known = line(step.n, entry) if isinstance(entry, Move | DraftSaid) else None
        seat = entry.seat if isinstance(entry, Move | DraftSaid) else None
        events = self._view.happened(client_log, step)
        return Happened(step.n, seat, known, events, openings_of(entry) if isinstance(entry, Move) else ())

    def _between(self, n: int, entry: object) -> list[Update]:
        """What an entry says that is no move."""
        match entry:
            case Beacons():
                self.cosigned = self._duties.cosigned(n)
                return [self.cosigned]
            case StandIn() | Back():
                return self._duties.note_stand_in(n, entry)
            case Present() | Restart():
                return self._duties.note_attendance(n, entry)
        return []
