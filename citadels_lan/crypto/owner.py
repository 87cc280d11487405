"""The client of a seat, with its secret: conceals and seals moves, breaks seals, drafts.

Everything follows from one 32-byte key for the game and from the log, so a client can continue after a crash.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from .audit import Auditor
from .audit.concealed import Committed
from .codec import digest
from .commitments import Opening, conceal, manner, recover, seal
from .draft.drafting import DraftHand
from .draft.record import link_opening
from .draft.secrets import LINKS, DraftSecret, own_anchors, own_link
from .log import Header

WORD: Final = 16
"""Bytes of a word."""


class Owner(Struct, frozen=True):
    """A seat in a game, with its secret."""

    key: bytes
    game: bytes
    seat: int

    def __repr__(self) -> str:
        return f"Owner({self.game.hex()}, {self.seat})"

    def anchors(self, header: Header) -> tuple[bytes, ...]:
        """Return what this seat publishes in *commits*: the anchors of its chains for a sealed draft."""
        return own_anchors(self.key, self.game, self.seat) if header.draft else ()

    def hand(self, audit: Auditor, round_: int) -> DraftHand | None:
        """Return this seat's hand in the draft of a round; None if there is none."""
        rounds = audit.drafts.rounds if audit.drafts is not None else []
        # A chain has one link for each round. After the last one no one can begin a draft.
        if not 0 < round_ <= min(len(rounds), LINKS):
            return None
        x, y = (own_link(self.key, self.game, self.seat, chain, round_) for chain in "xy")
        record = rounds[round_ - 1]
        return DraftHand(record, DraftSecret(record.table, self.seat, y), x, {})

    def opened_at_the_end(self, audit: Auditor) -> list[Opening]:
        """Return the openings that this seat gives after the game: of its seals, and its last secret link."""
        hand = self.hand(audit, len(audit.drafts.rounds)) if audit.drafts is not None else None
        link = [] if hand is None else [link_opening(hand.record.table.number, self.seat, hand.secret.y)]
        return [*self.sealed(audit), *link]

    def word(self, head: bytes) -> bytes:
        """Return the 16 bytes that a co-signature of this head commits to. No one else can predict them, and they
        are the same after a crash."""
        return digest("own-word", self.key, self.game, head)[:WORD]

    def prepare(self, audit: Auditor, head: bytes, line: str) -> tuple[str | bytes, tuple[Opening, ...]]:
        """A line of notation as this seat's move in the entry after `head`: what is signed and published of it,
        and the openings that go with it, to the host alone or to break a seal."""
        place = (head, audit.round, self.seat, audit.concealed.slot(self.seat))
        match manner(line):
            case "hidden":
                return conceal(self.key, self.game, *place, line)
            case "sealed":
                return seal(self.key, self.game, *place, line), ()
        breaking = audit.concealed.breaks(self.seat, line)
        return line, () if breaking is None else tuple(self._opened([breaking[1]]))

    def sealed(self, audit: Auditor) -> list[Opening]:
        """The openings of this seat's sealed moves that the log has not opened."""
        return self._opened(place for _, place in audit.concealed.sealed_by(self.seat))

    def _opened(self, sealed: Iterable[Committed]) -> list[Opening]:
        found = (
            recover(self.key, self.game, place.before, place.round, self.seat, place.slot, place.sealed)
            for place in sealed
            if place.sealed is not None
        )
        return [opening for opening in found if opening is not None]
