"""A seat in a sealed draft: what only its owner's client can say. All of it follows from the seat's secrets and
from what everybody has, so a client that crashed, and knows nothing else, goes on."""

from msgspec import Struct

from .boxes import NO_TOKEN, BoxContent, BoxKey, SealedBox, fill, open_box
from .messages import (
    NOT_HELD,
    AnyDraftMessage,
    CallReply,
    Complained,
    Dealt,
    HandedOver,
    KeyShown,
    PassedAgain,
    PassedOn,
)
from .parts import TakenStep
from .plan import lay_out
from .record import DraftRecord
from .secrets import DraftSecret, token_commitment


class DraftHand(Struct, frozen=True):
    """One seat's side of a draft: the record that everybody has, its own secret of this draft, and its box.
    `opened` is what it has read in boxes, by these and their tokens, and `chosen` what it has picked, by
    commitment: neither changes."""

    record: DraftRecord
    secret: DraftSecret
    box: BoxKey
    opened: dict[tuple[SealedBox, bytes], BoxContent | None] = {}
    chosen: dict[bytes, int | None] = {}

    @property
    def seat(self) -> int:
        """Which seat."""
        return self.secret.seat

    def due(self) -> AnyDraftMessage | None:
        """What this seat is to say now without being asked; None where it has to choose, or nothing to say. A
        complaint comes before all else."""
        complaint = self.complaint()
        if complaint is not None:
            return complaint
        what, seat = self.record.due
        if seat != self.seat:
            return None
        match what:
            case "deal":
                return self._deal()
            case "again":
                return self._pass_again()
            case "hand":
                return self._hand_back()
            case "key":
                return self._show_key()
        return None

    def complaint(self) -> Complained | None:
        """That a box for this seat does not hold what it should; None where there is none, or somebody has
        complained before."""
        if self.record.complaint is not None:
            return None
        for number, box in enumerate(self.record.boxes):
            if box.to == self.seat and self._readable(box) and not self.record.sound(box, self.content(box)):
                return Complained(number)
        return None

    def offered(self) -> int:
        """The characters that this seat chooses from now, as a bitmap; ValueError where it is not to choose, or
        has to complain."""
        if self.record.due != ("pick", self.seat):
            raise ValueError("this seat is not to pick")
        packet = self.record.packet
        assert packet is not None
        cards = self._packet(packet.commit).cards
        return cards | self.face_down() if cards.bit_count() < self.record.offered else cards

    def pick(self, character: str, aside: str | None = None) -> PassedOn:
        """Keep a character, maybe lay one aside, and pass on what is left; ValueError for what is not offered."""
        record, plan, packet = self.record, self.record.table.plan, self.record.packet
        offered, step = self.offered(), plan.steps[record.next]
        taken = plan.cards(character, *([aside] if aside is not None else []))
        if taken & ~offered or taken.bit_count() != 1 + step.aside or packet is None:
            raise ValueError("these are not offered")
        left = offered & ~taken
        if step.loses:
            left &= ~self.secret.chance("third", record.next, left)
        slot = sum(done.seat == self.seat for done in record.steps)
        laid = None if aside is None else self.secret.pick_commitment("discard", slot, plan.cards(aside))
        box = self._boxed(left, record.next + 1, self._packet(packet.commit).token)
        commit = self.secret.cards_commitment("packet", record.next + 1, left)
        return PassedOn(self.secret.pick_commitment("pick", slot, plan.cards(character)), laid, commit, box)

    def give(self, to: int, character: str) -> HandedOver:
        """Begin an exchange, with a character that this seat holds; ValueError for another one."""
        card = self.record.table.plan.cards(character)
        if not card & self.held():
            raise ValueError("this seat does not hold that")
        return self._give(to, card)

    def reply(self, place: int) -> CallReply:
        """What this seat says when the character at a place of the cast is called."""
        holdings = self.record.holdings.get(self.seat, ())
        if not 1 << place & self.held():
            return NOT_HELD
        live = (number for number, holding in enumerate(holdings) if holding.live)
        found = next(number for number in live if self._card(number) == 1 << place)
        return CallReply(found + 1, self._nonce(found))

    def held(self) -> int:
        """The characters that this seat holds and has not shown, as a bitmap."""
        holdings = self.record.holdings.get(self.seat, ())
        cards = 0
        for number, holding in enumerate(holdings):
            if holding.live:
                cards |= self._card(number)
        return cards & ~self._given_away()

    def contents(self) -> dict[bytes, BoxContent]:
        """What this seat was told in boxes, by commitment; each is its own proof."""
        found = {}
        for box in self.record.boxes:
            content = self.content(box) if box.to == self.seat and self._readable(box) else None
            if content is not None and self.record.opens(box, content):
                found[box.commit] = content
        return found

    def content(self, box: SealedBox) -> BoxContent | None:
        """What is in a box for this seat; None where it does not open."""
        place = (box, self._token(box))
        if place not in self.opened:
            self.opened[place] = open_box(self.record.table, box, self.box, place[1])
        return self.opened[place]

    def picked(self, kind: str, slot: int, commit: bytes) -> int | None:
        """The character that this seat has committed to when it picked, as a bitmap; None where it is none."""
        if commit not in self.chosen:
            self.chosen[commit] = self.secret.picked(kind, slot, commit)
        return self.chosen[commit]

    def packet_before(self, step: TakenStep) -> BoxContent:
        """The packet of a step that this seat has done."""
        return self._packet(step.before.commit)

    def _readable(self, box: SealedBox) -> bool:
        """Whether this seat has what a box opens with: one with the face-down character waits for the packet."""
        return box.kind != "face-down" or self._token(box) != NO_TOKEN

    def _token(self, box: SealedBox) -> bytes:
        if box.kind != "face-down":
            return NO_TOKEN
        packets = [one for one in self.record.boxes if one.kind == "packet" and one.to == self.seat]
        content = self.content(packets[-1]) if packets else None
        right = content is not None and self.record.right_token(content.token)
        return content.token if content is not None and right else NO_TOKEN

    def face_down(self) -> int:
        """The character that chance has laid face down, for the last seat, once its packet is there."""
        return self._read(next(box for box in self.record.boxes if box.kind == "face-down")).cards

    def _packet(self, commit: bytes) -> BoxContent:
        """What is in the packet with a commitment, which this seat has made or was sent."""
        record = self.record
        token = self.secret.token if record.table.plan.back else NO_TOKEN
        if record.dealer == self.seat and record.dealt is not None and record.dealt.packet == commit:
            cards = lay_out(record.table.plan, self.secret.seed, record.table.number).packet
            return BoxContent(cards, self.secret.nonce("packet", 0), token)
        return self._read(next(box for box in record.boxes if box.to == self.seat and box.commit == commit))

    def _read(self, box: SealedBox) -> BoxContent:
        """What is in a box for this seat; ValueError where it has to complain of that."""
        content = self.content(box)
        if content is None or not self.record.sound(box, content):
            raise ValueError("the box is not sound")
        return content

    def _deal(self) -> Dealt:
        table, secret = self.record.table, self.secret
        plan = table.plan
        layout = lay_out(plan, secret.seed, table.number)
        packet = secret.cards_commitment("packet", 0, layout.packet)
        down = secret.cards_commitment("face-down", 0, layout.face_down) if plan.face_down else None
        if not plan.back:
            return Dealt(layout.face_up, down, packet, None, None)
        content = BoxContent(layout.face_down, secret.nonce("face-down", 0))
        box = fill(secret, "face-down", 0, plan.steps[-1].seat, content, secret.token)
        return Dealt(layout.face_up, down, packet, box.sealed, token_commitment(table, secret.token))

    def _boxed(self, cards: int, index: int, token: bytes) -> bytes | None:
        """A packet of this seat in a box for the step with a number; None where there is no such step."""
        following = self.record.table.plan.steps[index : index + 1]
        return self._packed(cards, index, following[0].seat, token) if following else None

    def _packed(self, cards: int, index: int, to: int, token: bytes) -> bytes:
        """A packet in a box for a seat. The token goes along as long as it may be of use."""
        carries = self.record.table.plan.carries(to, cards.bit_count())
        content = BoxContent(cards, self.secret.nonce("packet", index), token if carries else NO_TOKEN)
        return fill(self.secret, "packet", index, to, content).sealed

    def _pass_again(self) -> PassedAgain:
        record, packet = self.record, self.record.packet
        assert packet is not None
        cards, token = self._made(packet.index)
        to = record.table.plan.steps[record.next].seat
        return PassedAgain(self._packed(cards, packet.index, to, token))

    def _made(self, index: int) -> tuple[int, bytes]:
        """The characters in the packet that this seat has made for a step, and the token."""
        done = next((done for done in self._own_steps() if done.after.index == index), None)
        if done is None:
            first = self._packet(self.record.dealt.packet if self.record.dealt is not None else b"")
            return first.cards, first.token
        before = self.packet_before(done)
        left = before.cards & ~self._picked("pick", done.slot, done.said.pick)
        if done.said.aside is not None:
            left &= ~self._picked("discard", done.slot, done.said.aside)
        if done.step.loses:
            left &= ~self.secret.chance("third", done.index, left)
        return left, before.token

    def _hand_back(self) -> HandedOver:
        """What chance takes of what this seat holds, for whoever has begun the exchange."""
        given = self.record.given
        return self._give(given[-1].by, self.secret.chance("theater", len(given), self.held()))

    def _give(self, to: int, card: int) -> HandedOver:
        index = len(self.record.given)
        box = fill(self.secret, "given", index, to, BoxContent(card, self.secret.nonce("given", index)))
        return HandedOver(to, box.commit, box.sealed)

    def _show_key(self) -> KeyShown:
        assert self.record.complaint is not None
        box = self.record.boxes[self.record.complaint.box]
        token = self.secret.token if box.kind == "face-down" else NO_TOKEN
        return KeyShown(self.secret.key(box.kind, box.index, box.to, box.commit), token)

    def _own_steps(self) -> list[TakenStep]:
        return [done for done in self.record.steps if done.seat == self.seat]

    def _picked(self, kind: str, slot: int, commit: bytes) -> int:
        """The character that this seat has committed to: the secret gives one of those that there are."""
        card = self.picked(kind, slot, commit)
        if card is None:
            raise ValueError("this seat has committed to no character")
        return card

    def _card(self, number: int) -> int:
        """The character of one of this seat's holdings."""
        holding = self.record.holdings[self.seat][number]
        if holding.kind == "pick":
            return self.picked("pick", holding.index, holding.commit) or 0
        content = self.content(self.record.given[holding.index])
        return (
            content.cards
            if content is not None and self.record.sound(self.record.given[holding.index], content)
            else 0
        )

    def _nonce(self, number: int) -> bytes:
        holding = self.record.holdings[self.seat][number]
        if holding.kind == "pick":
            return self.secret.nonce("pick", holding.index)
        content = self.content(self.record.given[holding.index])
        assert content is not None
        return content.nonce

    def _given_away(self) -> int:
        """What this seat has given in exchanges and not got back."""
        cards = 0
        for pair in self.record.swaps:
            for index, other in (pair, pair[::-1]):
                if self.record.given[index].by == self.seat:
                    cards |= self.secret.given(index, self.record.given[index].commit) or 0
                    got = self.content(self.record.given[other])
                    cards &= ~(got.cards if got is not None else 0)
        return cards
