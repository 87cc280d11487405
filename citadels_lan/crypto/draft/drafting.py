"""The knowledge that some seats' secrets give of a sealed draft: one seat's during the game, all after it.

Everything known is a commitment that was opened, so no one can invent it, and each finding compares commitments of
the one seat that it names. A seat that has said only what its client makes is never named.

| code | finding |
|---|---|
| `key` | the box key of a round does not follow from the seat's chain |
| `deal` | the layout does not follow from the seed |
| `box` | a box does not hold what its sender has committed to, or what cannot be |
| `secret`, `complaint` | a complaint has a false box secret; a box that was complained of is right |
| `pick` | a commitment to a pick, or to what is laid aside, holds no character |
| `not_offered` | a character was taken that was not offered |
| `rest` | what was passed on is not what was left |
| `given` | a character was given in an exchange that was not held, or not the one that chance took |
| `denied`, `shown` | a seat did not show what it held; it showed what it did not hold |
| `twice` | two seats have shown one character |

A `DraftHand` is what only a seat's own client can say. It follows from the seat's secrets and from the log, except
the random bytes in boxes: a client stores what it says before it sends it.
"""

from collections.abc import Mapping

from msgspec import Struct

from . import record as said_by
from .record import DraftCall, DraftFinding, DraftRecord, TakenStep
from .secrets import NOBODY, DraftSecret, Fixed, SealedBox


def judge(record: DraftRecord, secrets: Mapping[int, DraftSecret]) -> list[DraftFinding]:
    """Return the lies in a draft in order, as far as these secrets show them, each with its seat. Two seats
    that show one character contradict each other: if no lie explains that, the finding has the seat NOBODY."""
    twice = [DraftFinding(call.n, NOBODY, "twice") for call in record.calls if len(call.shown) > 1]
    return sorted(set(Knowledge(record, secrets).findings)) or twice


