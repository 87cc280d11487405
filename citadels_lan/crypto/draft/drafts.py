"""Sealed drafts as all players see them (docs/protocol.md, section 11): the messages of seats, the record of
one round, and all drafts of a game.

All messages of one kind at one place of a plan have the same length, whatever they contain. The next message
is of one of these kinds:

    due       sent by                               after it
    begin     every seat, in one entry              deal
    deal      the seat of the first step            pick
    pick      the seat of the step                  pick, back, or over
    back      the dealer, before the last step      pick
    hand      the seat that was given a character   over
    over      no seat; before the first call an exchange may begin

A complaint may come at any time in the round. An honest host rejects a message that does not fit."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.crypto.codec import typed, u8, u64, unpack
from citadels_lan.crypto.commitments import Hash, Opening, Seat
from citadels_lan.crypto.identity import verify
from citadels_lan.crypto.log import Agreement, Header, Mismatch, Said, SaidItem, Unacceptable
from citadels_lan.engine import Event, Unplayable, check, new_table
from citadels_lan.engine.events import CastDrawn, Crowned, Inquired, InquiryAnswered, Revealed, RoundBegan
from citadels_lan.engine.flow.sealed_draft import DraftStep

from .secrets import SEALED, DraftSecret, DraftTable, Fixed, SealedBox, later_link, plan_for, public_key, usable

Sealed = Annotated[bytes, Meta(min_length=SEALED, max_length=SEALED)]


class DraftMessage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of a seat's messages in a sealed draft. The first element of the array is the kind."""


class Begun(DraftMessage, frozen=True, array_like=True, tag=0):
    """The first message of every seat in a sealed draft: the link of this round in the seat's first hash
    chain, and the seat's public key `box` for encrypted boxes in this round."""

    link: Hash
    box: Hash


class Dealt(DraftMessage, frozen=True, array_like=True, tag=1):
    """The dealer's layout. `face_up` has one byte for each face-up character, in order: its place in the
    cast. `face_down` and `packet` are the commitments to the face-down character and to the packet for the
    first step."""

    face_up: Annotated[bytes, Meta(max_length=8)]
    face_down: Hash | None
    packet: Hash


class PassedOn(DraftMessage, frozen=True, array_like=True, tag=2):
    """A pick: commitments to the picked character (`pick`), to the discarded one (`aside`), and to the
    characters passed on (`packet`). `box` is the packet, encrypted for the seat of the next step; None after
    the last step."""

    pick: Hash
    aside: Hash | None
    packet: Hash
    box: Sealed | None


class GivenBack(DraftMessage, frozen=True, array_like=True, tag=3):
    """The face-down character in an encrypted `box`, from the dealer to the seat of the last step, directly
    before its pick."""

    box: Sealed


class Complained(DraftMessage, frozen=True, array_like=True, tag=4):
    """A complaint that the box in entry `entry` does not have the right content for this seat. `secret` is
    the seat's secret key for boxes in this round, so all readers of the log can open the box and check."""

    entry: Annotated[int, Meta(ge=0, lt=2**32)]
    secret: Hash


class HandedOver(DraftMessage, frozen=True, array_like=True, tag=5):
    """One half of an exchange (Theater): a character in a `box` for the seat `to`, and the commitment `given`
    to it. The seat `to` answers with the other half, in the same form."""

    to: Seat
    given: Hash
    box: Sealed


class CallReply(DraftMessage, frozen=True, array_like=True, tag=6):
    """The reply to a call. If the seat shows the called character: the nonce that opens its commitment to it.
    Otherwise: zeros."""

    nonce: Hash


TOGETHER: Final = (Begun, CallReply)
"""Kinds of messages that several seats send, and that the host puts into one entry."""
NOT_HELD: Final = CallReply(bytes(32))

AnyDraftMessage: TypeAlias = Begun | Dealt | PassedOn | GivenBack | Complained | HandedOver | CallReply
_MESSAGE: Any = AnyDraftMessage  # a union is a type to msgspec only


def decode_message(what: bytes) -> AnyDraftMessage:
    """Decode a seat's message in a sealed draft. Raises Malformed."""
    message: AnyDraftMessage = typed(unpack(what), _MESSAGE)
    return message


