"""One seat's part in the sealed drafts of a table: what it says without a choice and for its player, and what it
knows. Everything follows from key and log, so it is the same after a crash."""

import contextlib

from citadels_lan.crypto.draft.drafting import DraftHand, Knowledge
from citadels_lan.crypto.draft.playing import own_picks
from citadels_lan.crypto.draft.record import AnyDraftMessage, Drafts, encode_message
from citadels_lan.crypto.log import Said
from citadels_lan.crypto.packing import u8, u64
from citadels_lan.engine import Action, Impossible, State
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.flow.sealed import with_picks
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire.messages import SayInDraft


class Drafting:
    """The drafts of one game, as the log has them by now."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._hands: dict[int, DraftHand | None] = {}

    @property
    def _drafts(self) -> Drafts | None:
        """The drafts, while one takes messages."""
        audit = self._records.client_log.audit if self._records.client_log is not None else None
        return audit.drafts if audit is not None and audit.drafts is not None and audit.expects(Said) else None

    @property
    def _hand(self) -> DraftHand | None:
        """This seat's side of the draft of the round, while it takes messages."""
        return self._hand_in(len(self._drafts.rounds)) if self._drafts is not None else None

    def _hand_in(self, round_: int) -> DraftHand | None:
        client_log, seat = self._records.client_log, self._records.seat
        if client_log is None or client_log.audit.drafts is None:
            return None
        if seat is not None and self._hands.get(round_) is None:
            self._hands[round_] = self._records.owner(seat).hand(client_log.audit, round_)
        return self._hands.get(round_)

    def known(self, round_: int) -> Knowledge | None:
        """The knowledge that this seat has of the draft of a round; None after a lie to it."""
        hand = self._hand_in(round_)
        return hand.known if hand is not None and hand.readable else None

    def own_view(self, view: State) -> State:
        """The view of the seat with what it knows by itself. Between its pick and the events of that,
        and after a lie of another seat that no one can prove yet, all characters stay hidden."""
        hand = self._hand_in(view.round)
        if hand is None or not hand.record.packets or not hand.readable:
            return view
        with contextlib.suppress(Impossible):
            return with_picks(view, hand.seat, own_picks(hand))
        return view

    def due(self) -> SayInDraft | None:
        """The message of this seat that is due now without a choice."""
        hand = self._hand
        message = hand.due(self._records.head) if hand is not None else None
        return None if message is None else self._signed(message)

    @property
    def may_pick(self) -> bool:
        """Whether this seat has to pick, and knows from what."""
        hand = self._hand
        return hand is not None and hand.readable and hand.record.due == ("pick", (hand.seat,))

    def chosen(self, action: Action, view: State) -> SayInDraft | None:
        """The message for a pick or an exchange that the rules allow; None for any other move."""
        hand, head = self._hand, self._records.head
        match action:
            case Pick() if hand is not None:
                return self._signed(hand.pick(action.character, action.discarding, head))
            case Theater(seat=int(to)) if hand is not None:
                return self._signed(hand.give(to, action.giving or view.players[hand.seat].concealed[0], head))
        return None

    def asked(self) -> int | None:
        """The entry that has the replies to a call, if this seat has to reply to one; None otherwise."""
        what, seats = self._drafts.due if self._drafts is not None else ("", ())
        return self._records.n + 1 if what == "call" and self._records.seat in seats else None

    def reply(self) -> SayInDraft:
        """The reply of this seat to the call that waits for it."""
        hand, drafts = self._hand, self._drafts
        assert hand is not None
        assert drafts is not None
        return self._signed(hand.reply(drafts.place))

    def _signed(self, said: AnyDraftMessage) -> SayInDraft:
        records, n = self._records, self._records.n + 1
        assert records.seat is not None
        what = records.drafted(n, records.head, encode_message(said))
        signature = records.identity.sign("said", records.game.id, u64(n), records.head, u8(records.seat), what)
        return SayInDraft(n, what, signature)
