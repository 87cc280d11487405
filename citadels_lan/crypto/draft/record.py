"""A sealed draft as everyone sees it: its messages, those that are due now, and whether a message fits.

    due       said by                               then
    begin     every seat, in one entry              deal
    deal      the seat of the first step            pick
    pick      the seat of the step                  pick, back, or over
    back      the dealer, before the last step      pick
    hand      the seat that was given a character   over
    over      no seat; before the first call an exchange may begin

A complaint may come at any time in the round. An honest host takes no message that does not fit.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.engine.flow.sealed import DraftStep

from . import messages as said_by
from .secrets import DraftTable, Fixed, SealedBox, public_key

OVER: Final[tuple[str, tuple[int, ...]]] = ("over", ())
MOST_GIVEN: Final = 32
"""Characters given in exchanges of one round at most."""


class DraftFinding(Struct, frozen=True, order=True):
    """A lie: its entry, the seat that said it (NOBODY if it may be one of several), what is wrong."""

    n: int
    seat: int
    code: str


class TakenStep(Struct, frozen=True):
    """A step that was done in entry `n`; `box` has the packet after it."""

    n: int
    step: DraftStep
    pick: Fixed
    aside: Fixed | None
    box: SealedBox | None


class DraftCall(Struct, frozen=True):
    """The character at a place of the cast was called in entry `n`: the seats that replied, and those of them that
    have `shown` it."""

    n: int
    place: int
    seats: tuple[int, ...]
    shown: tuple[int, ...]


class DraftRecord:
    """One draft, message by message. Raises Unacceptable (`draft_turn`, `draft_form`, `draft_opening`) for one
    that does not fit, which changes nothing.

    `links` and `keys` are the first links and the box keys by seat; `packets` the commitments to packets, by the
    step that they are made for; `holdings` what each seat can show, `shown` what it has shown, as a bitmap of one
    character; `given` the boxes of exchanges, two of each; `findings` the lies that the record itself proves.
    `proven`: one of them ends the game. `taken` counts the messages.
    """

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
        """The message that is due now, and of which seats."""
        plan, done = self.table.plan, len(self.steps)
        if self.proven:
            return OVER
        if not self.keys:
            return "begin", tuple(range(len(self.table.anchors)))
        if not self.packets:
            return "deal", (plan.dealer,)
        if done < len(plan.steps):
            waits = plan.goes_back(done) and all(box.fixed.kind != "face-down" for box in self.boxes)
            return ("back", (plan.dealer,)) if waits else ("pick", (plan.steps[done].seat,))
        return ("hand", (self.given[-1].to,)) if len(self.given) % 2 else OVER

    def begin(self, n: int, begun: Mapping[int, said_by.Begun]) -> None:
        """Take what every seat says at the beginning; the audit checks seats, links and keys."""
        if self.due[0] != "begin":
            raise Unacceptable("draft_turn")
        self.links = tuple(one.link for one in begun.values())
        self.keys = tuple(one.box for one in begun.values())
        self.begun_in, self.taken = n, self.taken + 1

    def take(self, n: int, head: bytes, seat: int, message: said_by.AnyDraftMessage) -> None:
        """Take what one seat says in entry `n`; `head` is the hash before that entry."""
        match message, self.due:
            case said_by.Dealt(), ("deal", (due,)) if due == seat:
                self._deal(n, head, message)
            case said_by.PassedOn(), ("pick", (due,)) if due == seat:
                self._pass_on(n, head, message)
            case said_by.GivenBack(), ("back", (due,)) if due == seat and self.face_down is not None:
                self.boxes.append(SealedBox(n, self.face_down, self.table.plan.steps[-1].seat, 1, message.box))
            case said_by.HandedOver(), (what, _):
                self._hand_over(n, head, seat, message, answers=what == "hand")
            case said_by.Complained(), _:
                self._complain(n, seat, message)
            case _:
                raise Unacceptable("draft_turn")
        self.taken += 1

    def call(self, n: int, place: int, replies: Mapping[int, said_by.CallReply]) -> None:
        """Take the replies to the call of the character at a place of the cast. If two seats show it, one of them
        has lied."""
        opened = {seat: self.opened_by(seat, place, reply) for seat, reply in replies.items()}
        if self.due != OVER or self.proven:
            raise Unacceptable("draft_turn")
        shown = {seat: fixed for seat, fixed in opened.items() if fixed is not None}
        self.shown |= dict.fromkeys(shown.values(), 1 << place)
        self.calls.append(DraftCall(n, place, tuple(replies), tuple(shown)))
        self.proven, self.taken = len(shown) > 1, self.taken + 1

    def opened_by(self, seat: int, place: int, reply: said_by.CallReply) -> Fixed | None:
        """Return the commitment that a reply opens to the character at a place of the cast; None for a no."""
        if reply == said_by.NOT_HELD:
            return None
        for fixed in self.holdings.get(seat, ()):
            if fixed not in self.shown and self.table.opens(fixed, 1 << place, reply.nonce):
                return fixed
        raise Unacceptable("draft_opening")

    def sound(self, box: SealedBox, content: tuple[int, bytes] | None) -> bool:
        """Return whether a box holds what it should, as its receiver can tell: what its commitment fixes, as many
        characters as there must be, none of them face up."""
        if content is None or not self.table.opens(box.fixed, *content):
            return False
        strange = content[0] & (self.face_up | ~self.table.plan.all_cards)
        return content[0].bit_count() == box.size and not strange

    def _deal(self, n: int, head: bytes, dealt: said_by.Dealt) -> None:
        plan, up = self.table.plan, set(dealt.face_up)
        right = up <= set(range(len(plan.cast))) - {plan.never_up}
        sizes = len(dealt.face_up), len(up), dealt.face_down is not None
        if not right or sizes != (plan.face_up, plan.face_up, plan.face_down):
            raise Unacceptable("draft_form")
        self.layout, self.dealt_in, self.face_up = dealt.face_up, n, sum(1 << place for place in up)
        if dealt.face_down is not None:
            self.face_down = Fixed("face-down", 0, plan.dealer, head, dealt.face_down)
        self.packets.append(Fixed("packet", 0, plan.dealer, head, dealt.packet))

    def _pass_on(self, n: int, head: bytes, passed: said_by.PassedOn) -> None:
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

    def _hand_over(self, n: int, head: bytes, seat: int, gift: said_by.HandedOver, *, answers: bool) -> None:
        may = self.due == ("hand", (seat,)) if answers else self.due == OVER and not self.calls
        if not may or self.proven or len(self.given) >= MOST_GIVEN:
            raise Unacceptable("draft_turn")
        there = seat in self.holdings and gift.to in self.holdings and gift.to != seat
        if not there or (answers and gift.to != self.given[-1].fixed.by):
            raise Unacceptable("draft_form")
        box = SealedBox(n, Fixed("given", len(self.given), seat, head, gift.given), gift.to, 1, gift.box)
        self.boxes.append(box)
        self.given.append(box)
        for one in self.given[-2:] if answers else ():
            self.holdings[one.to].append(one.fixed)

    def _complain(self, n: int, seat: int, complaint: said_by.Complained) -> None:
        box = next((box for box in self.boxes if (box.n, box.to) == (complaint.entry, seat)), None)
        if box is None or self.proven or box.n in self.complaints:
            raise Unacceptable("draft_turn")
        self.complaints.add(box.n)
        if public_key(complaint.secret) != self.keys[seat]:
            self.findings.append(DraftFinding(n, seat, "secret"))
        elif self.sound(box, self.table.open_box(box, complaint.secret)):
            self.findings.append(DraftFinding(n, seat, "complaint"))
        else:
            self.findings.append(DraftFinding(box.n, box.fixed.by, "box"))
            self.proven = True
