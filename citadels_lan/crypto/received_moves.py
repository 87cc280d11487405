"""What comes to the host from a seat, checked and read, once: a move, and what is said in a sealed draft.

Whether a move is legal is for the engine to say.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

from msgspec import Struct

from citadels_lan.engine import Action, BadNotation, Event, State, encode_event, parse, redact
from citadels_lan.engine.actions import Theater

from .audit import Auditor
from .audit.drafts import Drafts
from .audit.signed import Signed, mover_signed
from .chain import Chain
from .commitments import MAX_LINE, WIDTH, Opening, check, join, split
from .draft.boxes import own_box
from .draft.drafting import DraftHand
from .draft.messages import CallReply, decode_message
from .draft.playing import DraftPlay, plays_of
from .draft.secrets import draft_anchor, stand_in_draft_key
from .faults import Mismatch, Unacceptable
from .host_entries import Written
from .identity import Identity
from .log import AnyEntry, DraftCalled, DraftSaid, DraftWithout, Move, SignedReply
from .packing import Malformed
from .sealed_moves import manner, read_sealed, starred
from .stand_ins import signing_key


class ReadMove(Struct, frozen=True):
    """A move that may go into the log: what its seat has signed and sent, and the action that it means. `unsealed`
    is the character with the marker that counts, where the move breaks a seal."""

    seat: int
    what: str | bytes
    signature: bytes
    openings: tuple[Opening, ...]
    action: Action
    unsealed: str | None = None


def read_move(
    chain: Chain,
    audit: Auditor,
    seat: int,
    n: int,
    what: str | bytes,
    signature: bytes,
    openings: Sequence[Opening],
) -> ReadMove:
    """The move that a seat has sent as entry `n`. Unacceptable unless it is the next entry, signed, its
    commitments open, and its line is written and sent in the one way there is."""
    if n != chain.n + 1 or not audit.expects(Move):
        raise Unacceptable("stale")
    signed = Signed(n, chain.head, seat, what)
    if not mover_signed(audit.table.game_id, audit.movers.key(seat, n), signed, signature):
        raise Unacceptable("signature")
    unsealed = None
    if isinstance(what, bytes):
        line, sent = _hidden_line(audit, seat, what, openings), "hidden"
    elif (sealed := read_sealed(what)) is not None:
        line, sent = sealed.line, "sealed"
        if openings or sealed.commit in audit.concealed.pending:
            raise Unacceptable("opening" if openings else "used")
    else:
        line, sent = what, "open"
        unsealed = _unsealed(audit, seat, what, openings)
    if manner(line) != sent:
        raise Unacceptable("hidden")
    action = _action(line, seat)
    if audit.drafts is not None and isinstance(action, Theater) and action.seat is not None:
        raise Unacceptable("draft_turn")  # what is given in an exchange comes with it
    return ReadMove(seat, what, signature, tuple(openings), action, unsealed)


def _hidden_line(audit: Auditor, seat: int, what: bytes, openings: Sequence[Opening]) -> str:
    """The line that the openings say, which are for the host alone."""
    game = audit.table.game_id
    commits = [what[at : at + WIDTH] for at in range(0, len(what), WIDTH)]
    if not commits or len(commits) != len(openings):
        raise Unacceptable("opening")
    if not all(check(game, commit, opening) for commit, opening in zip(commits, openings, strict=True)):
        raise Unacceptable("opening")
    if any(commit in audit.concealed.pending for commit in commits):
        raise Unacceptable("used")
    place = (audit.round, seat, audit.concealed.slot(seat))
    if any((opening.round, opening.seat, opening.slot) != place for opening in openings):
        raise Unacceptable("opening")
    lines = tuple(opening.line for opening in openings)
    if split(join(lines)) != lines:
        raise Unacceptable("opening")
    return join(lines)


def _unsealed(audit: Auditor, seat: int, what: str, openings: Sequence[Opening]) -> str | None:
    """What the opening of the seal says that an open move breaks; None where it breaks none."""
    breaking = audit.concealed.breaks(seat, what)
    if len(openings) != (breaking is not None):
        raise Unacceptable("opening")
    if breaking is None:
        return None
    commit, place = breaking
    if not place.opened_by(audit.table.game_id, commit, openings[0]):
        raise Unacceptable("opening")
    return starred(openings[0])


def _action(line: str, seat: int) -> Action:
    """What a line means; it must be the one way to write it, and not too long."""
    try:
        action = parse(line, seat) if len(line) <= MAX_LINE else None
    except BadNotation:
        action = None
    if action is None or str(action) != line:
        raise Unacceptable("notation")
    return action


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
        entry = DraftSaid(seat, what, [])
        try:
            return ReadDraft(entry, signature, drafts.passed_by(n, entry))
        except Malformed:
            raise Unacceptable("draft_form") from None
        except Mismatch:
            raise Unacceptable("draft_turn") from None

    def say(self, read: ReadDraft, events: Sequence[Event]) -> Written:
        """What a seat has said, and what came of it."""
        entry = DraftSaid(read.entry.seat, read.entry.what, _raw(events))
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
        drafts.record.check_reply(seat, self._place(), message)
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
        key = self.entrusted(seat)
        return None if key is None else self._drafts.stand_in_hand(seat, key)

    def entrusted(self, seat: int) -> bytes | None:
        """What the owner of a seat is told for which a stand-in drafts in this round: the key that it does it
        with. None where the owner drafts."""
        stint = self._drafts.now.stints.get(seat)
        if stint is None:
            return None
        return stand_in_draft_key(self._audit.table.game_id, self._secret, stint.n, seat)

    def signing_key(self, seat: int) -> Identity | None:
        """The key with which the stand-in that drafts for a seat in this round signs."""
        stint = self._drafts.now.stints.get(seat)
        return None if stint is None else signing_key(self._secret, self._audit.table.game_id, stint)


def _raw(events: Sequence[Event]) -> list[list[object]]:
    return [encode_event(redact(event, None)) for event in events]
