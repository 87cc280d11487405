"""The sealed drafts of one game as every reader of its log has them: the messages, and those that are due
(docs/protocol.md, section on sealed drafts)."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft import messages as said_by
from citadels_lan.crypto.draft.plan import plan_for
from citadels_lan.crypto.draft.record import OVER, DraftRecord
from citadels_lan.crypto.draft.secrets import DraftSecret, DraftTable, later_link, usable
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.identity import verify
from citadels_lan.crypto.log import Agreement, Header, Said, SaidItem
from citadels_lan.engine import Event, Unplayable, check, new_table
from citadels_lan.engine.events import CastDrawn, Crowned, Inquired, InquiryAnswered, Revealed, RoundBegan

LINK: Final = "link"
"""The kind of an opening that has the last secret link of a seat."""


class Drafts:
    """`rounds` are the drafts in order. `links` are the last secret links by seat, once the game is closed.
    `inquiry` is what the table waits for. Mismatch if an honest host would not take a message."""

    def __init__(self, header: Header) -> None:
        self._header = header
        try:
            self._table = new_table(header.config, sealed=True)
        except Unplayable:
            raise Mismatch("setup", 1) from None
        self.rounds: list[DraftRecord] = []
        self.links: dict[int, bytes] = {}
        self.inquiry: Inquired | None = None
        self._public: tuple[bytes, ...] = ()
        self._anchors: tuple[bytes, ...] = ()

    def agree(self, seats: Sequence[Agreement]) -> None:
        """Take the anchors of all seats' chains."""
        self._public, self._anchors = zip(*(one.anchors for one in seats), strict=True)

    @property
    def record(self) -> DraftRecord:
        """The draft of this round."""
        return self.rounds[-1]

    @property
    def proven(self) -> bool:
        """Whether a lie is proven that ends the game."""
        return bool(self.rounds) and self.record.proven

    @property
    def due(self) -> tuple[str, tuple[int, ...]]:
        """The message that is due now, and of which seats; `call` for replies to one."""
        due = self.record.due if self.rounds else OVER
        calls = self.inquiry is not None and self.inquiry.character is not None and not self.proven
        return ("call", self.inquiry.seats) if calls and due == OVER and self.inquiry is not None else due

    @property
    def place(self) -> int:
        """The place in the cast of the character that is called."""
        called = self.inquiry.character if self.inquiry is not None else None
        return self.record.table.plan.cast.index(called or "")

    def begin(self, n: int, number: int) -> None:
        """Begin the draft of a round, after the table has asked for its deal."""
        if self.inquiry is None or self.inquiry.what != "deal":
            raise Mismatch("draft", n)
        table = DraftTable(self._header.game_id, number, plan_for(self._table), self._anchors)
        self.rounds.append(DraftRecord(table))

    def happen(self, n: int, event: Event) -> None:
        """Note what a draft depends on."""
        match event:
            case CastDrawn():
                try:
                    check(replace(self._header.config, cast=event.cast, districts=event.districts))
                except Unplayable:
                    raise Mismatch("setup", n) from None
                if not event.cast:
                    raise Mismatch("setup", n)
                self._table.cast = event.cast
            case Crowned():
                self._table.crown = event.seat
            case Inquired():
                self.inquiry = event
            case InquiryAnswered() | RoundBegan():
                self.inquiry = None

    def check(self, n: int, head: bytes, item: SaidItem) -> said_by.AnyDraftMessage:
        """Return what a seat says in entry `n`, after `head`; changes nothing. Unacceptable unless it is signed,
        due, and fits; Malformed for what is no message."""
        message = self._read(n, head, item)
        if not isinstance(message, said_by.TOGETHER):
            deepcopy(self.record).take(n, head, item.seat, message)
        return message

    def _read(self, n: int, head: bytes, item: SaidItem) -> said_by.AnyDraftMessage:
        seat, game, (due, seats) = item.seat, self._header.game_id, self.due
        if seat >= len(self._header.players) or not self._signed(n, head, item):
            raise Unacceptable("signature")
        message = said_by.decode_message(item.message)
        match message:
            case said_by.Begun() if due == "begin":
                if later_link(game, seat, message.link, 1) != self._public[seat] or not usable(message.box):
                    raise Unacceptable("draft_form")
            case said_by.CallReply() if due == "call" and seat in seats:
                self.record.opened_by(seat, self.place, message)
            case said_by.Begun() | said_by.CallReply():
                raise Unacceptable("draft_turn")
            case said_by.HandedOver() if due == "call":
                raise Unacceptable("draft_turn")
        return message

    def _signed(self, n: int, head: bytes, item: SaidItem) -> bool:
        key, fields = self._header.players[item.seat].key, (u64(n), head, u8(item.seat), item.message)
        return verify(key, item.sig, "said", self._header.game_id, *fields)

    def take(self, n: int, head: bytes, entry: Said) -> None:
        """Take what seats say in entry `n`."""
        try:
            self._take(n, head, entry)
        except Unacceptable as reason:
            code = "said_signature" if reason.code == "signature" else "draft"
            raise Mismatch(code, n, seat=entry.items[0].seat) from None

    def _take(self, n: int, head: bytes, entry: Said) -> None:
        said = {item.seat: self._read(n, head, item) for item in entry.items}
        begun = {seat: message for seat, message in said.items() if isinstance(message, said_by.Begun)}
        replies = {seat: message for seat, message in said.items() if isinstance(message, said_by.CallReply)}
        seats, together = tuple(item.seat for item in entry.items), {**begun, **replies}
        if seats != (self.due[1] if together else seats[:1]) or len(together) not in (0, len(seats)):
            raise Unacceptable("draft_turn")
        if begun:
            self.record.begin(n, begun)
            self._public = self.record.links
        elif replies:
            self.record.call(n, self.place, replies)
        else:
            self.record.take(n, head, seats[0], said[seats[0]])

    def showed(self, event: Revealed) -> bool:
        """Whether a character that is revealed is what a seat has just shown to a call."""
        call, cast = self.record.calls[-1:], self.record.table.plan.cast
        return any((one.shown, cast[one.place]) == ((event.seat,), event.character) for one in call)

    def link_fits(self, opening: Opening) -> bool:
        """Whether an opening has the secret link of a seat for the last draft."""
        if not self.rounds or opening.seat >= len(self._anchors):
            return False
        form = link_opening(self.record.table.number, opening.seat, opening.nonce)
        return opening == form and self.record.table.fits(opening.seat, opening.nonce)

    def open(self, n: int, openings: Sequence[Opening]) -> None:
        """Take the last secret links, out of *close*."""
        for opening in openings:
            if opening.seat in self.links or not self.link_fits(opening):
                raise Mismatch("draft_link", n, seat=opening.seat)
            self.links[opening.seat] = opening.nonce

    def secrets(self, record: DraftRecord) -> Mapping[int, DraftSecret]:
        """The secrets of one draft that the links give, by seat."""
        table, game, back = record.table, self._header.game_id, self.record.table.number - record.table.number
        links = {seat: later_link(game, seat, link, back) for seat, link in self.links.items()}
        return {seat: DraftSecret(table, seat, link) for seat, link in links.items()}


def link_opening(round_: int, seat: int, link: bytes) -> Opening:
    """Return the form in which a seat gives its secret link of a round."""
    return Opening(round_, seat, 0, LINK, LINK, link)
