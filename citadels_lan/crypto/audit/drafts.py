"""The sealed drafts of one game as everybody who reads its log has them: whose turn it is to say what, with which
key, and what was said (docs/protocol.md, section 17)."""

from collections.abc import Mapping, Sequence
from copy import deepcopy

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.beacons import LINKS, Round, bitmap, leads_to
from citadels_lan.crypto.draft.boxes import own_box
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import CallReply, Dealt, HandedOver, decode_message, draft_signed
from citadels_lan.crypto.draft.outlined import plan_for
from citadels_lan.crypto.draft.parts import DraftCall
from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.draft.playing import passed_in
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.draft.secrets import DraftTable, draft_anchor, earlier_link, secret_of, stand_in_draft_key
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.log import (
    Back,
    DraftCalled,
    DraftLinks,
    DraftSaid,
    DraftWithout,
    Header,
    Move,
    Restart,
    SignedReply,
    StandIn,
)
from citadels_lan.crypto.stand_ins import Movers, Stint
from citadels_lan.engine import Event, Unplayable, check, new_table
from citadels_lan.engine.events import CastDrawn, Crowned, Inquired, InquiryAnswered, Revealed, RoundBegan

from .signed import Signed


class DraftRound(Struct, frozen=True):
    """The draft of one round: what everybody has of it, and which stand-ins draft in it, by seat; for the others
    their owners do. `said` is what has a signature that was checked, `waiting` the entries of what has none."""

    record: DraftRecord
    stints: Mapping[int, Stint]
    said: list[tuple[Signed, bytes]] = []
    waiting: list[int] = []

    @property
    def unsigned(self) -> bool:
        """Whether something was said in it that has no signature in the log."""
        return bool(self.waiting)

    def sign(self, signed: Signed, signature: bytes) -> None:
        """Note a signature."""
        self.said.append((signed, signature))
        if signed.n in self.waiting:
            self.waiting.remove(signed.n)