OVER: Final[tuple[str, tuple[int, ...]]] = ("over", ())
MOST_GIVEN: Final = 32
"""Most characters that can be given in the exchanges of one round."""


class DraftFinding(Struct, frozen=True, order=True):
    """A lie in a sealed draft: the entry that proves it, the seat that lied (NOBODY if several seats are
    possible), and the code of the lie."""

    n: int
    seat: int
    code: str


class TakenStep(Struct, frozen=True):
    """A step of the draft after its pick in entry `n`: the commitments to the picked character and to the
    discarded one, and the box with the characters passed on."""

    n: int
    step: DraftStep
    pick: Fixed
    aside: Fixed | None
    box: SealedBox | None


class DraftCall(Struct, frozen=True):
    """A call in entry `n`. `place` is the place of the called character in the cast. `seats` are the seats
    that replied, and `shown` those of them that showed the character."""

    n: int
    place: int
    seats: tuple[int, ...]
    shown: tuple[int, ...]


class DraftRecord:
    """The draft of one round, recorded message by message. A message that does not fit raises Unacceptable
    (`draft_turn`, `draft_form`, `draft_opening`) and changes nothing.

    By seat: `links` are the links of the first hash chains, and `keys` the public keys for boxes. `packets`
    are the commitments to packets, by the step that receives them. `holdings` are the commitments of each
    seat to characters that it can show; `shown` are those that were shown, each with its character as a
    bitmap. `given` are the boxes of exchanges, two for each exchange. `findings` are the lies that the record
    alone proves; if `proven`, a lie ends the game. `taken` counts the messages."""

    def __init__(self, table: DraftTable) -> None:
        self.table = table
        self.links: tuple[bytes, ...] = ()
        self.keys: tuple[bytes, ...] = ()
        self.begun_in = self.dealt_in = self.taken = self.face_up = 0
        self.layout = b""
        self.face_down: Fixed | None = None
        self.packets: list[Fixed] = []
        self.steps: list[TakenStep] = []
        self.boxes: list[SealedBox] = []
        self.holdings: dict[int, list[Fixed]] = {}
        self.shown: dict[Fixed, int] = {}
        self.given: list[SealedBox] = []
        self.calls: list[DraftCall] = []
        self.findings: list[DraftFinding] = []
        self.complaints: set[int] = set()
        self.proven = False

    @property
    def due(self) -> tuple[str, tuple[int, ...]]:
        """The kind of the next message (see the table of this module), and the seats that have to send it."""
        plan, done = self.table.plan, len(self.steps)
        if self.proven:
            return OVER
        # Without the keys of all seats the dealer could not encrypt the packets.
        if not self.keys:
            return "begin", tuple(range(len(self.table.anchors)))
        if not self.packets:
            return "deal", (plan.dealer,)
        if done < len(plan.steps):
            # Before this pick the dealer passes the face-down character on to the seat.
            waits = plan.goes_back(done) and all(box.fixed.kind != "face-down" for box in self.boxes)
            return ("back", (plan.dealer,)) if waits else ("pick", (plan.steps[done].seat,))
        return ("hand", (self.given[-1].to,)) if len(self.given) % 2 else OVER

    def begin(self, n: int, begun: Mapping[int, Begun]) -> None:
        """Record the messages of all seats at the beginning. The audit checks seats, links and keys."""
        if self.due[0] != "begin":
            raise Unacceptable("draft_turn")
        self.links = tuple(one.link for one in begun.values())
        self.keys = tuple(one.box for one in begun.values())
        self.begun_in, self.taken = n, self.taken + 1

    def take(self, n: int, head: bytes, seat: int, message: AnyDraftMessage) -> None:
        """Record the message of one seat in entry `n`; `head` is the hash before that entry. Raises
        Unacceptable."""
        match message, self.due:
            case Dealt(), ("deal", (due,)) if due == seat:
                self._deal(n, head, message)
            case PassedOn(), ("pick", (due,)) if due == seat:
                self._pass_on(n, head, message)
            case GivenBack(), ("back", (due,)) if due == seat and self.face_down is not None:
                self.boxes.append(SealedBox(n, self.face_down, self.table.plan.steps[-1].seat, 1, message.box))
            case HandedOver(), (what, _):
                self._hand_over(n, head, seat, message, answers=what == "hand")
            case Complained(), _:
                self._complain(n, seat, message)
            case _:
                raise Unacceptable("draft_turn")
        self.taken += 1

    def call(self, n: int, place: int, replies: Mapping[int, CallReply]) -> None:
        """Record the replies to a call in entry `n`; `place` is the place of the called character in the
        cast. If two seats show the character, one of them has lied: that ends the game. Raises
        Unacceptable."""
        opened = {seat: self.opened_by(seat, place, reply) for seat, reply in replies.items()}
        if self.due != OVER or self.proven:
            raise Unacceptable("draft_turn")
        shown = {seat: fixed for seat, fixed in opened.items() if fixed is not None}
        self.shown |= dict.fromkeys(shown.values(), 1 << place)
        self.calls.append(DraftCall(n, place, tuple(replies), tuple(shown)))
        # Only one seat can hold a character. Which one has lied shows when the links are there.
        self.proven, self.taken = len(shown) > 1, self.taken + 1

    def opened_by(self, seat: int, place: int, reply: CallReply) -> Fixed | None:
        """Return the commitment of `seat` that its reply opens to the called character; None if the reply
        denies that the seat has it. Raises Unacceptable if the nonce opens no commitment."""
        if reply == NOT_HELD:
            return None
        for fixed in self.holdings.get(seat, ()):
            # A character that was shown once cannot be shown again.
            if fixed not in self.shown and self.table.opens(fixed, 1 << place, reply.nonce):
                return fixed
        raise Unacceptable("draft_opening")

    def sound(self, box: SealedBox, content: tuple[int, bytes] | None) -> bool:
        """Return whether the decrypted `content` of a box is right as far as its receiver can tell: it opens
        the commitment, it has the right number of characters, and none of them is face up. None as `content`
        is not right."""
        if content is None or not self.table.opens(box.fixed, *content):
            return False
        # A face-up character, or a bit beyond the cast, cannot be in a box.
        strange = content[0] & (self.face_up | ~self.table.plan.all_cards)
        return content[0].bit_count() == box.size and not strange

    def _deal(self, n: int, head: bytes, dealt: Dealt) -> None:
        plan, up = self.table.plan, set(dealt.face_up)
        right = up <= set(range(len(plan.cast))) - {plan.never_up}
        sizes = len(dealt.face_up), len(up), dealt.face_down is not None
        if not right or sizes != (plan.face_up, plan.face_up, plan.face_down):
            raise Unacceptable("draft_form")
        self.layout, self.dealt_in, self.face_up = dealt.face_up, n, sum(1 << place for place in up)
        if dealt.face_down is not None:
            self.face_down = Fixed("face-down", 0, plan.dealer, head, dealt.face_down)
        self.packets.append(Fixed("packet", 0, plan.dealer, head, dealt.packet))

    def _pass_on(self, n: int, head: bytes, passed: PassedOn) -> None:
        plan, done = self.table.plan, len(self.steps)
        step, following = plan.steps[done], plan.steps[done + 1 : done + 2]
        if (passed.aside is not None, passed.box is not None) != (bool(step.aside), bool(following)):
            raise Unacceptable("draft_form")
        held = self.holdings.setdefault(step.seat, [])
        pick = Fixed("pick", len(held), step.seat, head, passed.pick)
        aside = None if passed.aside is None else Fixed("discard", len(held), step.seat, head, passed.aside)
        packet = Fixed("packet", done + 1, step.seat, head, passed.packet)
        size = plan.offered - sum(one.taken for one in plan.steps[: done + 1])
        box = None if passed.box is None else SealedBox(n, packet, following[0].seat, size, passed.box)
        self.boxes += [box] if box is not None else []
        self.steps.append(TakenStep(n, step, pick, aside, box))
        held.append(pick)
        self.packets.append(packet)

    def _hand_over(self, n: int, head: bytes, seat: int, gift: HandedOver, *, answers: bool) -> None:
        may = self.due == ("hand", (seat,)) if answers else self.due == OVER and not self.calls
        if not may or self.proven or len(self.given) >= MOST_GIVEN:
            raise Unacceptable("draft_turn")
        there = seat in self.holdings and gift.to in self.holdings and gift.to != seat
        if not there or (answers and gift.to != self.given[-1].fixed.by):
            raise Unacceptable("draft_form")
        box = SealedBox(n, Fixed("given", len(self.given), seat, head, gift.given), gift.to, 1, gift.box)
        self.boxes.append(box)
        self.given.append(box)
        # An exchange counts only when both seats have given.
        for one in self.given[-2:] if answers else ():
            self.holdings[one.to].append(one.fixed)

    def _complain(self, n: int, seat: int, complaint: Complained) -> None:
        box = next((box for box in self.boxes if (box.n, box.to) == (complaint.entry, seat)), None)
        if box is None or self.proven or box.n in self.complaints:
            raise Unacceptable("draft_turn")
        self.complaints.add(box.n)
        # With another secret the box would not open, whatever is in it.
        if public_key(complaint.secret) != self.keys[seat]:
            self.findings.append(DraftFinding(n, seat, "secret"))
        elif self.sound(box, self.table.open_box(box, complaint.secret)):
            self.findings.append(DraftFinding(n, seat, "complaint"))
        else:
            self.findings.append(DraftFinding(box.n, box.fixed.by, "box"))
            self.proven = True


