"""The sealed draft of a round at its host, which does not know what anybody holds.

It waits for whoever is to say something next (`DraftRecord.due`), and at a call for a reply of everybody who is
asked: the call becomes one entry, so nobody is told what one seat has said before the others have said theirs.

| is gone | then |
|---|---|
| who is to deal | the round's chance begins anew, without that seat |
| who is to pick, and no stand-in can | it is left out, and the packet goes on |
| who is to pass a packet on again, to give something in exchange, to show a key | it is left out |
| who is asked at a call | the call goes without it |
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from citadels_lan.crypto.audit.drafts import Drafts
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.playing import drafted
from citadels_lan.crypto.draft.record import OVER
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import DraftCalled, DraftSaid, SignedReply
from citadels_lan.crypto.received_moves import ReadDraft
from citadels_lan.engine import Event, State
from citadels_lan.engine.chance import Chance
from citadels_lan.net.wire.messages import SayInDraft

PICK: Final = b"\x01"
EXCHANGE: Final = b"\x05"
REPLY: Final = b"\x06"
"""The kinds of a pick, of an exchange and of a reply, the first element of their arrays."""
Made: TypeAlias = tuple[Written, Sequence[Event]]
"""An entry that the log has made, and what comes of it."""


class HostedDraft:
    """What the seats of one game say in its sealed drafts."""

    def __init__(self, log: HostLog) -> None:
        self._log = log
        self._replies: dict[int, SignedReply] = {}
        self._replied_to = 0

    @property
    def drafts(self) -> Drafts | None:
        """Those of the game; None where the draft is open, or there was none yet."""
        drafts = self._log.audit.drafts
        return drafts if drafts is not None and drafts.rounds else None

    @property
    def waits_for_deal(self) -> bool:
        """Whether the table waits for who deals the characters."""
        drafts = self.drafts
        return drafts is not None and drafts.waits_for_deal and drafts.record.due[0] == "deal"

    @property
    def calls(self) -> bool:
        """Whether the table waits for replies to a call."""
        return self._log.audit.expects(DraftCalled)

    @property
    def proven(self) -> bool:
        """Whether somebody has lied for all to see: the game does not go on."""
        return self.drafts is not None and self.drafts.proven

    @property
    def expects_word(self) -> bool:
        """Whether somebody may say something in the draft."""
        return self._log.audit.expects(DraftSaid)

    @property
    def due(self) -> tuple[str, int]:
        """What is to be said now, and by whom."""
        return self.drafts.record.due if self.drafts is not None else OVER

    @property
    def place(self) -> int:
        """The place in the cast of the character that is called."""
        drafts = self.drafts
        assert drafts is not None
        assert drafts.inquiry is not None
        return drafts.record.table.plan.cast.index(drafts.inquiry.character or "")

    @property
    def round(self) -> int:
        """The entry with which the draft of this round has begun; 0 where there is none."""
        return max(self.drafts.rounds) if self.drafts is not None else 0

    @property
    def stood_in(self) -> tuple[int, ...]:
        """The seats for which stand-ins draft in this round."""
        return tuple(self.drafts.now.stints) if self.drafts is not None else ()

    def hand(self, seat: int) -> DraftHand | None:
        """The hand of the stand-in that drafts for a seat in this round; None where none does."""
        return self._log.drafts.hand(seat) if seat in self.stood_in else None

    def chosen(self, message: SayInDraft) -> bool:
        """Whether a message is somebody's choice, and does not follow from what the table asks for."""
        kind = message.what[1:2]
        return kind == PICK or (kind == EXCHANGE and self.due[0] != "hand")

    def entrusted(self, seat: int) -> bytes | None:
        """What the owner of a seat is told, for which a stand-in drafts in this round: the key that it does it
        with."""
        return self._log.drafts.entrusted(seat) if seat in self.stood_in else None

    def awaited(self) -> tuple[int, ...]:
        """The seats whose word the table waits for; those who choose something are none of them."""
        drafts = self.drafts
        if drafts is None or drafts.proven:
            return ()
        if self.waits_for_deal or drafts.record.due[0] in ("again", "hand", "key"):
            return (drafts.record.due[1],)
        if not self.calls or drafts.inquiry is None:
            return ()
        given = self._given()
        return tuple(seat for seat in drafts.inquiry.seats if seat not in given)

    def _given(self) -> dict[int, SignedReply]:
        """The replies to the call that is to become the next entry."""
        if self._replied_to != self._log.chain.n + 1:
            self._replies, self._replied_to = {}, self._log.chain.n + 1
        return self._replies

    def take(self, seat: int, message: SayInDraft) -> ReadDraft | None:
        """What a seat says, which may become the next entry; None for a reply, which waits for those of the
        others. Raises Unacceptable."""
        said = (seat, message.n, message.what, message.signature)
        if self.calls and message.what[1:2] == REPLY:
            reply = self._log.drafts.check_reply(*said)
            self._given().setdefault(seat, reply)
            return None
        return self._log.drafts.check_said(*said)

    def call(self, state: State, chance: Chance) -> Made:
        """The character is called, with the replies that are here."""
        replies, drafts = self._given(), self._log.drafts
        events = drafted(state, chance, 0, drafts.plays_call(replies, state))
        return drafts.call(replies, events), events

    def without(self, seat: int, state: State, chance: Chance) -> Made:
        """The table goes on without what a seat should say, or without its pick. Raises Unacceptable."""
        events = drafted(state, chance, seat, self._log.drafts.plays_without(seat, state))
        return self._log.drafts.without(seat, events), events
