"""What a seat owes its table, and what it stands up for: that it was here, and that it moves for itself."""

from citadels_lan.crypto.log import Back, Present, Restart, StandIn
from citadels_lan.crypto.stand_ins import sign_back
from citadels_lan.net.wire.messages import Beacon, Here, Message, Return, SeedCommit, SeedPart

from .records import Records
from .shares import cosigned, left_out, owed, restarted
from .updates import BackAgain, Cosigned, StoodIn, Update


class Duties:
    """What one seat has given on this connection, and what the log says of it since. `given` is the entry after
    which it gave its last share."""

    def __init__(self, records: Records) -> None:
        self.given = 0
        self._records = records
        self._since: int | None = None
        self._returned = 0
        self._there = 0
        self._disputes = False
        self._wronged = False

    def welcomed(self, n: int) -> None:
        """A connection begins, with the host at entry `n`."""
        self._since, self._returned = n, 0

    def unsent(self) -> None:
        """What was given last has not gone out."""
        self.given = self._returned = 0

    def owed(self) -> SeedCommit | SeedPart | Here | Beacon | None:
        """What the seed or the next round needs of this seat now."""
        return owed(self._records, disputes=self._disputes)

    def note_given(self, message: Message) -> None:
        """It is on its way."""
        if isinstance(message, Here | Beacon):
            self.given = message.n

    def claimed(self) -> Return | None:
        """The own seat taken back from a stand-in, whatever it is doing; once on a connection, for it arrives."""
        records = self._records
        client_log, seat = records.client_log, records.seat
        stint = client_log.audit.movers.stint(seat) if client_log is not None and seat is not None else None
        if stint is None or stint.n == self._returned:
            return None
        self._returned = stint.n
        back = sign_back(records.identity, records.game.id, stint, disputes=stint.n == self._there)
        return Return(stint.n, back.signature, back.disputes)

    # What the log says

    def cosigned(self, n: int) -> Cosigned:
        """Who has given a share in the beacons of entry `n`."""
        client_log = self._records.client_log
        assert client_log is not None
        told = cosigned(self._records, client_log, n, own=self._wronged)
        self._wronged = False
        return told

    def note_attendance(self, n: int, entry: Present | Restart) -> list[Update]:
        """Who takes part: whether this seat is left out although it has sent what it owes. It says so as soon as
        it takes part again, and the host has to write that down."""
        client_log, seat = self._records.client_log, self._records.seat
        assert client_log is not None
        if left_out(entry, seat) and self.given == n - 1:
            self._disputes = self._wronged = True
        elif isinstance(entry, Present) and not left_out(entry, seat):
            self._disputes = False
        return [restarted(client_log, entry)] if isinstance(entry, Restart) else self._back(n)

    def note_stand_in(self, n: int, entry: StandIn | Back) -> list[Update]:
        """Somebody else moves for a seat. If it is the own one, and has been here all the time, it will say so."""
        if isinstance(entry, Back):
            return self._back(n)
        here = entry.seat == self._records.seat and self._since is not None and n > self._since
        self._there = n if here else self._there
        return [StoodIn(entry.seat, entry.level, own=here)]

    def _back(self, n: int) -> list[Update]:
        """Whose stand-ins entry `n` has ended: that of a *back*, or those of all who are in a *present*."""
        client_log, own = self._records.client_log, self._records.seat
        assert client_log is not None
        return [
            BackAgain(one.seat, len(one.moves), one.disputed, here=one.seat == own and one.n == self._there)
            for one in client_log.audit.movers.stints
            if one.until == n
        ]
