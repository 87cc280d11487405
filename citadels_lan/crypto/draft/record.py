"""A sealed draft as everybody sees it: what was said, who is to say what now, and whether a message fits.

What the messages hide is for whoever can read it (`judging`). What does not even fit a host refuses, so it is in
no honest log.

    due       said by                            then
    deal      the seat of the first step         pick
    pick      the seat of the step               pick; over, after the last step
    again     the seat that made the packet      pick          once a seat was left out
    hand      who was given a character          over
    key       who has sealed a box               over          once somebody has complained
    over      anybody may begin an exchange, characters are called
"""

from collections.abc import Mapping
from typing import Final

from citadels_lan.crypto.beacons import bitmap
from citadels_lan.crypto.faults import Unacceptable

from .boxes import NO_TOKEN, BoxContent, BoxKey, SealedBox, reopen
from .messages import (
    NO_NONCE,
    AnyDraftMessage,
    CallReply,
    Complained,
    Dealt,
    HandedOver,
    KeyShown,
    PassedAgain,
    PassedOn,
)
from .parts import DraftCall, DraftComplaint, DraftHolding, DraftPacket, TakenStep
from .plan import NOBODY
from .secrets import DraftTable, cards_commitment, token_commitment

OVER: Final = ("over", NOBODY)
MOST_GIVEN: Final = 32
"""Characters given in exchanges of one round at most."""
MOST_CALLS: Final = 32
"""Calls in one round at most."""


