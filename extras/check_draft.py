"""Sections 7 and 11 of docs/protocol.md, for `check_log`: shuffles, layouts, sealed drafts, and the lies in
them."""

import hmac
from collections import Counter, defaultdict, namedtuple
from collections.abc import Generator
from contextlib import suppress
from itertools import count
from typing import Any

from check_bytes import digest, frame, need, u8, u16
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

# fmt: off
NIL, LINKS, ZEROS, SEAT, BOX = type(None), 256, bytes(32), range(9), 82
SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
# The messages by number: a name, and the shapes of the fields.
MESSAGES: list[tuple[Any, ...]] = [
    ("begin", 32, 32), ("deal", bytes, {32, NIL}, 32), ("pick", 32, {32, NIL}, 32, {BOX, NIL}), ("back", BOX),
    ("complaint", range(1 << 32), 32), ("exchange", SEAT, 32, BOX), ("reply", 32)]
STEPS = {2: [0, 1, 0, 1], 3: [0, 1, 2, 0, 1, 2]}  # seats clockwise from the crown; more players pick once
FREE = ("", -1)  # nothing is due
# A commitment of seat `by` in the entry after hash `head`; a box in entry `n` with so many characters.
Fixed = namedtuple("Fixed", "kind index by head commit")
Box = namedtuple("Box", "n fixed to size sealed")
# fmt: on


def shuffled(seed: bytes, label: str, items: Any) -> list[str]:
    """Return the items sorted by keys that follow from `seed` and `label`. Equal items are numbered, to get
    different keys."""
    copies, keyed = Counter[str](), list[Any]()
    for item in map(str, items):
        keyed.append((hmac.digest(seed, frame("chance", label, item, u8(copies[item])), "sha256"), item))
        copies[item] += 1
    return [item for _, item in sorted(keyed)]


def laid_out(seed: bytes, round_: int, cast: list[str], up: int, down: int) -> tuple[list[str], ...]:
    """Return three lists of a round's characters: face up, face down, and the first packet. The character of
    rank 4 is never face up."""
    need(len(cast) > max(up + down, 3) and down < 2, "more characters are laid out than the cast has")
    rest, faces, returns = shuffled(seed, f"chars/{round_}/table/0", cast), list[str](), count()
    for _ in range(up):
        back = rest[:1] == cast[3:4]
        faces.append(rest.pop(1 if back else 0))
        if back:
            places = shuffled(seed, f"back/{round_}/table/{next(returns)}", range(len(rest)))
            rest.insert(int(places[0]), rest.pop(0))
    return faces, rest[:down], rest[down:]


