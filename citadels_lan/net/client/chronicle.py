"""What has happened at a table, entry by entry, as one viewer is told it."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from citadels_lan.crypto.client_log import ClientLog, LogStep
from citadels_lan.crypto.draft.playing import speaker
from citadels_lan.crypto.log import (
    EVENTFUL,
    AnyEntry,
    CheckWords,
    CoSigned,
    Handover,
    Header,
    Move,
    Said,
    SaidItem,
    SeatChange,
    SeatKind,
    openings_of,
)

from .duties import Duties
from .own_view import OwnView
from .records import Records
from .updates import BackAgain, Cosigned, Happened, HostChanged, SubstituteBegan, Update, Waiting

TOLD = Happened | Cosigned | SubstituteBegan | BackAgain | HostChanged
"""What belongs to the story of a game."""
LineOf: TypeAlias = Callable[[int, Move | SaidItem], str | None]
"""The line of the move in entry `n`, or of what its seat has chosen in a draft, as far as this viewer knows it."""


class Chronicle:
    """The log of one table, told. `cosigned` is the last co-signature."""

    def __init__(self, records: Records, view: OwnView, duties: Duties) -> None:
        self.cosigned: Cosigned | None = None
        self._untold: Cosigned | None = None
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

    def tell(self, step: LogStep, line: LineOf) -> list[Update]:
        """What an entry says. Raises Mismatch where it cannot be."""
        self._view.follow(step)
        client_log, entry = self._records.client_log, step.entry
        assert client_log is not None
        if isinstance(entry, Move):
            self._duties.note_move(step.n, entry)
        told = self._cosigned(client_log, step)
        if isinstance(entry, EVENTFUL):
            return [*told, self._happened(client_log, step, entry, line)]
        if isinstance(entry, SeatChange):
            told += self._duties.note_seat(step.n, entry)
        if isinstance(entry, Handover):
            told.append(self._handed(step.n, entry))
        if self._view.own is not None and not self.closed:
            told.append(Waiting())
        return told

    def _cosigned(self, client_log: ClientLog, step: LogStep) -> list[Update]:
        """Co-signatures are told with their check words, which come with the next entry, if they come."""
        if isinstance(step.entry, CoSigned):
            self._untold = self._duties.cosigned(step.n)
            return []
        if self._untold is None:
            return []
        told, self._untold = self._untold, None
        if isinstance(step.entry, CheckWords):
            told = replace(told, words=client_log.audit.cosigned[-1].words)
        self.cosigned = told
        return [told]

    def _happened(self, client_log: ClientLog, step: LogStep, entry: AnyEntry, line: LineOf) -> Happened:
        made = speaker(entry) if isinstance(entry, Said) else entry if isinstance(entry, Move) else None
        known, seat = (None, None) if made is None else (line(step.n, made), made.seat)
        events = self._view.happened(client_log, step)
        return Happened(step.n, seat, known, events, openings_of(entry) if isinstance(entry, Move) else ())

    def _handed(self, n: int, entry: Handover) -> HostChanged:
        """The first host is the player who plays on the host's computer."""
        client_log = self._records.client_log
        assert client_log is not None
        before = client_log.audit.hosts.at(n).seat
        if before is None:
            kinds = [player.kind for player in client_log.audit.table.players]
            before = kinds.index(SeatKind.HOST) if SeatKind.HOST in kinds else None
        return HostChanged(n, entry.seat, before)
