"""Section 17 of docs/protocol.md: who has lied in a sealed draft, as links and what boxes hold tell it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from check_bytes import digest, u8, u16
from check_chance import laid_out, uniform
from check_draft import NOBODY, ZEROS, Box, Content, Done, Draft, bits


class Secret:
    """What follows from the link `y` of a seat in a draft."""

    def __init__(self, draft: Draft, seat: int, y: bytes) -> None:
        self.draft, self.seat, self.y, self.game = draft, seat, y, draft.table.game

    def nonce(self, kind: str, index: int) -> bytes:
        return digest("draft-nonce", self.game, self.y, kind, u8(index))

    def token(self) -> bytes:
        return digest("draft-token", self.game, self.y)

    def chance(self, what: str, index: int, cards: int) -> int:
        """One of some characters."""
        places = [place for place in range(16) if cards >> place & 1]
        seed = digest("draft-chance", self.game, self.y)
        return 1 << places[uniform(seed, f"{what}/{index}", len(places))[0]]

    def taken(self, kind: str, slot: int, commit: bytes) -> int:
        """The character that the seat has committed to as a pick, or to lay it aside; 0 for none."""
        every, nonce = [1 << place for place in range(len(self.draft.plan.cast))], self.nonce(kind, slot)
        return sum(card for card in every if self.draft.line(kind, self.seat, slot, card, nonce) == commit)

    def packet(self, index: int, cards: int) -> bytes:
        return self.draft.cards("packet", self.seat, index, cards, self.nonce("packet", index))

    def layout(self) -> tuple[list[Any], int, int]:
        """The deal as it should be said, and as sets what lies face down and what is offered."""
        table, plan = self.draft.table, self.draft.plan
        links = u16(table.round), table.head, u16(table.bits), *table.links, u8(self.seat), self.y
        up, *rest = laid_out(digest("draft", self.game, *links), table.round, plan.cast, plan.up, int(plan.down))
        down, packet = (bits(map(plan.cast.index, some)) for some in rest)
        hidden = self.draft.cards("face-down", self.seat, 0, down, self.nonce("face-down", 0))
        token = digest("token", self.game, u16(table.round), self.token())
        said = [bytes(map(plan.cast.index, up)), hidden if plan.down else None, self.packet(0, packet)]
        return [*said, token if plan.back else None], down, packet

    def content(self, box: Box) -> Content | None:
        """What is in a box of this seat, if it is what follows from the link."""
        place, token = (u8(box.index), u8(box.to)), self.token() if box.kind == "face-down" else ZEROS
        key = digest("draft-key", self.game, self.y, box.kind, *place, box.commit)
        told = self.draft.opened(box, key, token)
        return told if told and told.nonce == self.nonce(box.kind, box.index) else None


def liars(draft: Draft, links: dict[int, bytes], told: dict[bytes, Content]) -> set[tuple[int, str]]:
    """Who has said what is not so: seats with codes of section 17; NOBODY where it may be one of several. `links`
    are those that open this draft, `told` what boxes hold by their commitments, as their receivers tell it."""
    if not draft.dealt:
        return set()
    found = {*Judge(draft, {seat: Secret(draft, seat, y) for seat, y in links.items()}, told).findings()}
    return {one for one in found if one[0] != NOBODY} or found


class Judge:
    """What can be read of a draft: `packets` by the number of the step that they are for, `gifts` by that of the
    exchange, and `down`, what lies face down."""

    def __init__(self, draft: Draft, secrets: dict[int, Secret], told: dict[bytes, Content]) -> None:
        self.draft, self.secrets, self.wrong = draft, secrets, list[tuple[int, str]]()
        self.packets, self.gifts, self.down = dict[int, int](), dict[int, int](), 0
        if dealer := secrets.get(draft.dealer):
            right, down, packet = dealer.layout()
            self.down = down if draft.dealt[1] == right[1] else 0
            self.packets |= {0: packet} if draft.dealt[2] == right[2] else {}
            self.wrong += [(draft.dealer, "deal")] * (draft.dealt != right)
        for box in draft.boxes:
            self.box(box, secrets.get(box.by), told.get(box.commit))
        self.picks = [self.taken(done, "pick", done.pick) or self.lacking(done) for done in draft.steps]
        self.asides = [self.taken(done, "discard", done.aside) for done in draft.steps]

    def box(self, box: Box, secret: Secret | None, content: Content | None) -> None:
        if secret:
            content = secret.content(box)
            self.wrong += [(box.by, "box")] * (not self.draft.sound(box, content))
        if not content or not self.draft.opens(box, content):
            return
        if not self.draft.possible(box, content.cards):
            self.wrong.append((box.by, "box"))
        elif box.kind == "packet":
            self.packets[box.index] = content.cards
        elif box.kind == "given":
            self.gifts[box.index] = content.cards
        else:
            self.down = content.cards

    def taken(self, done: Done, kind: str, commit: bytes | None) -> int:
        """What was taken at a step, as the own link or a call shows it; 0 where that is not known."""
        if commit and done.seat in self.secrets:
            card = self.secrets[done.seat].taken(kind, done.slot, commit)
            self.wrong += [(done.seat, "pick")] * (not card)
            return card
        shown = [one for one in self.draft.held.get(done.seat, []) if one[3] == commit and one[4] != NOBODY]
        return bits(one[4] for one in shown)

    def lacking(self, done: Done) -> int:
        """What is in the packet before a step of somebody else and not in the one after it."""
        before, after = self.packets.get(done.before.index), self.packets.get(done.after.index)
        one = not (done.back or done.aside or done.step.loses or done.seat in self.secrets)
        return before & ~after if one and before and after is not None and not after & ~before else 0

    def findings(self) -> Iterator[tuple[int, str]]:
        yield from self.wrong
        for done, pick, aside in zip(self.draft.steps, self.picks, self.asides, strict=True):
            if done.seat in self.secrets and pick and bool(aside) == (done.aside is not None):
                yield from self.step(done, pick, aside)
        yield from self.between()
        yield from self.shown()
        box = self.draft.boxes[self.draft.complained] if self.draft.complained != NOBODY else None
        if box and self.draft.verdict[0] != NOBODY:
            yield self.draft.verdict
        elif box and (secret := self.secrets.get(box.by)) and self.draft.sound(box, secret.content(box)):
            yield box.to, "complaint"

    def step(self, done: Done, pick: int, aside: int) -> Iterator[tuple[int, str]]:
        """A step against what was offered, by the own link."""
        offered = self.packets.get(done.before.index)
        if offered is None or (done.back and not self.down):
            return
        offered |= self.down if done.back else 0
        left, secret = offered & ~(pick | aside), self.secrets[done.seat]
        if pick == aside or (pick | aside) & ~offered:
            yield done.seat, "not_offered"
            return
        if done.step.loses:
            left &= ~secret.chance("third", done.number, left)
        if secret.packet(done.number + 1, left) != done.after.commit:
            yield done.seat, "rest"

    def between(self) -> Iterator[tuple[int, str]]:
        """Packets and characters that cannot all be: one of the seats from the first to the last has lied."""
        steps, last = self.draft.steps, self.draft.packet.index
        known = [(at, self.packets.get(done.before.index)) for at, done in enumerate(steps)]
        lists = [(at, cards) for at, cards in [*known, (len(steps), self.packets.get(last))] if cards is not None]
        for (at, before), (then, after) in pairwise(lists):
            if after & ~before:
                yield self.one_of(at, then, "rest")
        taken = [(at, card) for at in range(len(steps)) for card in (self.picks[at], self.asides[at]) if card]
        for number, (at, card) in enumerate(taken):
            if card & bits(self.draft.dealt[0]):
                yield steps[at].seat, "not_offered"
            earlier, later = [one for one in lists if one[0] <= at], [one for one in lists if one[0] > at]
            may = steps[at].back and self.down in {0, card}
            if earlier and not may and not card & earlier[-1][1]:
                yield self.one_of(earlier[-1][0], at + 1, "not_offered")
            if later and card & later[0][1]:
                yield self.one_of(at, later[0][0], "rest")
            for then in [then for then, other in taken[number + 1 :] if other == card]:
                yield self.one_of(at, then + 1, "not_offered")

    def one_of(self, first: int, end: int, code: str) -> tuple[int, str]:
        seats = {done.seat for done in self.draft.steps[first:end]}
        return (seats.pop(), code) if len(seats) == 1 else (NOBODY, code)

    def shown(self) -> Iterator[tuple[int, str]]:
        """Exchanges and calls against what seats hold; None where something of that is not known."""
        hands, seen = dict[int, int | None](), dict[int, int]()
        for done, pick in zip(self.draft.steps, self.picks, strict=True):
            before = hands.get(done.seat, 0)
            hands[done.seat] = before | pick if pick and before is not None else None
        held = [{**hands}]
        for both in self.draft.swaps:
            gifts = [self.gifts.get(one.index) for one in both]
            for second, one in enumerate(both):
                hand, gift, secret = hands.get(one.by), gifts[second], self.secrets.get(one.by)
                chance = second and secret and hand and secret.chance("theater", one.index, hand)
                if hand is not None and gift and (not gift & hand or (chance and chance != gift)):
                    yield one.by, "given"
            for one, gift, got in zip(both, gifts, gifts[::-1], strict=True):
                hand = hands.get(one.by)
                hands[one.by] = hand & ~gift | got if hand and gift and got and gift & hand else None
            held.append({**hands})
        for call in self.draft.calls:
            card = 1 << call.place
            for seat, number in call.replies.items():
                hand = held[call.swaps].get(seat, 0)
                if hand is not None and not number and hand & card & ~seen.get(seat, 0):
                    yield seat, "denied"
                if hand is not None and number and not hand & card:
                    yield seat, "shown"
            seen |= {seat: seen.get(seat, 0) | card for seat in call.shown}
            if sum(bool(cards & card) for cards in seen.values()) > 1:
                yield NOBODY, "twice"