def chained(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """Hash a link `times` times. The result is the link of the chain that many rounds earlier."""
    for _ in range(times):
        link = digest("link", game, u8(seat), link)
    return link


def public(secret: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def bits(places: Any) -> int:
    """Return the bitmap of the characters at these places in the cast."""
    return sum(1 << place for place in places)


class Draft:
    """The sealed draft of a round. Raises Bad for a message that does not fit. `found` has lies as (entry,
    seat, code). With `ys` (the secret links y by seat): those that the links reveal. Without: those that all
    players can see. `proven`: a lie ends the game."""

    def __init__(self, table: tuple[bytes, int, list[str], int, int, bool, Any], ys: dict[int, bytes]) -> None:
        self.game, self.round, self.cast, self.players, crown, chosen, self.anchors = self.table = table
        few, size = self.players < 4, len(self.cast)
        self.faces, self.down = 0 if few else max(0, size - self.players - 2), int(not (few and chosen))
        order = [(crown + place) % self.players for place in STEPS.get(self.players, range(self.players))]
        asides = [int(self.players == 2 if at else not self.down) for at in range(len(order))]
        self.plan = [(seat, asides[at], (self.players, at, size) == (3, 2, 9)) for at, seat in enumerate(order)]
        self.ys, self.secrets = ys, {seat: digest("box-key", y) for seat, y in ys.items()}
        self.keys, self.boxes, self.up = list[bytes](), list[Box](), list[str]()
        self.said, self.shown, self.called, self.given = list[Any](), set[Fixed](), False, 0
        self.held, self.hands = defaultdict[int, list[Fixed]](list), defaultdict[int, int](int)
        self.unknown, self.found, self.proven = {*range(9)} - {*ys}, list[tuple[int, int, str]](), False
        self.script, self.due = self.play(), ("begin", -1)
        next(self.script)

    def lie(self, wrong: object, n: int, seat: int, code: str) -> None:
        self.found += [(n, seat, code)] if wrong else []

    def opens(self, fixed: Fixed, cards: int, nonce: bytes) -> bool:
        """Return whether the characters `cards` (a bitmap) and `nonce` open the commitment in `fixed`."""
        place = u16(self.round), u8(fixed.by), u8(fixed.index), u16(cards), nonce
        return bool(digest("cards", self.game, fixed.kind, *place) == fixed.commit)

    def holds(self, fixed: Fixed, cards: int) -> bool:
        place = self.ys[fixed.by], fixed.head, fixed.kind, u8(fixed.index)
        return self.opens(fixed, cards, digest("draft-nonce", self.game, *place))

    def one(self, fixed: Fixed) -> int:
        """Return the single character in a commitment, as a bitmap; 0 if y of its seat is not known, or there
        is no single one."""
        known = fixed.by in self.ys and fixed.commit
        return next((1 << at for at in range(len(self.cast)) if known and self.holds(fixed, 1 << at)), 0)

    def chance(self, what: str, seat: int, use: int, cards: int) -> int:
        names = [name for at, name in enumerate(self.cast) if cards >> at & 1]
        return bits(map(self.cast.index, shuffled(self.ys[seat], f"{what}/{self.round}/{seat}/{use}", names)[:1]))

    def content(self, box: Box, secret: bytes) -> int:
        """Return the characters in a box as a bitmap, with the secret of its receiver; 0 if the content is
        wrong."""
        place = u16(self.round), u8(box.fixed.index), u8(box.fixed.by), u8(box.to), box.fixed.commit
        info, told = frame("box", self.game, box.fixed.kind, *place), bytes(34)
        with suppress(InvalidTag, ValueError):
            told = SUITE.decrypt(box.sealed, X25519PrivateKey.from_private_bytes(secret), info)
        cards = int.from_bytes(told[:2])
        strange = cards & bits(map(self.cast.index, self.up)) or cards >> len(self.cast) or len(told) != 34
        return cards * (cards.bit_count() == box.size and not strange and self.opens(box.fixed, cards, told[2:]))

    def read(self, *box: Any) -> int:
        """Record a box. Return the characters in it as a bitmap; 0 if y of the receiver is not known, or the
        content is wrong."""
        self.boxes.append(Box(*box))
        known = self.boxes[-1].to in self.secrets
        cards = self.content(self.boxes[-1], self.secrets[self.boxes[-1].to]) if known else 0
        self.lie(known and not cards, self.boxes[-1].n, self.boxes[-1].fixed.by, "box")
        return cards

    def play(self) -> Generator[tuple[str, int], Any, None]:
        """A generator that follows the plan. It yields the kind of message that is due and its seat (-1: all
        seats), and is sent entry, hash, seat and fields of that message."""
        n, _, _, rows = yield "begin", -1
        need(len(rows) == self.players and self.round <= LINKS, "not one beginning of each seat")
        for seat, (link, key) in enumerate(rows):
            need(chained(self.game, seat, link, self.round) == self.anchors[seat][0], "a link of another chain")
            self.lie(seat in self.ys and public(self.secrets[seat]) != key, n, seat, "key")
        self.keys, plan = [key for _, key in rows], self.plan
        n, head, dealer, (up, down, commit) = yield "deal", plan[0][0]
        right = len({*up}) == len(up) == self.faces and {*up} <= {*range(len(self.cast))} - {3}
        need(right and (down is not None) == self.down, "another deal than is planned")
        self.up, below, packet = [self.cast[at] for at in up], 0, 0
        hidden, first = Fixed("face-down", 0, dealer, head, down), Fixed("packet", 0, dealer, head, commit)
        if dealer in self.ys:
            seed = digest("deal", u16(self.round), *[link for link, _ in rows], self.ys[dealer])
            faces, *rest = laid_out(seed, self.round, self.cast, self.faces, self.down)
            below, packet = (bits(map(self.cast.index, some)) for some in rest)
            right = self.up == faces and self.holds(first, packet) and (not below or self.holds(hidden, below))
            self.lie(not right, n, dealer, "deal")
            packet *= self.holds(first, packet)
        size = len(self.cast) - self.faces - self.down
        for at, (seat, lays, loses) in enumerate(plan):
            back = at + 1 == len(plan) and size == 1
            if back:
                n, _, _, (box,) = yield "back", dealer
                below = self.read(n, hidden, seat, 1, box)
                packet = (packet | below) * bool(packet and below)
            n, head, _, (pick, aside, commit, box) = yield "pick", seat
            need((aside is not None, box is None) == (lays, at + 1 == len(plan)), "another step than is planned")
            slot, after = len(self.held[seat]), Fixed("packet", at + 1, seat, head, commit)
            self.held[seat].append(Fixed("pick", slot, seat, head, pick))
            size += back - 1 - lays - loses
            if seat in self.ys:
                card, laid = self.one(self.held[seat][-1]), self.one(Fixed("discard", slot, seat, head, aside))
                left = packet & ~card & ~laid
                left &= ~self.chance("third", seat, 0, left) if loses else -1
                self.lie(not card or bool(laid) != lays, n, seat, "pick")
                self.lie(packet and (card == laid or (card | laid) & ~packet), n, seat, "not_offered")
                self.lie(packet and not self.holds(after, left), n, seat, "rest")
                self.hands[seat] |= card
            packet = self.read(n, after, plan[at + 1][0], size, box) if box else 0
        while True:
            yield from self.exchange()

    def exchange(self) -> Generator[tuple[str, int], Any, None]:
        """As `play`, for an exchange: two messages, in which two seats give each other a character."""
        both, due = list[tuple[Box, int]](), FREE
        for second in (False, True):
            n, head, seat, (to, commit, box) = yield due
            right = to in self.held and to != seat and (not both or to == both[0][0].fixed.by)
            need(right and self.given < 32 and not self.called, "an exchange that may not be")
            fixed, due = Fixed("given", self.given, seat, head, commit), ("exchange", to)
            gift, hand = self.read(n, fixed, to, 1, box) or self.one(fixed), self.hands[seat]
            if seat not in self.unknown:
                drawn = self.chance("theater", seat, self.given, hand) if second else gift
                self.lie(gift != drawn or not gift & hand, n, seat, "given")
            self.given += 1
            both.append((self.boxes[-1], gift))
        for (one, gift), (_, other) in zip(both, both[::-1], strict=True):
            self.held[one.to].append(one.fixed)
            self.hands[one.fixed.by] = self.hands[one.fixed.by] & ~gift | other
            self.unknown |= set() if gift and other else {one.to}

    def take(self, n: int, head: bytes, name: str, rows: dict[int, Any], place: int) -> list[int]:
        """Check and record the messages `rows` (by seat) of entry `n`. `place` is that of the called
        character in the cast. Return the seats that show the character."""
        self.said.append((n, head, name, rows, place))
        seat, fields = next(iter(rows.items()))
        if name == "complaint":
            box = next((box for box in self.boxes if (box.n, box.to) == (fields[0], seat)), None)
            need(box, "a complaint about no box")
            own = public(fields[1]) == self.keys[seat]
            self.proven = own and box is not None and not self.content(box, fields[1])
            lie = (n, seat, "complaint" if own else "secret")
            self.lie(True, *((box.n, box.fixed.by, "box") if box and self.proven else lie))
        elif name != "reply":
            right = self.due in {(name, seat), (name, -1)} or (name == "exchange" and self.due == FREE)
            need(right, f"{name} by another seat, or at another time")
            self.due = self.script.send((n, head, seat, [*rows.values()] if name == "begin" else fields))
        if name != "reply":
            return []
        need(self.due == FREE and 0 <= place < len(self.cast), "replies to no call")
        self.called, card, seats = True, 1 << place, list[int]()
        for seat, (nonce,) in rows.items():
            shown = [one for one in self.held[seat] if one not in self.shown and self.opens(one, card, nonce)]
            need(shown or nonce == ZEROS, "a reply that opens nothing")
            self.shown |= {*shown[:1]}
            has = bool(self.hands[seat] & card)
            self.lie(seat not in self.unknown and has != bool(shown), n, seat, "denied" if has else "shown")
            self.hands[seat] &= ~(card * bool(shown))
            seats += [seat] * bool(shown)
        self.proven = self.proven or len(seats) > 1
        return seats

    def again(self, ys: dict[int, bytes], last: int) -> list[tuple[int, int, str]]:
        """Return the lies in this draft that `ys` reveal: the secret links of some seats in round `last`."""
        draft = Draft(self.table, {at: chained(self.game, at, y, last - self.round) for at, y in ys.items()})
        for said in self.said:
            draft.take(*said)
        return draft.found