class DraftRecord:
    """One draft, message by message; Unacceptable (`draft_turn`, `draft_form`, `draft_opening`) for one that does
    not fit, which changes nothing.

    `steps` are those that were done, `boxes` all boxes in the order in which they came, `holdings` what each seat
    can show, `given` the boxes of exchanges, `swaps` those that were completed, as pairs of places in `given`,
    `calls` those that were made. `next` is the step to come.
    """

    def __init__(self, table: DraftTable) -> None:
        self.table = table
        self.dealt: Dealt | None = None
        self.dealer = NOBODY
        self.packet: DraftPacket | None = None
        self.steps: list[TakenStep] = []
        self.boxes: list[SealedBox] = []
        self.holdings: dict[int, list[DraftHolding]] = {}
        self.given: list[SealedBox] = []
        self.swaps: list[tuple[int, int]] = []
        self.calls: list[DraftCall] = []
        self.complaint: DraftComplaint | None = None
        self.next = 0
        self._again = self._ended = self._answering = False
        self._commits: set[bytes] = set()

    @property
    def due(self) -> tuple[str, int]:
        """What is to be said now, and by whom."""
        steps = self.table.plan.steps
        if self.complaint is not None and self.complaint.culprit == NOBODY and not self._ended:
            return "key", self.boxes[self.complaint.box].by
        if self._answering:
            return "hand", self.given[-1].to
        if self._ended or self.complaint is not None or self.next >= len(steps):
            return OVER
        if self.packet is None:
            return "deal", steps[self.next].seat
        return ("again", self.packet.by) if self._again else ("pick", steps[self.next].seat)

    @property
    def offered(self) -> int:
        """How many characters the next step is offered."""
        assert self.packet is not None
        return self.packet.size + self._goes_back

    @property
    def _goes_back(self) -> bool:
        plan, packet = self.table.plan, self.packet
        last = self.next == len(plan.steps) - 1
        return plan.back and last and packet is not None and packet.size == 1

    @property
    def face_up(self) -> int:
        """The characters that lie face up, as a bitmap."""
        return bitmap(self.dealt.face_up) if self.dealt is not None else 0

    def take(self, seat: int, message: AnyDraftMessage) -> None:
        """Take what a seat says. Replies to calls come by `call`."""
        match message:
            case Dealt():
                self._expect("deal", seat)
                if not self._may_deal(seat):
                    raise Unacceptable("draft_turn")
                self._deal(seat, message)
            case PassedOn():
                self._expect("pick", seat)
                self._pass_on(seat, message)
            case PassedAgain():
                self._expect("again", seat)
                self._pass_again(seat, message)
            case HandedOver():
                self._hand_over(seat, message)
            case Complained():
                self._complain(seat, message)
            case KeyShown():
                self._expect("key", seat)
                self._judge(message)
            case CallReply():
                raise Unacceptable("draft_turn")

    def leave_out(self, seat: int) -> None:
        """Go on without a seat that is to say something, or for which the packet is. Where nobody else has what is
        needed the draft ends. Who may deal and does not is not left out: the round's chance begins anew."""
        what, waited_for = self.due
        receiver = self.table.plan.steps[self.next].seat if what in ("deal", "pick", "again") else NOBODY
        if seat not in (waited_for, receiver) or what == "over" or (what == "deal" and self._may_deal(seat)):
            raise Unacceptable("draft_turn")
        if what == "hand":
            self._answering = False
        elif what == "key" or (what == "again" and seat == waited_for):
            self._ended = True
        else:
            self.next += 1
            self._again = self.packet is not None

    def call(self, place: int, replies: Mapping[int, CallReply]) -> tuple[int, ...]:
        """Take the replies of seats to the call of the character at a place of the cast; who has shown it. An
        honest draft has one at most."""
        if self.due != OVER or len(self.calls) >= MOST_CALLS or not 0 <= place < len(self.table.plan.cast):
            raise Unacceptable("draft_turn")
        for seat, reply in replies.items():
            self.check_reply(seat, place, reply)
        shown = tuple(seat for seat in sorted(replies) if replies[seat].held)
        for seat in shown:
            self.holdings[seat][replies[seat].held - 1].shown = place
        self.calls.append(DraftCall(place, dict(replies), len(self.swaps), shown))
        return shown

    def possible(self, box: SealedBox, cards: int) -> bool:
        """Whether characters may be in a box, as everybody knows: so many as there are left, none that lies face
        up."""
        return cards.bit_count() == self._size(box) and not cards & (self.face_up | ~self.table.plan.all_cards)

    def opens(self, box: SealedBox, content: BoxContent) -> bool:
        """Whether the content of a box is what its commitment fixes."""
        place = (box.kind, box.by, box.index)
        return cards_commitment(self.table, *place, content.cards, content.nonce) == box.commit

    def sound(self, box: SealedBox, content: BoxContent | None) -> bool:
        """Whether a box holds what it should, as its receiver can tell."""
        if content is None or not self.opens(box, content) or not self.possible(box, content.cards):
            return False
        if box.kind == "packet" and self.table.plan.carries(box.to, content.cards.bit_count()):
            return self.right_token(content.token)
        return content.token == NO_TOKEN

    def right_token(self, token: bytes) -> bool:
        """Whether this is the token of the dealer."""
        return self.dealt is not None and token_commitment(self.table, token) == self.dealt.token

    def _size(self, box: SealedBox) -> int:
        if box.kind != "packet":
            return 1
        made = (step.after.size for step in self.steps if step.after.commit == box.commit)
        return next(made, self.table.plan.offered)

    def _expect(self, what: str, seat: int) -> None:
        if self.due != (what, seat):
            raise Unacceptable("draft_turn")

    def _may_deal(self, seat: int) -> bool:
        return bool(self.table.dealers >> seat & 1)

    def _commit(self, *commits: bytes | None) -> None:
        """Every commitment is a new one; Unacceptable before anything has changed."""
        new = [commit for commit in commits if commit is not None]
        if len(set(new)) != len(new) or self._commits & set(new):
            raise Unacceptable("draft_form")
        self._commits |= set(new)

    def _deal(self, seat: int, said: Dealt) -> None:
        plan = self.table.plan
        up = set(said.face_up)
        may_lie = set(range(len(plan.cast))) - {plan.never_up}
        right = len(said.face_up) == len(up) == plan.face_up and up <= may_lie
        there = (said.face_down is not None, said.back is not None, said.token is not None)
        if not right or there != (plan.face_down, plan.back, plan.back):
            raise Unacceptable("draft_form")
        self._commit(said.packet, said.face_down)
        self.dealt, self.dealer = said, seat
        self.packet = DraftPacket(seat, 0, said.packet, plan.offered)
        if said.back is not None and said.face_down is not None:
            self.boxes.append(SealedBox("face-down", 0, seat, plan.steps[-1].seat, said.face_down, said.back))

    def _pass_on(self, seat: int, said: PassedOn) -> None:
        assert self.packet is not None
        steps = self.table.plan.steps
        step, following = steps[self.next], steps[self.next + 1 : self.next + 2]
        if (said.aside is not None) != bool(step.aside) or (said.box is not None) != bool(following):
            raise Unacceptable("draft_form")
        self._commit(said.pick, said.aside, said.packet)
        after = DraftPacket(seat, self.next + 1, said.packet, self.offered - step.taken)
        slot = sum(done.seat == seat for done in self.steps)
        self.steps.append(TakenStep(self.next, slot, step, said, self.packet, after, self._goes_back))
        self.holdings.setdefault(seat, []).append(DraftHolding("pick", slot, seat, said.pick))
        self.packet = after
        self.next += 1
        if said.box is not None:
            self._box(said.box)

    def _pass_again(self, seat: int, said: PassedAgain) -> None:
        self._box(said.box)
        self._again = False

    def _box(self, sealed: bytes) -> None:
        """The packet is in a box for the next step."""
        assert self.packet is not None
        to = self.table.plan.steps[self.next].seat
        self.boxes.append(SealedBox("packet", self.packet.index, self.packet.by, to, self.packet.commit, sealed))

    def _hand_over(self, seat: int, said: HandedOver) -> None:
        answering = self._answering
        if answering:
            self._expect("hand", seat)
        elif self.due != OVER or self.complaint is not None or len(self.given) >= MOST_GIVEN:
            raise Unacceptable("draft_turn")
        answers = not answering or said.to == self.given[-1].by
        if said.to == seat or not answers or not (self._live(seat) and self._live(said.to)):
            raise Unacceptable("draft_form")
        self._commit(said.given)
        box = SealedBox("given", len(self.given), seat, said.to, said.given, said.box)
        self.given.append(box)
        self.boxes.append(box)
        self._answering = not answering
        if answering:
            self._swap(len(self.given) - 2, len(self.given) - 1)

    def _swap(self, first: int, second: int) -> None:
        for one in (self.given[first], self.given[second]):
            live = self._live(one.by)
            if len(live) == 1:
                live[0].gone = True
        for one in (self.given[first], self.given[second]):
            self.holdings[one.to].append(DraftHolding("given", one.index, one.by, one.commit))
        self.swaps.append((first, second))

    def _live(self, seat: int) -> list[DraftHolding]:
        return [holding for holding in self.holdings.get(seat, ()) if holding.live]

    def _complain(self, seat: int, said: Complained) -> None:
        if self.complaint is not None or said.box >= len(self.boxes) or self.boxes[said.box].to != seat:
            raise Unacceptable("draft_turn")
        self.complaint = DraftComplaint(said.box)
        self._answering = False

    def _judge(self, said: KeyShown) -> None:
        assert self.complaint is not None
        box, key = self.boxes[self.complaint.box], BoxKey(said.secret)
        token_fits = self.right_token(said.token) if box.kind == "face-down" else said.token == NO_TOKEN
        content = reopen(self.table, box, key, said.token)
        if key.public != box.sealed[:32] or not token_fits:
            culprit, code = box.by, "key"
        elif not self.sound(box, content):
            culprit, code = box.by, "box"
        else:
            culprit, code = box.to, "complaint"
        self.complaint = DraftComplaint(self.complaint.box, culprit, code)

    def check_reply(self, seat: int, place: int, reply: CallReply) -> None:
        """Unacceptable unless this may be a seat's reply to the call of the character at a place of the cast."""
        holdings = self.holdings.get(seat, [])
        if not reply.held:
            if reply.nonce != NO_NONCE:
                raise Unacceptable("draft_form")
            return
        if reply.held > len(holdings):
            raise Unacceptable("draft_form")
        holding = holdings[reply.held - 1]
        most = sum(one.kind == "pick" for one in holdings)
        if not holding.live or sum(one.shown != NOBODY for one in holdings) >= most:
            raise Unacceptable("draft_opening")
        if not holding.opens(self.table, place, reply.nonce):
            raise Unacceptable("draft_opening")
