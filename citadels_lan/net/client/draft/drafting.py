"""One seat's part in the sealed drafts of a table: what it says there, of itself and for its person.

Everything follows from key and log, so it is the same after a crash.
"""

from citadels_lan.crypto.audit.drafts import DraftRound, Drafts
from citadels_lan.crypto.beacons import LINKS
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import AnyDraftMessage, encode_message, sign_draft
from citadels_lan.crypto.log import DraftCalled, DraftSaid
from citadels_lan.engine import Action, Choice, State
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.flow.sealed import OwnPicks
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire.messages import SayInDraft

from .own_draft import readable, readable_picks


class Drafting:
    """The drafts of one game, as the log has them by now."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._hands: dict[int, DraftHand | None] = {}
        self._entrusted: tuple[DraftRound, bytes, DraftHand | None] | None = None
        self._known: tuple[object, OwnPicks | None] = (None, None)

    @property
    def hand(self) -> DraftHand | None:
        """This seat's side of the draft of the round; None where there is none, or a stand-in plays it."""
        drafts = self._drafts
        return self._hand_in(max(drafts.rounds)) if drafts is not None else None

    def hand_at(self, n: int) -> DraftHand | None:
        """The hand in the draft of the round of entry `n` that this client can read, as it is by now; None where
        there is none, or somebody has lied in that."""
        drafts = self._drafts
        begun = max((one for one in drafts.rounds if one < n), default=0) if drafts is not None else 0
        if drafts is None or not begun:
            return None
        if begun == max(drafts.rounds):
            return self.readable_hand if self.known is not None else None
        hand = self._hand_in(begun)
        return hand if hand is not None and readable(hand) else None

    @property
    def _drafts(self) -> Drafts | None:
        client_log = self._records.client_log
        drafts = client_log.audit.drafts if client_log is not None else None
        return drafts if drafts is not None and drafts.rounds else None

    @property
    def readable_hand(self) -> DraftHand | None:
        """The hand in the draft of the round that this client can read: its own one, or that of the stand-in which
        drafts for its seat, as far as its host has entrusted it."""
        return self.hand or self._entrusted_hand()

    def _entrusted_hand(self) -> DraftHand | None:
        drafts, seat, key = self._drafts, self._records.seat, self._records.entrusted_draft
        if drafts is None or seat is None or key is None:
            return None
        known = self._entrusted
        if known is None or known[0] is not drafts.now or known[1] != key:
            right = drafts.is_of_stand_in(seat, key)
            known = self._entrusted = drafts.now, key, drafts.stand_in_hand(seat, key) if right else None
        return known[2]

    def _hand_in(self, begun: int) -> DraftHand | None:
        """The own hand in the draft that began with an entry."""
        client_log, seat, drafts = self._records.client_log, self._records.seat, self._drafts
        if client_log is None or seat is None or drafts is None:
            return None
        if begun not in self._hands:
            usable = drafts.rounds[begun].record.table.attempt <= LINKS
            self._hands[begun] = self._records.owner(seat).hand(client_log.audit, begun) if usable else None
        return self._hands[begun]

    @property
    def known(self) -> OwnPicks | None:
        """What this seat knows by itself of the draft; None where there is none, or somebody has lied to it."""
        hand = self.readable_hand
        if hand is None:
            return None
        record = hand.record
        said = (len(record.boxes), len(record.steps), len(record.swaps))
        at = (hand.secret.link, record.table.number, said, record.due)
        if self._known[0] != at:
            self._known = (at, readable_picks(hand))
        return self._known[1]

    def due(self) -> SayInDraft | None:
        """What this seat says now without being asked."""
        client_log, hand = self._records.client_log, self.hand
        if client_log is None or hand is None or not client_log.audit.expects(DraftSaid):
            return None
        if self.known is not None and hand.record.due[1] != hand.seat:
            return None
        said = hand.due()
        return None if said is None else self._signed(said)

    @property
    def may_pick(self) -> bool:
        """Whether this seat has to pick, and knows from what."""
        hand = self.hand
        return hand is not None and hand.record.due == ("pick", hand.seat) and self.known is not None

    def says(self, action: Action) -> bool:
        """Whether an action is something that this seat says in a sealed draft, and no move like any other."""
        gives = isinstance(action, Theater) and action.seat is not None
        return self.hand is not None and (gives or isinstance(action, Pick))

    def may(self, choice: Choice) -> bool:
        """Whether this seat may make this choice: an exchange is begun by whoever has drafted for it."""
        exchanges = isinstance(choice, Theater) and choice.seat is not None
        return self._drafts is None or self.hand is not None or not exchanges

    def chosen(self, action: Action, view: State) -> SayInDraft:
        """What this seat says for a pick or an exchange that the rules allow."""
        hand = self.hand
        assert hand is not None
        if isinstance(action, Pick):
            return self._signed(hand.pick(action.character, action.discarding))
        assert isinstance(action, Theater)
        assert action.seat is not None
        return self._signed(hand.give(action.seat, action.giving or view.players[hand.seat].concealed[0]))

    def asked(self, view: State | None) -> int | None:
        """The entry that a call is to become to which this seat replies; None where it is asked nothing."""
        client_log, hand = self._records.client_log, self.hand
        inquiry = view.inquiry if view is not None else None
        if client_log is None or hand is None or inquiry is None or inquiry.character is None:
            return None
        asked = hand.seat in inquiry.seats and client_log.audit.expects(DraftCalled)
        return client_log.chain.n + 1 if asked else None

    def reply(self, view: State) -> SayInDraft:
        """What this seat says to the call that it is asked at."""
        hand = self.hand
        assert hand is not None
        assert view.inquiry is not None
        assert view.inquiry.character is not None
        return self._signed(hand.reply(view.cast.index(view.inquiry.character)))

    def _signed(self, said: AnyDraftMessage) -> SayInDraft:
        records, client_log = self._records, self._records.client_log
        assert client_log is not None
        assert records.seat is not None
        n, before, what = client_log.chain.n + 1, client_log.chain.head, encode_message(said)
        signature = sign_draft(records.identity, records.game.id, n, before, records.seat, what)
        return SayInDraft(n, what, signature)
