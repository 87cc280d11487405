"""What the host says beside the log: a pause, the time, a standstill, another table, where the others are."""

from ipaddress import ip_address
from typing import TypeAlias

from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.messages import Again, Clock, Neighbours, Paused, Standstill

from .updates import ClockSet, Halted, PauseChanged, PlayAgain, Update

Word: TypeAlias = Paused | Clock | Standstill | Again | Neighbours


class Beside:
    """The last that the host has said of each. `again` is where the same people play again, `neighbours` are where
    the clients of other seats are reached, `halt` is a code while the host has stopped the game, `full` is set
    while the own disk has no place for what comes."""

    def __init__(self) -> None:
        self.paused = False
        self.again: PlayAgain | None = None
        self.neighbours: tuple[Address, ...] = ()
        self.halt = ""
        self.full = False
        self._stood = False
        self._clock: ClockSet | None = None

    @property
    def halted(self) -> str:
        """Why the game stands still for this viewer, a code of `reasons`; empty where it does not."""
        return "own_disk_waits" if self.full else self.halt

    def welcomed(self) -> None:
        """A connection begins: the host says anew what holds."""
        self.paused, self.halt, self.full = False, "", False

    def hear(self, word: Word, seat: int | None) -> list[Update]:
        """The host has said something to this seat; what there is to tell of it now."""
        match word:
            case Paused():
                self.paused = word.paused
                return [PauseChanged(word.paused, word.seat)]
            case Standstill():
                self.halt = word.code
                return [Halted(self.halted)]
            case Again():
                self.again = PlayAgain(word.port, word.game, word.fp)
                return [self.again]
            case Clock():
                self._clock = ClockSet(word.seconds, word.gone)
            case Neighbours():
                others = [one for one in word.of if one.seat != seat]
                self.neighbours = tuple((str(ip_address(one.number)), one.port) for one in others)
        return []

    def clock(self) -> list[Update]:
        """The time is of the decision that the host waits for: told once the log has come to it."""
        told: list[Update] = [] if self._clock is None else [self._clock]
        self._clock = None
        return told

    def note_full(self) -> Halted:
        """The own disk has no place for what comes."""
        self.full = self._stood = True
        return Halted(self.halted)

    def note_room(self) -> list[Update]:
        """An entry has found its place; what there is to tell where the disk was full before."""
        if not self._stood or self.full:
            return []
        self._stood = False
        return [Halted(self.halted)]