class Knowledge:
    """The characters that the secrets of these seats open; None or absent if they do not.

    `packets` are the characters before each step, and after the last one; `picked` and `aside` those of steps;
    `gifts` those that were given; `hands` what each seat holds now and has not shown; `unsound` the boxes that do
    not hold what they should; `findings` the lies.
    """

    def __init__(self, record: DraftRecord, secrets: Mapping[int, DraftSecret]) -> None:
        self.record = record
        self.findings = list(record.findings)
        self.packets: list[int | None] = []
        self.picked: list[int | None] = []
        self.aside: list[int | None] = []
        self.hands: dict[int, int | None] = {}
        self.unsound: list[SealedBox] = []
        self._secrets = secrets
        self._opened: dict[SealedBox, int] = {}
        for seat, secret in secrets.items():
            if record.keys and secret.box_key != record.keys[seat]:
                self._blame(record.begun_in, seat, "key")
        for box in record.boxes:
            self._open(box)
        down = (card for box, card in self._opened.items() if box.fixed.kind == "face-down")
        self.face_down: int | None = next(down, None)
        if record.packets:
            self._read_deal()
        for step in record.steps:
            self._read_step(step)
        self.gifts = [self._gift(box) for box in record.given]
        for at in range(0, len(record.given), 2):
            self._swap(record.given[at : at + 2])
        for call in record.calls:
            self._call(call)

    def offered(self, at: int) -> int | None:
        """The characters that a step is offered."""
        packet = self.packets[at] if at < len(self.packets) else None
        if packet is None or not self.record.table.plan.goes_back(at):
            return packet
        return None if self.face_down is None else packet | self.face_down

    def _blame(self, n: int, seat: int, code: str) -> None:
        self.findings.append(DraftFinding(n, seat, code))

    def _open(self, box: SealedBox) -> None:
        """Open a box by the secret of its receiver."""
        secret = self._secrets.get(box.to)
        # With a false key the receiver could claim any content. The key itself is a lie that is named.
        if secret is None or secret.box_key != self.record.keys[box.to]:
            return
        content = self.record.table.open_box(box, secret.box)
        if content is not None and self.record.sound(box, content):
            self._opened[box] = content[0]
        else:
            self.unsound.append(box)
            self._blame(box.n, box.fixed.by, "box")

    def _read_deal(self) -> None:
        record, dealer = self.record, self.record.table.plan.dealer
        secret, down, first = self._secrets.get(dealer), self.record.face_down, self.record.packets[0]
        self.packets.append(None)
        if secret is None:
            return
        face_up, laid_down, packet = secret.layout(record.links)
        if whole := secret.fixes(first, packet):
            self.packets[0] = packet
        if down is not None and (whole := whole and secret.fixes(down, laid_down)):
            self.face_down = laid_down
        if not whole or record.layout != face_up:
            self._blame(record.dealt_in, dealer, "deal")

    def _read_step(self, step: TakenStep) -> None:
        """Compare a step with what the seat was offered, and with what it passed on."""
        at, seat, secret = len(self.picked), step.step.seat, self._secrets.get(step.step.seat)
        offered, pick, aside = self.offered(at), self._taken(step, step.pick), self._taken(step, step.aside)
        after, taken, left = self._opened.get(step.box) if step.box else None, (pick or 0) | (aside or 0), None
        if offered is not None and (taken & ~offered or (pick is not None and pick == aside)):
            self._blame(step.n, seat, "not_offered")
        elif secret is not None and offered is not None and pick and (aside is None) == (step.aside is None):
            left = offered & ~taken
            if step.step.loses:
                left &= ~secret.chance("third", 0, left)
            if not secret.fixes(self.record.packets[at + 1], left):
                self._blame(step.n, seat, "rest")
                left = None
        # Without the secret of a seat, the next packet still shows what is missing.
        elif secret is None and offered is not None and after is not None:
            if after & ~offered or after & taken:
                self._blame(step.n, seat, "rest")
            elif step.step.taken == 1:
                pick = offered & ~after
        self.picked.append(pick)
        self.aside.append(aside)
        self.packets.append(after if after is not None else left)
        held = self.hands.get(seat, 0)
        self.hands[seat] = None if held is None or pick is None else held | pick

    def _taken(self, step: TakenStep, fixed: Fixed | None) -> int | None:
        """Return what a seat has taken at a step: by its secret, or as it was shown at a call."""
        secret = self._secrets.get(step.step.seat)
        if fixed is None or secret is None:
            return None if fixed is None else self.record.shown.get(fixed)
        card = secret.one_in(fixed)
        if card is None:
            self._blame(step.n, step.step.seat, "pick")
        return card

    def _gift(self, box: SealedBox) -> int | None:
        secret = self._secrets.get(box.fixed.by)
        if box in self._opened or secret is None:
            return self._opened.get(box)
        card = secret.one_in(box.fixed)
        if card is None:
            self._blame(box.n, box.fixed.by, "given")
        return card

    def _swap(self, boxes: list[SealedBox]) -> None:
        """An exchange; of one that was not answered yet, its beginning."""
        for box in boxes:
            seat, card, hand = box.fixed.by, self.gifts[box.fixed.index], self.hands.get(box.fixed.by)
            secret, chosen = self._secrets.get(seat), box is boxes[0]
            if hand is not None and card is not None:
                # The first seat chooses what it gives. Chance takes the answer.
                takes = secret.chance("theater", box.fixed.index, hand) if secret and hand and not chosen else card
                if not card & hand or card != takes:
                    self._blame(box.n, seat, "given")
        for box, other in zip(boxes, boxes[::-1], strict=True) if len(boxes) == 2 else ():
            hand, given, got = self.hands.get(box.fixed.by), *(self.gifts[one.fixed.index] for one in (box, other))
            known = hand is not None and given is not None and got is not None and given & hand
            self.hands[box.fixed.by] = (hand or 0) & ~(given or 0) | (got or 0) if known else None

    def _call(self, call: DraftCall) -> None:
        for seat in call.seats:
            hand, card, shows = self.hands.get(seat, 0), 1 << call.place, seat in call.shown
            if hand is not None:
                if shows != bool(hand & card):
                    self._blame(call.n, seat, "shown" if shows else "denied")
                self.hands[seat] = hand & ~card if shows else hand


