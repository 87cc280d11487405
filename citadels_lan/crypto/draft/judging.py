"""Who has lied in a sealed draft, as far as somebody can tell: with the own secrets while the game goes on, with
those of all seats once they are opened.

Whatever is known is a commitment that was opened, so nobody can make it up. Where two things contradict each
other one of the seats between them has lied; where that is one seat alone, it is named. A seat that has said only
what its client makes is never named.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from msgspec import Struct

from .boxes import NO_TOKEN, BoxContent, BoxKey, SealedBox, reopen
from .parts import TakenStep
from .plan import NOBODY, lay_out
from .record import DraftRecord
from .secrets import DraftSecret, token_commitment

CODES: Final = {
    "deal": "the layout does not come out of the seed",
    "box": "a box does not hold what its sender has committed to, or that cannot be",
    "key": "the key that was shown has not sealed the box",
    "complaint": "a box that was complained of is as it should be",
    "pick": "a commitment to a pick, or to what is laid aside, holds no character",
    "not_offered": "a character was taken that was not offered",
    "rest": "what was passed on is not what was left",
    "given": "a character was given in an exchange that was not held, or not the one that chance took",
    "denied": "a seat has said that it does not hold a character that it held",
    "shown": "a seat has shown a character that it did not hold any more",
    "twice": "two seats have shown one character",
    "contradiction": "one of several seats has lied: their links will tell which",
}
"""What a finding says, by its code."""


class DraftFinding(Struct, frozen=True, order=True):
    """Who has said what is not so; NOBODY where it may be one of several seats. `code` says what, see CODES."""

    seat: int
    code: str


def judge(
    record: DraftRecord, links: Mapping[int, bytes], contents: Mapping[bytes, BoxContent]
) -> list[DraftFinding]:
    """What contradicts in a draft. `links` are those of second chains that fit (`DraftTable.fits`), by seat;
    `contents` what is in boxes, by commitment, as their receivers tell it. Those that fit nothing say nothing."""
    if record.dealt is None:
        return []
    knowledge = DraftKnowledge(record, links, contents)
    found = set(knowledge.findings)
    found |= {*_steps(knowledge), *_exchanges(knowledge), *_calls(knowledge), *_complaint(knowledge)}
    named = {finding for finding in found if finding.seat != NOBODY}
    return sorted(named or found)


class DraftKnowledge:
    """What can be read of a draft. `packets` are the characters before steps, by the number of the step in which
    their commitment was made; `gifts` those that were given, by place; `picked` and `aside` those of steps, as far
    as they are known; `findings` what is wrong with the readable itself."""

    def __init__(
        self, record: DraftRecord, links: Mapping[int, bytes], contents: Mapping[bytes, BoxContent]
    ) -> None:
        self.record = record
        self.table = record.table
        self.secrets = {
            seat: DraftSecret(self.table, seat, link)
            for seat, link in links.items()
            if self.table.fits(seat, link)
        }
        self.findings: list[DraftFinding] = []
        self.packets: dict[int, int] = {}
        self.gifts: dict[int, int] = {}
        self.face_down: int | None = None
        self._read_deal()
        for box in record.boxes:
            self._read_box(box, contents.get(box.commit))
        self.picked = [self._taken(step, "pick", step.said.pick) or self._missing(step) for step in record.steps]
        self.aside = [self._taken(step, "discard", step.said.aside) for step in record.steps]

    def blame(self, seat: int, code: str) -> None:
        """A finding against one seat."""
        self.findings.append(DraftFinding(seat, code))

    def _read_deal(self) -> None:
        record, dealt = self.record, self.record.dealt
        secret = self.secrets.get(record.dealer)
        assert dealt is not None
        if secret is None:
            return
        plan = self.table.plan
        layout = lay_out(plan, secret.seed, self.table.number)
        down = secret.cards_commitment("face-down", 0, layout.face_down) if plan.face_down else None
        token = token_commitment(self.table, secret.token) if plan.back else None
        packet = secret.cards_commitment("packet", 0, layout.packet)
        if dealt.packet == packet:
            self.packets[0] = layout.packet
        if dealt.face_down == down:
            self.face_down = layout.face_down
        if (dealt.face_up, dealt.face_down, dealt.packet, dealt.token) != (layout.face_up, down, packet, token):
            self.blame(record.dealer, "deal")

    def _read_box(self, box: SealedBox, told: BoxContent | None) -> None:
        secret = self.secrets.get(box.by)
        if secret is not None:
            content = content_by_sender(self.record, box, secret)
            if content is None or not self.record.sound(box, content):
                self.blame(box.by, "box")
        else:
            content = told
        if content is None or not self.record.opens(box, content):
            return
        if not self.record.possible(box, content.cards):
            self.blame(box.by, "box")
            return
        match box.kind:
            case "packet":
                self.packets[box.index] = content.cards
            case "given":
                self.gifts[box.index] = content.cards
            case _:
                self.face_down = content.cards

    def _taken(self, step: TakenStep, kind: str, commit: bytes | None) -> int | None:
        """What a seat has taken at a step; None where that is not known."""
        if commit is None:
            return None
        secret = self.secrets.get(step.seat)
        if secret is not None:
            card = secret.picked(kind, step.slot, commit)
            if card is None:
                self.blame(step.seat, "pick")
            return card
        holdings = self.record.holdings.get(step.seat, ())
        shown = (
            1 << holding.shown for holding in holdings if holding.commit == commit and holding.shown != NOBODY
        )
        return next(shown, None)

    def _missing(self, step: TakenStep) -> int | None:
        """The one character that is missing after a step of a seat whose secret is not known, where the packets
        before and after it are."""
        before, after = self.packets.get(step.before.index), self.packets.get(step.after.index)
        if before is None or after is None or after & ~before or step.back or step.step.taken != 1:
            return None
        return before & ~after if step.seat not in self.secrets else None


def content_by_sender(record: DraftRecord, box: SealedBox, secret: DraftSecret) -> BoxContent | None:
    """What is in a box, by the secret of who has sealed it; None where it follows not from that."""
    key = BoxKey(secret.key(box.kind, box.index, box.to, box.commit))
    token = secret.token if box.kind == "face-down" else NO_TOKEN
    if box.kind == "face-down" and not record.right_token(token):
        return None  # it opens with another token, if at all
    content = reopen(record.table, box, key, token)
    right = content is not None and content.nonce == secret.nonce(box.kind, box.index)
    return content if right else None


def _steps(known: DraftKnowledge) -> Iterator[DraftFinding]:
    for at in range(len(known.record.steps)):
        yield from _own_step(known, at)
    yield from _between(known)


def _own_step(known: DraftKnowledge, at: int) -> Iterator[DraftFinding]:
    """A step against what the seat was offered, where its secret is known."""
    step = known.record.steps[at]
    secret, offered = known.secrets.get(step.seat), known.packets.get(step.before.index)
    pick, aside = known.picked[at], known.aside[at]
    if secret is None or offered is None or pick is None or (aside is None) != (step.said.aside is None):
        return
    if step.back:
        if known.face_down is None:
            return
        offered |= known.face_down
    taken = pick | (aside or 0)
    if taken & ~offered or pick == aside:
        yield DraftFinding(step.seat, "not_offered")
        return
    left = offered & ~taken
    if step.step.loses:
        left &= ~secret.chance("third", step.index, left)
    if secret.cards_commitment("packet", step.after.index, left) != step.said.packet:
        yield DraftFinding(step.seat, "rest")


def _between(known: DraftKnowledge) -> Iterator[DraftFinding]:
    """Packets and characters that cannot all be true: one of the seats from the first to the last has lied."""
    steps = known.record.steps
    packets = [
        (at, known.packets[step.before.index])
        for at, step in enumerate(steps)
        if step.before.index in known.packets
    ]
    last = known.record.packet
    if steps and last is not None and last.index in known.packets:
        packets.append((len(steps), known.packets[last.index]))
    for (first, before), (then, after) in pairwise(packets):
        if after & ~before:
            yield _one_of(known, first, then, "rest")
    taken = [(at, card) for at in range(len(steps)) for card in (known.picked[at], known.aside[at]) if card]
    for at, card in taken:
        yield from _card(known, packets, at, card)
    for number, (at, card) in enumerate(taken):
        for then, other in taken[number + 1 :]:
            if card == other:
                yield _one_of(known, at, then + 1, "not_offered")


def _card(known: DraftKnowledge, packets: list[tuple[int, int]], at: int, card: int) -> Iterator[DraftFinding]:
    """A character that was taken at a step, against the nearest packets that are known."""
    step = known.record.steps[at]
    if card & known.record.face_up:
        yield DraftFinding(step.seat, "not_offered")
    before = [one for one in packets if one[0] <= at]
    after = [one for one in packets if one[0] > at]
    back = step.back and known.face_down in (None, card)
    if before and not back and not card & before[-1][1]:
        yield _one_of(known, before[-1][0], at + 1, "not_offered")
    if after and card & after[0][1]:
        yield _one_of(known, at, after[0][0], "rest")


def _one_of(known: DraftKnowledge, first: int, end: int, code: str) -> DraftFinding:
    """One of the seats of these steps."""
    seats = {step.seat for step in known.record.steps[first:end]}
    return DraftFinding(seats.pop(), code) if len(seats) == 1 else DraftFinding(NOBODY, "contradiction")


def _hands(known: DraftKnowledge) -> dict[int, int | None]:
    """By seat: what it has picked; None where something of that is not known."""
    hands: dict[int, int | None] = {}
    for step, card in zip(known.record.steps, known.picked, strict=True):
        before = hands.get(step.seat, 0)
        hands[step.seat] = None if before is None or card is None else before | card
    return hands


def _swapped(known: DraftKnowledge) -> Iterator[tuple[dict[int, int | None], list[DraftFinding]]]:
    """What seats hold before and after each exchange, and what was wrong with it."""
    hands = _hands(known)
    yield dict(hands), []
    for first, second in known.record.swaps:
        wrong = [*_gift(known, hands, first, chosen=True), *_gift(known, hands, second, chosen=False)]
        boxes = (known.record.given[first], known.record.given[second])
        cards = (known.gifts.get(first), known.gifts.get(second))
        for box, given, got in zip(boxes, cards, reversed(cards), strict=True):
            hand = hands.get(box.by)
            if hand is None or given is None or got is None or not given & hand:
                hands[box.by] = None
            else:
                hands[box.by] = (hand & ~given) | got
        yield dict(hands), wrong


def _gift(
    known: DraftKnowledge, hands: Mapping[int, int | None], index: int, *, chosen: bool
) -> Iterator[DraftFinding]:
    seat = known.record.given[index].by
    hand, card, secret = hands.get(seat), known.gifts.get(index), known.secrets.get(seat)
    if hand is None or card is None:
        return
    if not card & hand or (not chosen and secret and hand and secret.chance("theater", index, hand) != card):
        yield DraftFinding(seat, "given")


def _exchanges(known: DraftKnowledge) -> Iterator[DraftFinding]:
    for _, wrong in _swapped(known):
        yield from wrong


def _calls(known: DraftKnowledge) -> Iterator[DraftFinding]:
    held = [hands for hands, _ in _swapped(known)]
    shown: dict[int, int] = {}
    for call in known.record.calls:
        card = 1 << call.place
        for seat, reply in call.replies.items():
            hand = held[call.swaps].get(seat, 0)
            if hand is None:
                continue
            if not reply.held and hand & card and not shown.get(seat, 0) & card:
                yield DraftFinding(seat, "denied")
            if reply.held and not hand & card:
                yield DraftFinding(seat, "shown")
        for seat in call.shown:
            shown[seat] = shown.get(seat, 0) | card
        if sum(bool(cards & card) for cards in shown.values()) > 1:
            yield DraftFinding(NOBODY, "twice")


def _complaint(known: DraftKnowledge) -> Iterator[DraftFinding]:
    complaint = known.record.complaint
    if complaint is None:
        return
    box = known.record.boxes[complaint.box]
    if complaint.culprit != NOBODY:
        yield DraftFinding(complaint.culprit, complaint.code)
    elif box.by in known.secrets:
        content = content_by_sender(known.record, box, known.secrets[box.by])
        if known.record.sound(box, content):
            yield DraftFinding(box.to, "complaint")
