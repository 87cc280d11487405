"""A seat in a sealed draft: what only its owner's client can say.

It follows from the seat's secrets and from the log, except the random bytes in boxes: a client stores what
it says before it sends it.
"""

from msgspec import Struct

from . import messages as said_by
from .knowledge import Knowledge
from .record import DraftRecord
from .secrets import DraftSecret


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