class DraftHand(Struct, frozen=True):
    """One seat's side of a draft: the record that everyone has, its own secret, and the link of its first chain.
    `head` is always the hash before the entry that is to have the message. `read` has what is known by now."""

    record: DraftRecord
    secret: DraftSecret
    link: bytes
    read: dict[int, Knowledge] = {}

    @property
    def seat(self) -> int:
        """The seat."""
        return self.secret.seat

    @property
    def known(self) -> Knowledge:
        """The knowledge that this seat has of the draft so far."""
        if self.record.taken not in self.read:
            self.read.clear()
            self.read[self.record.taken] = Knowledge(self.record, {self.seat: self.secret})
        return self.read[self.record.taken]

    @property
    def complaint(self) -> said_by.Complained | None:
        """That a box for this seat does not hold what it should; None if there is none."""
        entries = (box.n for box in self.known.unsound if box.n not in self.record.complaints)
        return next((said_by.Complained(n, self.secret.box) for n in entries), None)

    @property
    def readable(self) -> bool:
        """Whether no lie is proven, and every box for this seat holds what it should."""
        return not self.record.proven and self.complaint is None

    def due(self, head: bytes) -> said_by.AnyDraftMessage | None:
        """Return the message that is due of this seat without a choice, if any. A complaint comes first."""
        what, seats = self.record.due
        if not self.readable or self.seat not in seats:
            return None if self.record.proven else self.complaint
        match what:
            case "begin":
                return said_by.Begun(self.link, self.secret.box_key)
            case "deal":
                return self._deal(head)
            case "back":
                return self._give_back()
            case "hand":
                card = self.secret.chance("theater", len(self.record.given), self.held())
                return self._give(self.record.given[-1].fixed.by, card, head)
        return None

    def offered(self) -> int:
        """The characters that this seat chooses from now. ValueError if it is not to choose, or complains."""
        offered = self.known.offered(len(self.record.steps))
        if self.record.due != ("pick", (self.seat,)) or offered is None:
            raise ValueError("this seat is not to pick")
        return offered

    def pick(self, character: str, aside: str | None, head: bytes) -> said_by.PassedOn:
        """Keep a character, maybe lay one aside, and pass on what is left; ValueError for what is not offered."""
        secret, plan, at = self.secret, self.record.table.plan, len(self.record.steps)
        offered, step, slot = self.offered(), plan.steps[at], len(self.record.holdings.get(self.seat, ()))
        kept, laid = plan.cards(character), plan.cards(*([aside] if aside is not None else []))
        if (kept | laid) & ~offered or (kept | laid).bit_count() != 1 + step.aside:
            raise ValueError("these are not offered")
        left = offered & ~kept & ~laid
        if step.loses:
            left &= ~secret.chance("third", 0, left)
        packet, following = secret.fix("packet", at + 1, head, left), plan.steps[at + 1 : at + 2]
        discard = secret.fix("discard", slot, head, laid).commit if laid else None
        box = secret.seal(packet, left, following[0].seat, self.record.keys) if following else None
        return said_by.PassedOn(secret.fix("pick", slot, head, kept).commit, discard, packet.commit, box)

    def give(self, to: int, character: str, head: bytes) -> said_by.HandedOver:
        """Begin an exchange with a character that this seat holds; ValueError for another one."""
        card = self.record.table.plan.cards(character)
        if not card & self.held():
            raise ValueError("this seat does not hold that")
        return self._give(to, card, head)

    def reply(self, place: int) -> said_by.CallReply:
        """Reply to the call of the character at a place of the cast."""
        table, card, given = self.record.table, 1 << place, self.record.given
        for fixed in self.record.holdings.get(self.seat, ()) if card & self.held() else ():
            own = fixed.by == self.seat
            content = (
                (card, self.secret.nonce(fixed)) if own else table.open_box(given[fixed.index], self.secret.box)
            )
            if content is not None and content[0] == card and table.opens(fixed, *content):
                return said_by.CallReply(content[1])
        return said_by.NOT_HELD

    def held(self) -> int:
        """The characters that this seat holds and has not shown."""
        return self.known.hands.get(self.seat) or 0

    def _deal(self, head: bytes) -> said_by.Dealt:
        secret, plan = self.secret, self.record.table.plan
        face_up, down, packet = secret.layout(self.record.links)
        face_down = secret.fix("face-down", 0, head, down).commit if plan.face_down else None
        return said_by.Dealt(face_up, face_down, secret.fix("packet", 0, head, packet).commit)

    def _give_back(self) -> said_by.GivenBack:
        down, card = self.record.face_down, self.known.face_down
        assert down is not None
        assert card is not None
        return said_by.GivenBack(
            self.secret.seal(down, card, self.record.table.plan.steps[-1].seat, self.record.keys)
        )

    def _give(self, to: int, card: int, head: bytes) -> said_by.HandedOver:
        given = self.secret.fix("given", len(self.record.given), head, card)
        return said_by.HandedOver(to, given.commit, self.secret.seal(given, card, to, self.record.keys))
