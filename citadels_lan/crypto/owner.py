"""What only the owner of a secret can do: conceal and seal moves of a seat, break its seals, reveal its links.
A stand-in for the seat has a secret of its own, and no links.

Everything follows from one 32-byte key for the game and from the log, so a client that crashed can go on.
"""

from collections.abc import Iterable

from msgspec import Struct

from .audit import Auditor
from .audit.concealed import Committed
from .beacons import anchor, beacon_secret, link_of
from .commitments import Opening, committed, conceal
from .draft.boxes import BoxKey, own_box
from .draft.drafting import DraftHand
from .draft.secrets import draft_anchor, secret_of
from .sealed_moves import manner, recover, seal


class Owner(Struct, frozen=True):
    """A seat in a game, with its secret. `entrusted` are the openings of what others have sealed for this seat
    while they moved for it."""

    key: bytes
    game: bytes
    seat: int
    entrusted: tuple[Opening, ...] = ()

    def __repr__(self) -> str:
        return f"Owner({self.game.hex()}, {self.seat})"

    @property
    def anchor(self) -> bytes:
        """The end of this seat's chain of links."""
        return anchor(self.game, self.seat, beacon_secret(self.key, self.game))

    @property
    def box(self) -> BoxKey:
        """The key that characters of a sealed draft are sealed to for this seat."""
        return own_box(self.key, self.game)

    def link(self, attempt: int) -> bytes:
        """This seat's link for an attempt at a round's beacons."""
        return link_of(self.game, self.seat, beacon_secret(self.key, self.game), attempt)

    @property
    def draft_anchor(self) -> bytes:
        """The end of this seat's second chain, for sealed drafts."""
        return draft_anchor(self.key, self.game, self.seat)

    def hand(self, audit: Auditor, begun: int | None = None) -> DraftHand | None:
        """This seat's hand in the draft that began with entry `begun`, or in that of this round; None where there
        is none, or a stand-in drafts for it."""
        drafts = audit.drafts
        if drafts is None or not drafts.rounds:
            return None
        draft = drafts.now if begun is None else drafts.rounds[begun]
        if self.seat in draft.stints:
            return None
        return DraftHand(draft.record, secret_of(draft.record.table, self.seat, self.key), self.box)

    def draft_link(self, audit: Auditor) -> bytes | None:
        """The link that opens this seat's drafts of the whole game, to be given when that is over; None where the
        draft was open."""
        if audit.drafts is None or not audit.drafts.rounds:
            return None
        return secret_of(audit.drafts.record.table, self.seat, self.key).link

    def prepare(self, audit: Auditor, line: str) -> tuple[str | bytes, tuple[Opening, ...]]:
        """A line of notation as this seat's next move: what is signed and published of it, and the openings that
        go with it, to the host alone or to break a seal."""
        place = (audit.round, self.seat, audit.concealed.slot(self.seat))
        match manner(line):
            case "hidden":
                return conceal(self.key, self.game, *place, line)
            case "sealed":
                return seal(self.key, self.game, *place, line), ()
        breaking = audit.concealed.breaks(self.seat, line)
        return line, () if breaking is None else tuple(self._known(*breaking))

    def _known(self, commit: bytes, place: Committed) -> list[Opening]:
        """The opening of a sealed move of this seat; none where it is neither entrusted nor of this secret."""
        given = [opening for opening in self.entrusted if committed(self.game, opening) == commit]
        return given or self.opened([(commit, place)])

    def sealed(self, audit: Auditor) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        return self.opened(audit.concealed.sealed_by(self.seat))

    def opened(self, sealed: Iterable[tuple[bytes, Committed]]) -> list[Opening]:
        """Those openings of sealed moves that this secret gives."""
        found = (
            recover(self.key, self.game, place.round, self.seat, place.slot, place.sealed)
            for _, place in sealed
            if place.sealed is not None
        )
        return [opening for opening in found if opening is not None]
