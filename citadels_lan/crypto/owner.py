"""What only the owner of a seat's secret can do: conceal and seal its moves, break its seals, reveal its links.

Everything follows from one 32-byte key for the game and from the log, so a client that crashed can go on.
"""

from collections.abc import Iterable

from msgspec import Struct

from .audit import Auditor, Committed
from .beacons import anchor, beacon_secret, link_of
from .commitments import Opening, conceal
from .migration.shares import BoxKey, own_box
from .sealed_moves import manner, recover, seal


class Owner(Struct, frozen=True):
    """A seat in a game, with its secret."""

    key: bytes
    game: bytes
    seat: int

    def __repr__(self) -> str:
        return f"Owner({self.game.hex()}, {self.seat})"

    @property
    def anchor(self) -> bytes:
        """The end of this seat's chain of links."""
        return anchor(self.game, self.seat, beacon_secret(self.key, self.game))

    @property
    def box(self) -> BoxKey:
        """The key that this seat's share of the host's secret is sealed to, where it gets one."""
        return own_box(self.key, self.game)

    def link(self, attempt: int) -> bytes:
        """This seat's link for an attempt at a round's beacons."""
        return link_of(self.game, self.seat, beacon_secret(self.key, self.game), attempt)

    def prepare(self, audit: Auditor, line: str) -> tuple[str | bytes, tuple[Opening, ...]]:
        """A line of notation as this seat's next move: what is signed and published of it, and the openings that
        go with it, to the host alone or to break a seal."""
        place = (audit.round, self.seat, audit.slot(self.seat))
        match manner(line):
            case "hidden":
                return conceal(self.key, self.game, *place, line)
            case "sealed":
                return seal(self.key, self.game, *place, line), ()
        breaking = audit.breaks(self.seat, line)
        return line, () if breaking is None else tuple(self._opened([breaking]))

    def sealed(self, audit: Auditor) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        return self._opened(audit.sealed_by(self.seat))

    def _opened(self, sealed: Iterable[tuple[bytes, Committed]]) -> list[Opening]:
        found = (
            recover(self.key, self.game, place.round, self.seat, place.slot, place.sealed)
            for _, place in sealed
            if place.sealed is not None
        )
        return [opening for opening in found if opening is not None]
