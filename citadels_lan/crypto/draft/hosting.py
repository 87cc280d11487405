"""The host's side of the sealed drafts of a game: what it takes of seats, and writes of that; what its stand-ins
say."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.audit.drafts import Drafts
from citadels_lan.crypto.audit.signed import Signed, mover_signed
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import AnyEntry, DraftCalled, DraftSaid, DraftWithout, SignedReply
from citadels_lan.crypto.migration.escrow import seal_deposit
from citadels_lan.crypto.migration.shares import own_box
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.stand_ins import signing_key
from citadels_lan.engine import Event, State, encode_event, redact

from .drafting import DraftHand
from .messages import CallReply, decode_message
from .playing import DraftPlay, plays_of
from .secrets import draft_anchor, secret_of, stand_in_draft_key

Write = Callable[[AnyEntry, Sequence[Event], bytes | None], Written]
"""Writes an entry, of which these events came, and whose seat has signed it so."""


class ReadDraft(Struct, frozen=True):
    """What a seat has said in a draft, which may go into the log. `passed` seats did not pick before it."""

    entry: DraftSaid
    signature: bytes
    passed: int

    def plays(self, state: State) -> list[DraftPlay]:
        """What the engine plays of it, for `playing.drafted`."""
        return plays_of(self.entry, state, self.passed)


class HostDrafts:
    """The drafts of a host's log. What is checked changes nothing; what is written has been checked."""

    def __init__(self, audit: Auditor, chain: Chain, secret: bytes, write: Write) -> None:
        self._audit = audit
        self._chain = chain
        self._secret = secret
        self._write = write

    @property
    def _drafts(self) -> Drafts:
        if self._audit.drafts is None or not self._audit.drafts.rounds:
            raise Unacceptable("stale")
        return self._audit.drafts

    def check_said(self, seat: int, n: int, what: bytes, signature: bytes) -> ReadDraft:
        """What a seat says as entry `n`: Unacceptable unless it is the next one, signed by whoever drafts for the
        seat, and fits the draft."""
        game, drafts = self._audit.table.game_id, self._drafts
        if n != self._chain.n + 1 or not self._audit.expects(DraftSaid):
            raise Unacceptable("stale")
        signed = Signed(n, self._chain.head, seat, what, drafts.drafter(seat))
        if not mover_signed(game, drafts.drafter(seat), signed, signature):
            raise Unacceptable("signature")
        escrow = None
        if self._audit.table.migrate is not None:
            escrow = seal_deposit(game, self._secret, n, self._chain.head, signature, ())
        entry = DraftSaid(seat, what, [], escrow)
        try:
            return ReadDraft(entry, signature, drafts.passed_by(n, entry))
        except Malformed:
            raise Unacceptable("draft_form") from None
        except Mismatch:
            raise Unacceptable("draft_turn") from None

    def say(self, read: ReadDraft, events: Sequence[Event]) -> Written:
        """What a seat has said, and what came of it."""
        entry = DraftSaid(read.entry.seat, read.entry.what, _raw(events), read.entry.escrow)
        return self._write(entry, events, read.signature)

    def check_without(self, seat: int) -> int:
        """How many seats do not pick if the table goes on without this one; Unacceptable where it is not waited
        for."""
        if not self._audit.expects(DraftWithout):
            raise Unacceptable("stale")
        trial = deepcopy(self._drafts.record)
        trial.leave_out(seat)
        return self._drafts.left_out(seat)

    def plays_without(self, seat: int, state: State) -> list[DraftPlay]:
        """What the engine plays then. Raises Unacceptable."""
        return plays_of(DraftWithout(seat, []), state, self.check_without(seat))

    def without(self, seat: int, events: Sequence[Event]) -> Written:
        """The table goes on without a seat."""
        return self._write(DraftWithout(seat, _raw(events)), events, None)

    def check_reply(self, seat: int, n: int, what: bytes, signature: bytes) -> SignedReply:
        """A seat's reply to the call that is to be entry `n`: Unacceptable unless it was asked, has signed it, and
        opens what it says."""
        drafts, inquiry = self._drafts, self._drafts.inquiry
        if n != self._chain.n + 1 or not self._audit.expects(DraftCalled) or inquiry is None:
            raise Unacceptable("stale")
        if seat not in inquiry.seats:
            raise Unacceptable("draft_turn")
        reply = SignedReply(seat, what, signature)
        try:
            message = decode_message(what)
        except Malformed:
            raise Unacceptable("draft_form") from None
        if not isinstance(message, CallReply):
            raise Unacceptable("draft_form")
        if drafts.reply(n, self._chain.head, reply) is None:
            raise Unacceptable("signature")
        deepcopy(drafts.record).call(self._place(), {seat: message})
        return reply

    def plays_call(self, replies: Mapping[int, SignedReply], state: State) -> list[DraftPlay]:
        """What the engine plays of the replies that were there."""
        return plays_of(self._called(replies, ()), state, 0)

    def call(self, replies: Mapping[int, SignedReply], events: Sequence[Event]) -> Written:
        """The replies to a call, each checked by `check_reply`, and what came of them."""
        return self._write(self._called(replies, events), events, None)

    def _called(self, replies: Mapping[int, SignedReply], events: Sequence[Event]) -> DraftCalled:
        return DraftCalled(self._place(), tuple(replies[seat] for seat in sorted(replies)), _raw(events))

    def _place(self) -> int:
        inquiry = self._drafts.inquiry
        if inquiry is None or inquiry.character is None:
            raise Unacceptable("stale")
        return self._drafts.record.table.plan.cast.index(inquiry.character)

    # Stand-ins

    def stand_in(self, n: int, seat: int) -> tuple[bytes, ...]:
        """The anchor and the box of the stand-in of entry `n`; nothing where the draft is open."""
        game = self._audit.table.game_id
        if self._audit.drafts is None:
            return ()
        key = stand_in_draft_key(game, self._secret, n, seat)
        return draft_anchor(key, game, seat), own_box(key, game).public

    def hand(self, seat: int) -> DraftHand | None:
        """The hand of the stand-in that drafts for a seat in this round; None where its owner does."""
        game, now = self._audit.table.game_id, self._drafts.now
        stint = now.stints.get(seat)
        if stint is None:
            return None
        key = stand_in_draft_key(game, self._secret, stint.n, seat)
        return DraftHand(now.record, secret_of(now.record.table, seat, key), own_box(key, game))

    def signing_key(self, seat: int) -> Identity | None:
        """The key with which the stand-in that drafts for a seat in this round signs."""
        stint = self._drafts.now.stints.get(seat)
        return None if stint is None else signing_key(self._secret, self._audit.table.game_id, stint)


def _raw(events: Sequence[Event]) -> list[list[object]]:
    return [encode_event(redact(event, None)) for event in events]