class Drafts:
    """`rounds` are the drafts by the number of their beacons entry, also those in which nobody has dealt. `links`
    are those of the owners' second chains for the last of them, once they are in the log. `inquiry` is what the
    table waits for; where the chains of links are `spent` nobody drafts any more. Mismatch for whatever an honest
    host does not take."""

    def __init__(self, header: Header, movers: Movers) -> None:
        self._header = header
        self._movers = movers
        try:
            self._table = new_table(header.config, sealed=True)
        except Unplayable:
            raise Mismatch("setup", 1) from None
        self.anchors: tuple[bytes, ...] = ()
        self.boxes: tuple[bytes, ...] = ()
        self.rounds: dict[int, DraftRound] = {}
        self.links: dict[int, bytes] = {}
        self.inquiry: Inquired | None = None
        self.spent = False

    @property
    def waits_for_deal(self) -> bool:
        """Whether a round waits for who deals."""
        return self.inquiry is not None and self.inquiry.what == "deal"

    @property
    def now(self) -> DraftRound:
        """The draft of this round."""
        return self.rounds[max(self.rounds)]

    @property
    def record(self) -> DraftRecord:
        """What everybody has of the draft of this round."""
        return self.now.record

    @property
    def proven(self) -> bool:
        """Whether somebody has lied for all to see: the game ends so."""
        if not self.rounds:
            return False
        complaint, calls = self.record.complaint, self.record.calls
        return (complaint is not None and complaint.culprit != NOBODY) or (
            bool(calls) and len(calls[-1].shown) > 1
        )

    @property
    def kinds(self) -> tuple[type, ...]:
        """The kinds of entries that may come in a round."""
        deciding = (DraftSaid, StandIn, Back)
        if self.spent:
            return deciding[1:]
        due = self.record.due
        if due != OVER:
            return (*deciding, Restart if due[0] == "deal" else DraftWithout)
        return (*deciding, Move if self.inquiry is None else DraftCalled)

    def begin(self, n: int, round_: Round, attempt: int) -> None:
        """Begin the draft of a round with its beacons entry. Whoever is not there does not deal; nobody does where
        the chains are spent."""
        self.spent = attempt > LINKS
        if self.spent:
            return
        stints = {seat: stint for seat in self._movers.stood_in if (stint := self._movers.stint(seat)) is not None}
        anchors, boxes = list(self.anchors), list(self.boxes)
        for seat, stint in stints.items():
            anchors[seat], boxes[seat] = stint.anchor or b"", stint.box or b""
        dealers = round_.present | bitmap(sorted(stints))
        plan = plan_for(self._table)
        table = DraftTable(self._header.game_id, round_, attempt, plan, tuple(anchors), tuple(boxes), dealers)
        record = DraftRecord(table)
        while record.due[0] == "deal" and not dealers >> record.due[1] & 1:
            record.leave_out(record.due[1])
        self.rounds[n] = DraftRound(record, stints)

    def happen(self, n: int, event: Event) -> None:
        """Note what a draft depends on."""
        match event:
            case CastDrawn():
                self._check_cast(n, event)
                self._table.cast = event.cast
            case Crowned():
                self._table.crown = event.seat
            case Inquired():
                self.inquiry = event
            case InquiryAnswered():
                self.inquiry = None
            case RoundBegan() if self.waits_for_deal:
                self.inquiry = None

    def _check_cast(self, n: int, drawn: CastDrawn) -> None:
        """A draft can be planned with these characters."""
        try:
            check(replace(self._header.config, cast=drawn.cast, districts=drawn.districts))
        except Unplayable:
            raise Mismatch("setup", n) from None
        if not drawn.cast:
            raise Mismatch("setup", n)

    def drafter(self, seat: int) -> bytes:
        """The key of whoever drafts for a seat in this round."""
        stint = self.now.stints.get(seat)
        return self._header.players[seat].key if stint is None else stint.key

    def take(self, n: int, entry: DraftSaid, events: Sequence[Event]) -> None:
        """Take what a seat says."""
        self._check_passed(n, events, self._take(n, entry, self.record))
        self.now.waiting.append(n)

    def passed_by(self, n: int, entry: DraftSaid) -> int:
        """How many seats have not picked before what a seat says as entry `n`; Mismatch where it cannot say that.
        Changes nothing."""
        return self._take(n, entry, deepcopy(self.record))

    def _take(self, n: int, entry: DraftSaid, record: DraftRecord) -> int:
        message = decode_message(entry.what)
        if isinstance(message, HandedOver) and record.due == OVER and not self._may_begin(entry.seat):
            raise Mismatch("draft", n, seat=entry.seat)
        try:
            record.take(entry.seat, message)
        except Unacceptable:
            raise Mismatch("draft", n, seat=entry.seat) from None
        return record.next if isinstance(message, Dealt) else 0

    def _may_begin(self, seat: int) -> bool:
        """Whether a seat may begin an exchange: the table waits for no answer, and who moves for the seat now has
        drafted for it."""
        return self.inquiry is None and self._movers.stint(seat) is self.now.stints.get(seat)

    def skip(self, n: int, entry: DraftWithout, events: Sequence[Event]) -> None:
        """Go on without a seat."""
        left = self.left_out(entry.seat)
        try:
            self.record.leave_out(entry.seat)
        except Unacceptable:
            raise Mismatch("draft", n, seat=entry.seat) from None
        self._check_passed(n, events, left)

    def left_out(self, seat: int) -> int:
        """How many steps of the draft nobody does any more once it goes on without this seat."""
        what, waited_for = self.record.due
        if what == "key" or (what == "again" and seat == waited_for):
            return len(self.record.table.plan.steps) - self.record.next
        return int(what in ("deal", "pick", "again"))

    def _check_passed(self, n: int, events: Sequence[Event], left: int) -> None:
        if passed_in(events) != left:
            raise Mismatch("draft", n)

    def call(self, n: int, before: bytes, entry: DraftCalled) -> int:
        """Take the replies to a call; how many signatures that were."""
        inquiry, cast = self.inquiry, self.record.table.plan.cast
        seats = [one.seat for one in entry.replies]
        asked = inquiry is not None and inquiry.character == (cast[entry.place : entry.place + 1] or ("",))[0]
        may = set(inquiry.seats) & set(range(len(self._header.players))) if inquiry is not None else set()
        if not asked or seats != sorted(set(seats) & may):
            raise Mismatch("call", n)
        for one in entry.replies:
            if self.reply(n, before, one) is None:
                raise Mismatch("reply_signature", n, seat=one.seat)
            self.now.sign(Signed(n, before, one.seat, one.what, self.drafter(one.seat)), one.signature)
        try:
            self.record.call(entry.place, self.replies(entry))
        except Unacceptable:
            raise Mismatch("reply", n) from None
        return len(seats)

    def reply(self, n: int, before: bytes, one: SignedReply) -> CallReply | None:
        """A reply, if it is one and is signed."""
        message = decode_message(one.what)
        place = (self._header.game_id, n, before, one.seat, one.what)
        signed = draft_signed(self.drafter(one.seat), one.signature, *place)
        return message if signed and isinstance(message, CallReply) else None

    def replies(self, entry: DraftCalled) -> dict[int, CallReply]:
        """The replies in an entry by seat."""
        found = ((one.seat, decode_message(one.what)) for one in entry.replies)
        return {seat: message for seat, message in found if isinstance(message, CallReply)}

    def showed(self, event: Revealed, call: DraftCall | None) -> bool:
        """Whether a character that is revealed is what a seat has shown to a call."""
        cast = self.record.table.plan.cast
        return call is not None and (call.shown, cast[call.place]) == ((event.seat,), event.character)

    def check_stand_ins(self, secret: bytes) -> None:
        """What stand-ins have drafted with follows from the host's secret, once that is open."""
        game = self._header.game_id
        for stint in self._movers.stints:
            if not self._drafts_with(stint, stand_in_draft_key(game, secret, stint.n, stint.seat)):
                raise Mismatch("stand_in_draft", stint.n, seat=stint.seat)

    def _drafts_with(self, stint: Stint, key: bytes) -> bool:
        game = self._header.game_id
        return (draft_anchor(key, game, stint.seat), own_box(key, game).public) == (stint.anchor, stint.box)

    def is_of_stand_in(self, seat: int, key: bytes) -> bool:
        """Whether a key is that of the stand-in that drafts for a seat in this round."""
        stint = self.now.stints.get(seat)
        return stint is not None and self._drafts_with(stint, key)

    def stand_in_hand(self, seat: int, key: bytes) -> DraftHand:
        """The hand of the stand-in that drafts for a seat in this round, by its key."""
        table = self.record.table
        return DraftHand(self.record, secret_of(table, seat, key), own_box(key, table.game))

    def link_fits(self, seat: int, link: bytes) -> bool:
        """Whether a link is that of an owner for the last draft."""
        attempt = self.record.table.attempt
        return leads_to(self._header.game_id, seat, link, attempt, (0, self.anchors[seat]))

    def open(self, n: int, entry: DraftLinks) -> None:
        """Take the links after the game."""
        seats = [one.seat for one in entry.links]
        if seats != sorted(set(seats) & set(range(len(self._header.players)))):
            raise Mismatch("seats", n)
        for one in entry.links:
            if not self.link_fits(one.seat, one.link):
                raise Mismatch("draft_link", n, seat=one.seat)
        self.links = {one.seat: one.link for one in entry.links}

    def links_in(self, n: int, secret: bytes | None) -> dict[int, bytes]:
        """The links that open the draft that began with entry `n`, as far as they are known; `secret` is the
        host's, from which those of stand-ins follow."""
        game, one = self._header.game_id, self.rounds[n]
        table, last = one.record.table, self.record.table.attempt
        found = {
            seat: earlier_link(game, seat, link, last, table.attempt)
            for seat, link in self.links.items()
            if seat not in one.stints
        }
        for seat, stint in one.stints.items() if secret is not None else ():
            found[seat] = secret_of(table, seat, stand_in_draft_key(game, secret or b"", stint.n, seat)).link
        return found
