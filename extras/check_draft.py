"""Section 17 of docs/protocol.md: a sealed draft, as everybody has it."""

from collections import namedtuple
from contextlib import suppress
from typing import Any

from check_bytes import Bad, digest, fits, need, read, u8, u16
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

# fmt: off
NIL, U8, BOX, ZEROS, MOST, NOBODY = type(None), range(1 << 8), 114, bytes(32), 32, -1
BYTE = range(1 << 7)
# What seats say, by its number from 0 on: its name, as the method of Draft that takes it, and the fields.
SAID: list[tuple[Any, ...]] = [
    ("deal", bytes, {32, NIL}, 32, {BOX, NIL}, {32, NIL}), ("pick", 32, {32, NIL}, 32, {BOX, NIL}), ("again", BOX),
    ("complaint", BYTE), ("key", 32, 32), ("exchange", U8, 32, BOX), ("reply", BYTE, 32)]
TWICE = {2: [0, 1, 0, 1], 3: [0, 1, 2, 0, 1, 2]}

# A draft as its table begins it: what its beacons were; by seat, the ends of the second chains, the keys of boxes,
# and the stand-ins that draft; the seats that may deal.
Table = namedtuple("Table", "game round head bits links attempt anchors boxes dealers stands")
Plan = namedtuple("Plan", "cast steps up down back size")
Step = namedtuple("Step", "seat aside loses")
Packet = namedtuple("Packet", "by index commit size")
# A step that was done: its number, the packets before and after it, and what was committed to as the `slot` of its
# seat; `back`: the face-down character was offered, too.
Done = namedtuple("Done", "seat number slot step before after pick aside back")
Box = namedtuple("Box", "kind index by to commit sealed size")
Content = namedtuple("Content", "cards nonce token")
Call = namedtuple("Call", "place replies swaps shown")
# fmt: on


def exchanged(secret: bytes, other: bytes) -> bytes:
    """What two keys have in common; Bad where the other one keeps nothing secret."""
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise Bad("a key of a box that keeps nothing secret") from None


def planned(cast: list[str], players: int, crown: int, chosen: bool) -> Plan:
    """How a table drafts; `chosen`: chance lays none face down where two or three play."""
    few, size = players < 4, len(cast)
    up, down = 0 if few else max(0, size - players - 2), not (few and chosen)
    steps = [
        Step((crown + place) % players, players == 2 if nth else not down, (players, nth, size) == (3, 2, 9))
        for nth, place in enumerate(TWICE.get(players, range(players)))
    ]
    rest = size - up - down
    return Plan(cast, steps, up, down, rest - sum(1 + one.aside + one.loses for one in steps[:-1]) == 1, rest)


def message(what: bytes) -> tuple[str, list[Any]]:
    """What a seat says."""
    number, *fields = read(what, list) or [NIL]
    need(fits(number, range(len(SAID))) and fits(fields, tuple(SAID[number][1:])), "no message of a draft")
    return SAID[number][0], fields


def bits(places: Any) -> int:
    """A set as a number."""
    return sum(1 << place for place in places)