LINK: Final = "link"
"""The kind of the opening with which a seat reveals the secret of its last draft: the last used link of its
second hash chain. It opens no commitment to a move."""


class Drafts:
    """All sealed drafts of a game, in `rounds`. `links`: by seat, the last used link of its second hash
    chain, once the game is closed; the secrets of all its drafts follow from it. `inquiry`: the question for
    which the table waits (see the glossary), or None. The methods raise Mismatch for messages that an honest
    host would have rejected."""

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
        """Record both chain commitments of every seat, from *commits*."""
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
        """The kind of message that the log needs next, and the seats that have to send it. The kind is `call`
        for replies to a call."""
        due = self.record.due if self.rounds else OVER
        calls = self.inquiry is not None and self.inquiry.character is not None and not self.proven
        return ("call", self.inquiry.seats) if calls and due == OVER and self.inquiry is not None else due

    @property
    def place(self) -> int:
        """The place in the cast of the character that is called."""
        called = self.inquiry.character if self.inquiry is not None else None
        return self.record.table.plan.cast.index(called or "")

    def begin(self, n: int, number: int) -> None:
        """Begin the draft of round `number` in entry `n`. Raises Mismatch unless the table waits for a
        deal."""
        if self.inquiry is None or self.inquiry.what != "deal":
            raise Mismatch("draft", n)
        table = DraftTable(self._header.game_id, number, plan_for(self._table), self._anchors)
        self.rounds.append(DraftRecord(table))

    def happen(self, n: int, event: Event) -> None:
        """Record what the drafts need from an event in entry `n`: the cast, the crown, or an inquiry. Raises
        Mismatch."""
        match event:
            case CastDrawn():
                try:
                    check(replace(self._header.config, cast=event.cast, districts=event.districts))
                except Unplayable:
                    raise Mismatch("setup", n) from None
                if not event.cast:
                    raise Mismatch("setup", n)
                # The plan of a draft needs the cast, which chance may draw first.
                self._table.cast = event.cast
            case Crowned():
                self._table.crown = event.seat
            case Inquired():
                self.inquiry = event
            case InquiryAnswered() | RoundBegan():
                self.inquiry = None

    def check(self, n: int, head: bytes, item: SaidItem) -> AnyDraftMessage:
        """Decode and return a seat's message for entry `n`, after the hash `head`. Changes nothing. Raises
        Unacceptable unless the message is signed, due, and fits; Malformed for bytes that are no message."""
        message = self._read(n, head, item)
        # The host must know whether the message fits before it writes it, so a copy takes it.
        if not isinstance(message, TOGETHER):
            deepcopy(self.record).take(n, head, item.seat, message)
        return message

    def _read(self, n: int, head: bytes, item: SaidItem) -> AnyDraftMessage:
        seat, game, (due, seats) = item.seat, self._header.game_id, self.due
        if seat >= len(self._header.players) or not self._signed(n, head, item):
            raise Unacceptable("signature")
        message = decode_message(item.message)
        match message:
            case Begun() if due == "begin":
                if later_link(game, seat, message.link, 1) != self._public[seat] or not usable(message.box):
                    raise Unacceptable("draft_form")
            case CallReply() if due == "call" and seat in seats:
                self.record.opened_by(seat, self.place, message)
            case Begun() | CallReply():
                raise Unacceptable("draft_turn")
            case HandedOver() if due == "call":
                raise Unacceptable("draft_turn")
        return message

    def _signed(self, n: int, head: bytes, item: SaidItem) -> bool:
        # The number and the hash before tie the message to one place of one history.
        key, fields = self._header.players[item.seat].key, (u64(n), head, u8(item.seat), item.message)
        return verify(key, item.sig, "said", self._header.game_id, *fields)

    def take(self, n: int, head: bytes, entry: Said) -> None:
        """Record the messages of seats in entry `n`. Raises Mismatch."""
        try:
            self._take(n, head, entry)
        except Unacceptable as reason:
            code = "said_signature" if reason.code == "signature" else "draft"
            raise Mismatch(code, n, seat=entry.items[0].seat) from None

    def _take(self, n: int, head: bytes, entry: Said) -> None:
        said = {item.seat: self._read(n, head, item) for item in entry.items}
        begun = {seat: message for seat, message in said.items() if isinstance(message, Begun)}
        replies = {seat: message for seat, message in said.items() if isinstance(message, CallReply)}
        # Beginnings and replies come from all seats that are due at once, other messages from one seat.
        seats, together = tuple(item.seat for item in entry.items), {**begun, **replies}
        if seats != (self.due[1] if together else seats[:1]) or len(together) not in (0, len(seats)):
            raise Unacceptable("draft_turn")
        if begun:
            self.record.begin(n, begun)
            # The next link of each chain is checked against this one.
            self._public = self.record.links
        elif replies:
            self.record.call(n, self.place, replies)
        else:
            self.record.take(n, head, seats[0], said[seats[0]])

    def showed(self, event: Revealed) -> bool:
        """Return whether the reply to the last call shows the character of `event`, and only the seat of
        `event` shows it."""
        call, cast = self.record.calls[-1:], self.record.table.plan.cast
        return any((one.shown, cast[one.place]) == ((event.seat,), event.character) for one in call)

    def link_fits(self, opening: Opening) -> bool:
        """Return whether `opening` reveals the right secret of its seat in the last draft: the link of that
        round in its second hash chain."""
        if not self.rounds or opening.seat >= len(self._anchors):
            return False
        form = link_opening(self.record.table.number, opening.seat, opening.nonce)
        return opening == form and self.record.table.fits(opening.seat, opening.nonce)

    def open(self, n: int, openings: Sequence[Opening]) -> None:
        """Record the links that the seats reveal in the openings of *close*, entry `n`. Raises Mismatch."""
        for opening in openings:
            if opening.seat in self.links or not self.link_fits(opening):
                raise Mismatch("draft_link", n, seat=opening.seat)
            self.links[opening.seat] = opening.nonce

    def secrets(self, record: DraftRecord) -> Mapping[int, DraftSecret]:
        """Return the secrets of the draft `record`, by seat, as far as they follow from `links`."""
        table, game, back = record.table, self._header.game_id, self.record.table.number - record.table.number
        links = {seat: later_link(game, seat, link, back) for seat, link in self.links.items()}
        return {seat: DraftSecret(table, seat, link) for seat, link in links.items()}


def link_opening(round_: int, seat: int, link: bytes) -> Opening:
    """Return the opening with which a seat reveals its secret of a round: `link`, in its second hash
    chain."""
    return Opening(round_, seat, 0, LINK, LINK, link)
