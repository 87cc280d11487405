"""The sealed draft at its host, which does not know what any seat holds.

It waits for the seats that have to say something (`Drafts.due`). The messages at the beginning of a round,
and the replies to a call, become one entry, so that no seat is sent what another one has said before its own
message is in. No seat is left out: the table waits, or its players end the game.
"""

from typing import Final

from citadels_lan.crypto.draft.messages import TOGETHER
from citadels_lan.crypto.draft.record import OVER
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import Said, SaidItem
from citadels_lan.crypto.received_moves import read_said
from citadels_lan.net.wire.messages import SayInDraft

PICK: Final = b"\x02"
EXCHANGE: Final = b"\x05"
"""The kinds of a pick and of an exchange, the first element of their arrays."""


class HostedDraft:
    """The messages of the seats of one game in its sealed drafts."""

    def __init__(self, log: HostLog) -> None:
        self._log = log
        self._given: dict[int, SaidItem] = {}
        self._given_for = 0

    @property
    def proven(self) -> bool:
        """Whether a lie is proven that ends the game."""
        return self._log.audit.drafts is not None and self._log.audit.drafts.proven

    @property
    def due(self) -> tuple[str, tuple[int, ...]]:
        """The message that is due now, and of which seats."""
        drafts = self._log.audit.drafts
        return drafts.due if drafts is not None and self._log.audit.expects(Said) else OVER

    def chosen(self, message: SayInDraft) -> bool:
        """Whether a message is a player's choice, and does not follow from what the table asks for."""
        kind = message.what[1:2]
        return kind == PICK or (kind == EXCHANGE and self.due[0] != "hand")

    def awaited(self) -> tuple[int, ...]:
        """The seats whose message the table waits for, without a choice of their players."""
        what, seats = self.due
        if self._given_for != self._log.chain.n + 1:
            self._given, self._given_for = {}, self._log.chain.n + 1
        return () if what == "pick" else tuple(seat for seat in seats if seat not in self._given)

    def take(self, seat: int, message: SayInDraft) -> list[SaidItem]:
        """Take what a seat says; return the items of the next entry, or none while it waits for other seats.
        Raises Unacceptable."""
        item = SaidItem(seat, message.what, message.signature)
        said = read_said(self._log.chain, self._log.audit, message.n, item)
        if not isinstance(said, TOGETHER):
            return [item]
        missing, given = set(self.awaited()) - {seat}, {seat: item} | self._given
        self._given = given if missing else self._given
        return [] if missing else [given[seat] for seat in sorted(given)]