class Draft:
    """What was said in a draft, message by message; Bad at the first that does not fit. `held` is what seats can
    show, each as `[kind, index, by, commit, place where it was shown, whether it is gone]`."""

    def __init__(self, table: Table, plan: Plan) -> None:
        self.table, self.plan = table, plan
        self.dealt, self.dealer, self.next = list[Any](), NOBODY, 0
        self.packet: Any = None
        # What has a signature that was checked, and the entries of what has none.
        self.signed, self.waiting = list[Any](), list[int]()
        self.steps, self.boxes, self.given, self.swaps = list[Any](), list[Any](), list[Any](), list[Any]()
        self.held, self.calls, self.commits = dict[int, list[Any]](), list[Any](), set[bytes]()
        # The number of the box that was complained of, and who has lied then, and how.
        self.complained, self.verdict = NOBODY, (NOBODY, "")
        self.missed = self.ended = self.answering = False
        while self.due[0] == "deal" and not self.may_deal(self.due[1]):
            self.next += 1

    @property
    def due(self) -> tuple[str, int]:
        """What is to be said now, and by whom."""
        if self.complained != NOBODY and self.verdict[0] == NOBODY and not self.ended:
            return "key", self.boxes[self.complained].by
        if self.answering:
            return "exchange", self.given[-1].to
        if self.ended or self.complained != NOBODY or self.next == len(self.plan.steps):
            return "", NOBODY
        seat = self.plan.steps[self.next].seat
        if self.packet is None:
            return "deal", seat
        return ("again", self.packet.by) if self.missed else ("pick", seat)

    @property
    def proven(self) -> bool:
        """Whether somebody has lied for all to see."""
        return self.verdict[0] != NOBODY or (bool(self.calls) and len(self.calls[-1].shown) > 1)

    def may_deal(self, seat: int) -> bool:
        return bool(self.table.dealers >> seat & 1)

    def say(self, seat: int, what: bytes) -> str:
        """Take what a seat says; which kind of message it is."""
        name, fields = message(what)
        free = name == "complaint" or (name == "exchange" and not self.due[0])
        need((free or self.due == (name, seat)) and name != "reply", f"{name} by another seat, or at another time")
        getattr(self, name)(seat, *fields)
        return name

    def sign(self, said: Any, signature: bytes) -> None:
        self.signed.append((said, signature))
        self.waiting = [n for n in self.waiting if n != said.n]

    def commit(self, *commits: bytes | None) -> None:
        new = [one for one in commits if one is not None]
        need(len({*new}) == len(new) and not self.commits & {*new}, "a commitment for the second time")
        self.commits |= {*new}

    def deal(self, seat: int, up: bytes, down: Any, packet: bytes, back: Any, token: Any) -> None:
        plan, there = self.plan, (down is not None, back is not None, token is not None)
        need(self.may_deal(seat) and there == (plan.down, plan.back, plan.back), "another deal than is planned")
        right = len({*up}) == len(up) == plan.up and {*up} <= {*range(len(plan.cast))} - {3}
        need(right, "other characters lie face up than can")
        self.commit(packet, down)
        self.dealt, self.dealer, self.packet = [up, down, packet, token], seat, Packet(seat, 0, packet, plan.size)
        if back:
            self.boxes.append(Box("face-down", 0, seat, plan.steps[-1].seat, down, back, 1))

    def pick(self, seat: int, pick: bytes, aside: Any, packet: bytes, box: Any) -> None:
        step, before, last = self.plan.steps[self.next], self.packet, self.next + 1 == len(self.plan.steps)
        need((aside is not None, box is None) == (step.aside, last), "another step than is planned")
        self.commit(pick, aside, packet)
        back, slot = self.plan.back and last and before.size == 1, sum(one.seat == seat for one in self.steps)
        left = before.size + back - 1 - step.aside - step.loses
        self.packet = Packet(seat, self.next + 1, packet, left)
        self.steps.append(Done(seat, self.next, slot, step, before, self.packet, pick, aside, back))
        self.held.setdefault(seat, []).append(["pick", slot, seat, pick, NOBODY, False])
        self.next += 1
        if box:
            self.again(seat, box)

    def again(self, _: int, box: bytes) -> None:
        by, index, commit, size = self.packet
        self.boxes.append(Box("packet", index, by, self.plan.steps[self.next].seat, commit, box, size))
        self.missed = False

    def complaint(self, seat: int, box: int) -> None:
        here = self.complained == NOBODY and box < len(self.boxes) and self.boxes[box].to == seat
        need(here, "a complaint of nothing")
        self.complained, self.answering = box, False

    def key(self, _: int, key: bytes, token: bytes) -> None:
        box = self.boxes[self.complained]
        there = self.right_token(token) if box.kind == "face-down" else token == ZEROS
        if public(key) != box.sealed[:32] or not there:
            self.verdict = box.by, "key"
        else:
            sound = self.sound(box, self.opened(box, key, token))
            self.verdict = (box.to, "complaint") if sound else (box.by, "box")

    def exchange(self, seat: int, to: int, given: bytes, box: bytes) -> None:
        need(self.answering or len(self.given) < MOST, "more exchanges than a round has")
        right = to != seat and self.live(seat) and self.live(to)
        need(right and (not self.answering or to == self.given[-1].by), "an exchange with nobody")
        self.commit(given)
        self.given.append(Box("given", len(self.given), seat, to, given, box, 1))
        self.boxes.append(self.given[-1])
        self.answering = not self.answering
        if not self.answering:
            both = self.given[-2:]
            for only in [self.live(one.by) for one in both]:
                only[0][5] = len(only) == 1
            for one in both:
                self.held[one.to].append(["given", one.index, one.by, one.commit, NOBODY, False])
            self.swaps.append(both)

    def live(self, seat: int) -> list[Any]:
        """What a seat can show still."""
        return [one for one in self.held.get(seat, []) if one[4] == NOBODY and not one[5]]

    def leave_out(self, seat: int) -> int:
        """Go on without a seat; how many steps nobody does by that."""
        (what, who), before = self.due, self.next
        receiver = self.plan.steps[self.next].seat if what in {"deal", "pick", "again"} else NOBODY
        right = what and seat in (who, receiver) and not (what == "deal" and self.may_deal(seat))
        need(right, "somebody is left out who is not waited for")
        if what == "exchange":
            self.answering = False
        elif what == "key" or (what == "again" and seat == who):
            self.ended, before = True, 2 * self.next - len(self.plan.steps)
        else:
            self.next, self.missed = self.next + 1, self.packet is not None
        return self.next - before

    def call(self, place: int, replies: dict[int, bytes]) -> list[int]:
        """Take the replies to a call; who has shown the character."""
        need(not self.due[0] and len(self.calls) < MOST and place < len(self.plan.cast), "a call at another time")
        said, shown = dict[int, int](), list[Any]()
        for seat, what in replies.items():
            name, (number, nonce) = message(what)
            need(name == "reply" and (number or nonce == ZEROS), "no reply")
            said[seat] = number
            if number:
                held = self.held.get(seat, [])
                need(number <= len(held), "a reply that opens nothing")
                kind, index, by, commit, *_ = one = held[number - 1]
                free = sum(each[4] != NOBODY for each in held) < sum(each[0] == "pick" for each in held)
                right = commit == (self.line if kind == "pick" else self.cards)(kind, by, index, 1 << place, nonce)
                need(right and free and one in self.live(seat), "a reply that opens nothing")
                shown.append((seat, one))
        for _, one in shown:
            one[4] = place
        seats = [seat for seat, _ in shown]
        self.calls.append(Call(place, said, len(self.swaps), seats))
        return seats

    # Commitments and boxes

    def line(self, kind: str, seat: int, slot: int, card: int, nonce: bytes) -> bytes:
        """The commitment to a line with one character."""
        place = u16(self.table.round), u8(seat), u8(slot)
        return digest(
            "commit", self.table.game, kind, *place, f"{kind} {self.plan.cast[card.bit_length() - 1]}", nonce
        )

    def cards(self, kind: str, seat: int, index: int, cards: int, nonce: bytes) -> bytes:
        """The commitment to a set of characters."""
        return digest(
            "cards", self.table.game, kind, u16(self.table.round), u8(seat), u8(index), u16(cards), nonce
        )

    def right_token(self, token: bytes) -> bool:
        fixed: bytes = self.dealt[3]
        return digest("token", self.table.game, u16(self.table.round), token) == fixed

    def opens(self, box: Box, content: Content) -> bool:
        fixed: bytes = box.commit
        return self.cards(box.kind, box.by, box.index, content.cards, content.nonce) == fixed

    def possible(self, box: Box, cards: int) -> bool:
        """Whether these are as many characters as there must be, and none that lies face up."""
        return cards.bit_count() == box.size and not (cards & bits(self.dealt[0]) or cards >> len(self.plan.cast))

    def sound(self, box: Box, content: Content | None) -> bool:
        if not content or not self.opens(box, content) or not self.possible(box, content.cards):
            return False
        along = box.kind == "packet" and self.plan.back and (box.to != self.plan.steps[-1].seat or box.size == 1)
        return self.right_token(content.token) if along else content.token == ZEROS

    def opened(self, box: Box, key: bytes, token: bytes) -> Content | None:
        """What is in a box, with the secret key that has sealed it."""
        own, to, place = public(key), self.table.boxes[box.to], (u8(box.index), u8(box.by), u8(box.to))
        about = self.table.game, box.kind, u16(self.table.round), *place, box.commit, token
        cipher = ChaCha20Poly1305(digest("box", exchanged(key, to), own, to, *about))
        with suppress(InvalidTag):
            told = cipher.decrypt(bytes(12), box.sealed[32:], None)
            return Content(int.from_bytes(told[:2]), told[2:34], told[34:]) if own == box.sealed[:32] else None
        return None


def public(key: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
