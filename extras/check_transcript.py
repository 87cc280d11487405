#!/usr/bin/env python3
"""A second verifier of transcripts. It follows docs/protocol.md and uses its words, and imports nothing of the
program: one may read this file instead of trusting the rest. It needs Python 3.11 and the package `cryptography`.

    python extras/check_transcript.py FILE…

It checks: records and footer; that MessagePack has its one encoding, and the padding; chain and own leaves; the
order of the entries; keys; every signature (seed parts, movers, host, footer); commitments and openings, and that
a revealed character was opened there. Once a game is closed also: the host's secret, the own salts, what had to be
hidden, and the chance that needs no rules (the deal, who begins, the characters laid out). Files of one game must
tell one history.
It does not replay: whether moves follow the rules, and what came of them, `citadels-lan verify` says.

Exit code: 0 verified, 1 proof of cheating, 2 incomplete, 3 no transcript, damaged, or of another version.
"""

import hashlib
import hmac
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, count
from pathlib import Path
from struct import unpack
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAGIC, RULES = b"citadels-lan transcript 1\n", "2016/1"
OPEN, COMMITS, PARTS, MOVE, TABLE, SEAL, CLOSE, OPENED = range(8)
SHUFFLED, ROUND_BEGAN, OFFERED, CAST_DRAWN, REVEALED = 1, 2, 3, 7, 11
ROUND_ENDED, GAME_ENDED, GAINED, CROWNED = 15, 16, 23, 32
PROOF, INCOMPLETE, DAMAGED = 1, 2, 3
BASICS = (
    "manor*5 castle*4 palace*3 temple*3 church*3 monastery*3 cathedral*2 tavern*5 market*4 trading_post*3 docks*3 "
    "harbor*3 town_hall*2 watchtower*3 prison*3 barracks*3 fortress*2"
)


class Malformed(ValueError):
    """These bytes say nothing in this protocol."""


class Contradiction(Exception):
    """Entry `args[0]` contradicts the document; `args[1]` says how."""


# 1. Hashes and signatures


def u(value: int, size: int) -> bytes:
    return value.to_bytes(size, "big")


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, *raw = (f.encode() if isinstance(f, str) else f for f in (f"citadels-lan/v1/{tag}", *fields))
    return u(len(name), 1) + name + b"".join(u(len(one), 4) + one for one in raw)


def digest(tag: str, *fields: bytes | str) -> bytes:
    """H of the document."""
    return hashlib.sha256(frame(tag, *fields)).digest()


@lru_cache
def sound(key: bytes) -> bool:
    """Whether a key is the canonical encoding of a point of the curve that is not of small order."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    y = int.from_bytes(key, "little") % 2**255
    squared = (y * y - 1) * pow(d * y * y + 1, -1, p) % p  # x², all that doubling needs to know of x
    if y >= p or pow(squared, (p - 1) // 2, p) > 1:
        return False
    for _ in range(3):  # small order: eight times the point is (0, 1)
        y = (y * y + squared) * pow(1 - d * squared * y * y, -1, p) % p
        squared = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    return y != 1


def signed(key: bytes, signature: bytes, tag: str, *fields: bytes | str) -> bool:
    """Whether the signature is that of the key; a key that is not sound signs nothing."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(tag, *fields))
    except (InvalidSignature, ValueError):
        return False
    return sound(key)


# 2. MessagePack in its one encoding, and what shape a value must have

# Tags with a length behind them: what follows, bytes of the length, and the least and largest length.
LONG: dict[int, tuple[type, int, range]] = {
    0xC4: (bytes, 1, range(256)),
    0xC5: (bytes, 2, range(256, 4097)),
    0xD9: (str, 1, range(32, 256)),
    0xDA: (str, 2, range(256, 1025)),
    0xDC: (list, 2, range(16, 257)),
    0xDE: (dict, 2, range(16, 65)),
}
# Numbers: their bytes, whether they have a sign, and the values that need so many bytes.
NUMBERS = {0xCC + i: (2**i, False, range(2 ** (4 * 2**i) if i else 128, 2 ** (8 * 2**i))) for i in range(4)} | {
    0xD0 + i: (2**i, True, range(-(2 ** (8 * 2**i - 1)), -(2 ** (4 * 2**i - 1)) if i else -32)) for i in range(4)
}


def cut(data: bytes, at: int, length: int) -> bytes:
    if at + length > len(data):
        raise Malformed
    return data[at : at + length]


def decode(data: bytes, at: int = 0, depth: int = 1) -> tuple[Any, int]:
    """The value at `at`, and where the next one begins."""
    tag, at = cut(data, at, 1)[0], at + 1
    if depth > 8:
        raise Malformed
    if tag < 0x80 or tag >= 0xE0:
        return (tag + 128) % 256 - 128, at
    if tag in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[tag], at
    if tag in NUMBERS:
        size, negative, values = NUMBERS[tag]
        number = int.from_bytes(cut(data, at, size), "big", signed=negative)
        if number not in values:
            raise Malformed
        return number, at + size
    kind: type
    kind, length = (str, tag - 0xA0) if tag >= 0xA0 else (list, tag - 0x90) if tag >= 0x90 else (dict, tag - 0x80)
    if tag >= 0xC0:
        kind, size, lengths = LONG.get(tag, (str, 0, range(0)))
        length, at = int.from_bytes(cut(data, at, size), "big"), at + size
        if length not in lengths:
            raise Malformed
    if kind in (bytes, str):
        raw = cut(data, at, length)
        return (text(raw) if kind is str else raw), at + length
    items = []
    for _ in range(length if kind is list else 2 * length):
        item, at = decode(data, at, depth + 1)
        items.append(item)
    keys, values_ = items[::2], items[1::2]
    if kind is dict and (any(type(key) is not str for key in keys) or len(set(keys)) < length):
        raise Malformed
    return (items if kind is list else dict(zip(keys, values_, strict=True))), at


def text(raw: bytes) -> str:
    value = raw.decode()  # UnicodeDecodeError is a ValueError, as Malformed is
    unseen = any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in value)
    if unseen or unicodedata.normalize("NFC", value) != value:
        raise Malformed
    return value


def whole(data: bytes) -> Any:
    value, end = decode(data)
    if end != len(data):
        raise Malformed
    return value


def unpad(body: bytes) -> Any:
    value, end = decode(body)
    if any(body[end:]) or not (len(body) in (256, 512) or (len(body) % 1024 == 0 and len(body) <= 65536)):
        raise Malformed
    return value


def fits(value: Any, form: Any) -> bool:
    """Whether a value has a form: a number stands for so many bytes, a type for itself, a range for its numbers, a
    set for one of several, [f] for any number of f, a tuple for an array of just these."""
    if isinstance(form, int):
        return type(value) is bytes and len(value) == form
    if isinstance(form, type):
        return type(value) is form
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, (set, frozenset)):
        return any(fits(value, one) for one in form)
    if type(value) is not list:
        return False
    if isinstance(form, list):
        return all(fits(one, form[0]) for one in value)
    return len(value) == len(form) and all(map(fits, value, form))


NIL, SEAT = type(None), range(256)
HEAD, FOOTER = (16, str, 32, {SEAT, NIL}, 32), (32, 64)
DELTA = (range(1, 2**64), 4, bytes, bytes, {16, NIL}, {bytes, NIL})
HEADER = (16, str, str, str, [str], [str], 32, 32, 32, [(str, 32, bool)])
OPENING = (range(2**16), SEAT, SEAT, str, str, 32)
ENTRY: dict[int, tuple[Any, ...]] = {
    OPEN: (int, HEADER),
    COMMITS: (int, [32]),
    PARTS: (int, [32], [64]),
    MOVE: (int, SEAT, frozenset({str, 32, 64}), [list], [OPENING]),
    TABLE: (int, [list]),
    SEAL: (int, [64], 64),
    CLOSE: (int, 32, [OPENING], 64),
    OPENED: (int, [OPENING]),
}
EVENT: dict[int, tuple[Any, ...]] = {
    SHUFFLED: (int, [str]),
    ROUND_BEGAN: (int, int, [str], [str]),
    OFFERED: (int, int, [str]),
    CAST_DRAWN: (int, [str], [str]),
    REVEALED: (int, int, str),
    ROUND_ENDED: (int,),
    GAME_ENDED: (int, [dict], int),
    GAINED: (int, int, [str], str),
    CROWNED: (int, int),
}


def is_event(event: list[Any]) -> bool:
    form = EVENT.get(event[0], (int,)) if fits(event[:1], (int,)) else None
    return form is not None and fits(event[: len(form)], form)


def entry_of(public: bytes) -> list[Any]:
    """The array of an entry; empty where it is none."""
    try:
        entry = whole(public)
    except ValueError:
        return []
    form = ENTRY.get(entry[0]) if type(entry) is list and fits(entry[:1], (int,)) else None
    good = form is not None and fits(entry, form) and all(map(is_event, events_of(entry)))
    return entry if good and len(openings_of(entry)) <= 24 else []


def events_of(entry: list[Any]) -> list[list[Any]]:
    return entry[{MOVE: 3, TABLE: 1}[entry[0]]] if entry[0] in (MOVE, TABLE) else []


def openings_of(entry: list[Any]) -> list[list[Any]]:
    return entry[{MOVE: 4, CLOSE: 2, OPENED: 1}[entry[0]]] if entry[0] in (MOVE, CLOSE, OPENED) else []


# 6. The file, and 3. the chain


@dataclass
class Link:
    """An entry of the chain: `before` is hash[n-1], `entry` its array, empty where `public` says nothing."""

    n: int
    before: bytes
    public: bytes
    leaves: bytes
    salt: bytes | None
    private: bytes | None
    entry: list[Any]


class Transcript:
    """A file: `links` and `heads` (hash[n]) as far as the chain goes, and what was found. `covered` is the last
    entry that a valid host signature covers, `owned` whether the owner's signature stands behind the file."""

    def __init__(self, path: str) -> None:
        self.path, self.data = path, Path(path).read_bytes()
        self.links: list[Link] = []
        self.covered, self.owned, self.torn, self.proof = 0, False, False, ""
        self.counts, self.findings = Counter[str](), list[tuple[int, str]]()
        self.footer, self.sha256 = list[bytes](), b""
        self.read()

    def say(self, code: int, sentence: str) -> None:
        self.findings.append((code, sentence))

    def records(self) -> Iterator[tuple[int, bytes, bytes]]:
        """Offset, kind and body of each whole record; `torn` if something is left."""
        at, data = len(MAGIC), self.data
        while (end := at + 5 + int.from_bytes(data[at : at + 4], "big")) <= len(data) and at + 5 <= len(data):
            yield at, data[at + 4 : at + 5], data[at + 5 : end]
            at = end
        self.torn = at < len(data)
        if self.torn and len(data) - at >= 5 and end - at > 65541:
            raise Malformed(f"the record at byte {at} is too long")

    def read(self) -> None:
        """Read the records and follow the chain; Malformed where this is no transcript."""
        if not self.data.startswith(MAGIC) or len(self.data) > 2**26:
            raise Malformed("not a transcript of this version")
        (_, kind, body), *rest = list(self.records()) or [(0, b"", b"")]
        head: Any = whole(body) if kind == b"H" else None
        if not fits(head, HEAD):
            raise Malformed("the first record is not the head of a transcript")
        self.game, self.rules, self.fp, self.seat, self.key = head
        if self.rules != RULES:
            raise Malformed(f"the rules are {self.rules}, not {RULES}")
        self.heads, broken = [digest("genesis", self.game, self.rules, self.fp)], False
        for at, kind, body in rest:
            if self.footer or kind not in (b"E", b"F"):
                raise Malformed(f"the record at byte {at} has no place there")
            if kind == b"E":
                broken = broken or not self.link(body)
            elif fits(footer := whole(body), FOOTER):
                self.footer, self.sha256 = footer, hashlib.sha256(self.data[:at]).digest()
            else:
                raise Malformed("the footer is none")
        if self.torn and self.footer:
            raise Malformed("something follows the footer")
        if broken:
            self.say(DAMAGED, f"the chain ends before entry {len(self.links) + 1}")
        first = self.links[0].entry if self.links else []
        self.header: list[Any] = first[1] if first and first[0] == OPEN else []

    def link(self, body: bytes) -> bool:
        """Append a delta to the chain; False where it does not continue it or the own leaf is another."""
        n, before = len(self.links) + 1, self.heads[-1]
        try:
            delta = unpad(body)
        except ValueError:
            return False
        if not fits(delta, DELTA) or delta[0] != n or len(delta[3]) % 33:
            return False
        _, check, public, leaves, salt, private = delta
        head, seats = digest("entry", before, u(n, 8), public, leaves), list(leaves[::33])
        if head[:4] != check or seats != sorted(set(seats)):
            return False
        if {salt is None, private is None} != {self.seat not in seats}:
            return False
        if salt is not None:
            leaf = digest("priv", self.game, u(n, 8), u(self.seat or 0, 1), salt, private)
            if u(self.seat or 0, 1) + leaf not in (leaves[at : at + 33] for at in range(0, len(leaves), 33)):
                return False
            self.counts["own leaves"] += 1
        self.heads.append(head)
        self.links.append(Link(n, before, public, leaves, salt, private, entry_of(public)))
        return True

    def host_frame(self, one: Link) -> tuple[bytes | str, ...]:
        """What the host signs in a seal or close, whose `rest` is the array without the last element."""
        return "head", self.game, u(one.n - 1, 8), one.before, u(one.public[0] - 1, 1) + one.public[1:-66]

    def cover(self) -> None:
        """Find the last valid signature of the host."""
        for one in self.links if self.header else []:
            if one.entry and one.entry[0] in (SEAL, CLOSE):
                tag, *fields = self.host_frame(one)
                if signed(self.header[7], one.entry[-1], str(tag), *fields):
                    what = frame(str(tag), *fields).hex()
                    self.covered = one.n
                    self.proof = f"key {self.header[7].hex()} signed {what}: {one.entry[-1].hex()}"

    def check_footer(self) -> None:
        n, seats = len(self.links), self.header[9] if self.header else []
        fields = (self.game, u(n, 8), self.heads[n], self.sha256)
        if self.footer and self.footer[0] != self.sha256:
            self.say(DAMAGED, "the file was changed after its owner signed it")
        elif self.footer and not self.findings and not signed(self.key, self.footer[1], "transcript", *fields):
            self.say(DAMAGED, "the footer is not signed by the key of the file")
        elif self.header and self.seat is not None and self.key not in [one[1] for one in seats[self.seat :][:1]]:
            self.say(DAMAGED, "the key of the file is not that of its seat")
        self.owned = bool(self.footer) and not self.findings
        self.counts["signatures"] += self.owned


# 3 to 5. The log


class Log:
    """Reads the entries in order, checking what a client checks at once. `pending` are the commitments not yet
    opened with (n, index, round, seat, slot), `opened` the openings by (n, index)."""

    def __init__(self, file: Transcript) -> None:
        self.file, self.game, self.header, self.counts = file, file.game, file.header, file.counts
        self.expected: tuple[int, ...] = (OPEN,)
        self.n, self.round, self.round_over, self.over = 0, 0, False, False
        self.committed, self.secret = b"", b""
        self.commits, self.parts, self.unsealed = list[bytes](), list[bytes](), list[Link]()
        self.slots = Counter[int]()
        self.pending: dict[bytes, tuple[int, int, int, int, int]] = {}
        self.opened: dict[tuple[int, int], list[Any]] = {}

    def need(self, good: bool, what: str) -> None:
        if not good:
            raise Contradiction(self.n, what)

    def need_signed(self, key: bytes, signature: bytes, who: str, tag: str, *fields: bytes | str) -> None:
        self.need(signed(key, signature, tag, *fields), f"has no signature of {who}")
        self.counts["signatures"] += 1

    def read(self, one: Link) -> None:
        """Take the next entry; Contradiction where it cannot be."""
        self.n = one.n
        self.need(bool(one.entry), "is not an entry")
        kind, *fields = one.entry
        self.need(kind in self.expected, "is not the entry that must come here")
        self.check_private(one)
        if kind in (SEAL, CLOSE):
            tag, *rest = self.file.host_frame(one)
            self.need_signed(self.header[7], one.entry[-1], "the host", str(tag), *rest)
        if kind == OPEN:
            self.open()
        elif kind == COMMITS:
            self.need(len(fields[0]) == len(self.header[9]), "has not one commitment for each seat")
            self.commits, self.expected = fields[0], (PARTS,)
        elif kind == PARTS:
            self.take_parts(one, *fields)
        elif kind == TABLE:
            self.happen(fields[0], [])
            self.expected = (TABLE, MOVE)
        elif kind == MOVE:
            self.move(one, *fields)
        elif kind == SEAL:
            self.seal(fields[0])
        elif kind == OPENED:
            self.take_openings(fields[0])
        else:
            self.need(
                digest("seed-host", self.game, fields[0]) == self.header[8], "has another secret than promised"
            )
            self.take_openings(fields[1])
            self.secret, self.expected = fields[0], ()
        self.counts["entries"] += 1

    def check_private(self, one: Link) -> None:
        """What the own seat is told differently: events of the same tag, by rising index."""
        try:
            told, events = whole(one.private or b"\x90"), events_of(one.entry)
        except ValueError:
            told, events = None, []
        self.need(fits(told, [(range(len(events)), list)]), "has a private part that says nothing")
        places = [index for index, _ in told]
        same = all(is_event(event) and event[0] == events[index][0] for index, event in told)
        self.need(same and places == sorted(set(places)), "has private events that do not belong to it")

    def open(self) -> None:
        game, _, rules, _, _, _, fp, hostkey, _, players = self.header
        file, keys = self.file, [key for _, key, _ in players]
        self.need((game, rules, fp) == (file.game, file.rules, file.fp), "is of another table than the chain")
        self.need(all(map(sound, (hostkey, *keys))), "has a key that proves nothing")
        self.need(0 < len(keys) == len(set(keys)) <= 9, "has no player, too many, or the same one twice")
        self.expected = (COMMITS,)

    def take_parts(self, one: Link, parts: list[bytes], signatures: list[bytes]) -> None:
        self.need(len(parts) == len(signatures) == len(self.commits), "has not one part for each seat")
        for seat, (name, key, _) in enumerate(self.header[9]):
            same = digest("seed-part", self.game, u(seat, 1), parts[seat]) == self.commits[seat]
            self.need(same, f"has another part of the seed than {name} committed to")
            self.need_signed(key, signatures[seat], name, "seed", self.game, one.before)
        self.parts, self.committed, self.expected = parts, one.before, (TABLE,)

    def move(self, one: Link, seat: int, what: str | bytes, events: list[Any], openings: list[Any]) -> None:
        self.need(seat < len(self.header[9]), "is the move of no seat")
        self.unsealed.append(one)
        if isinstance(what, bytes):
            for index in range(len(what) // 32):
                commitment = what[32 * index :][:32]
                self.need(commitment not in self.pending, "repeats a commitment")
                self.pending[commitment] = (one.n, index, self.round, seat, self.slots[seat])
            self.slots[seat] += 1
        self.take_openings(openings)
        self.happen(events, openings)
        seal = self.round_over or self.over or len(self.unsealed) == 32
        self.expected = (SEAL,) if seal else (MOVE,)

    def happen(self, events: list[Any], openings: list[Any]) -> None:
        shown = {line for *_, line, _ in openings}
        for tag, *fields in events:
            if tag == ROUND_BEGAN:
                self.round, self.round_over, self.slots = fields[0], False, Counter()
            elif tag == REVEALED:
                self.need(f"pick {fields[1]}" in shown, f"reveals {fields[1]} without the opening of that pick")
                self.counts["revealed"] += 1
            self.round_over |= tag == ROUND_ENDED
            self.over |= tag == GAME_ENDED

    def take_openings(self, openings: list[Any]) -> None:
        for opening in openings:
            round_, seat, slot, kind, line, nonce = opening
            commitment = digest("commit", self.game, kind, u(round_, 2), u(seat, 1), u(slot, 1), line, nonce)
            self.need(commitment in self.pending, f"opens what nobody committed to: {line}")
            n, index, *place = self.pending.pop(commitment)
            good = (
                place == [round_, seat, slot]
                and kind == line.split(" ")[0]
                and (kind == "discard") == (index == 1)
            )
            self.need(good, f"opens the commitment of another move: {line}")
            self.opened[n, index] = opening
            self.counts["openings"] += 1

    def seal(self, signatures: list[bytes]) -> None:
        self.need(len(signatures) == len(self.unsealed), "has not one signature for each move")
        for one, signature in zip(self.unsealed, signatures, strict=True):
            _, seat, what, *_ = one.entry
            name, key, _ = self.header[9][seat]
            fields = (self.game, u(one.n, 8), one.before, u(seat, 1), what)
            self.need_signed(key, signature, f"{name} for entry {one.n}", "move", *fields)
        self.unsealed = []
        self.expected = (OPENED, CLOSE) if self.over else (TABLE,) if self.round_over else (MOVE,)


# What waits for *close*


def must_hide(line: str) -> bool:
    """Whether the words of a line tell what others may not know."""
    verb, *words = line.split(" ")
    paid = "with" in words or "borrowing" in words
    if verb in ("theater", "build", "take"):
        return {"theater": "giving" in words, "build": paid, "take": paid or "building" not in words}[verb]
    return verb in ("pick", "keep", "redraw", "give", "laboratory", "museum", "warrant", "threaten")


def check_closed(log: Log) -> None:
    """Salts, leaves, rounds, what had to be hidden and what was shown too early."""
    file, rounds = log.file, 0
    for one in file.links:
        log.n, seats = one.n, one.leaves[::33]
        placed = one.entry[0] in (MOVE, TABLE) and max(seats, default=0) < len(log.header[9])
        log.need(placed or not seats, "has a leaf for nobody")
        if one.salt is not None:
            salt = digest("salt", log.secret, u(one.n, 8), u(file.seat or 0, 1))[:16]
            log.need(one.salt == salt, "has a salt that does not follow from the host's secret")
            log.counts["salts"] += 1
        for event in events_of(one.entry):
            log.need(len(event) == len(EVENT.get(event[0], event)), "has an event with unknown fields")
            rounds += event[0] == ROUND_BEGAN
            log.need(event[0] != ROUND_BEGAN or event[1] == rounds, "begins another round than the next")
        if one.entry[0] == MOVE:
            check_hidden(log, *one.entry[2:])


def check_hidden(log: Log, what: str | bytes, events: list[Any], openings: list[Any]) -> None:
    revealed = {f"pick {event[2]}" for event in events if event[0] == REVEALED}
    log.need(all(line in revealed for *_, line, _ in openings), "opens a move too early")
    if isinstance(what, str):
        log.need(not must_hide(what), f"shows a move that had to be hidden: {what}")
    elif (log.n, 0) in log.opened:
        *_, kind, line, _ = log.opened[log.n, 0]
        log.need(must_hide(line), f"hides a move that had to be shown: {line}")
        alone = len(what) == 32 if kind != "pick" else line.count(" ") == 1
        log.need(alone, f"commits to more than it may with {line}")


class Chance:
    """What follows from the joint seed."""

    def __init__(self, log: Log) -> None:
        self.seed = digest("seed", log.game, log.secret, *log.parts, log.committed)
        self.counts = log.counts

    def words(self, label: str) -> Iterator[int]:
        self.counts["chance"] += 1
        for block in count():
            yield from unpack(">8I", hmac.digest(self.seed, frame("drbg", label, u(block, 8)), "sha256"))

    def uniform(self, words: Iterator[int], k: int) -> int:
        return next(word for word in words if word < 2**32 // k * k) % k

    def pick(self, label: str, k: int) -> int:
        return self.uniform(self.words(label), k)

    def shuffle(self, label: str, items: Sequence[str]) -> list[str]:
        words, deck = self.words(label), list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.uniform(words, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


def check_chance(log: Log) -> None:
    """The deal, the first crown, and what is laid out in each round, as far as the viewer was told it."""
    chance, cast, uniques = Chance(log), log.header[4], log.header[5]
    seen, deck, pile = set[int](), list[str](), list[str]()
    for one in log.file.links:
        log.n, events = one.n, list(events_of(one.entry))
        for index, event in whole(one.private) if one.private else []:
            events[index] = event
        for tag, *fields in events:
            if tag == CAST_DRAWN:
                cast, uniques = cast or fields[0], uniques or fields[1]
            elif tag == SHUFFLED and tag not in seen:
                basics = [key for key, n in (one.split("*") for one in BASICS.split()) for _ in range(int(n))]
                deck = chance.shuffle("districts", basics + uniques)
            elif tag == GAINED and fields[2] == "deal":
                compare_known(log, fields[1], [deck.pop() for _ in fields[1][: len(deck)]], "cards dealt")
            elif tag == CROWNED and tag not in seen:
                log.need(
                    fields[0] == chance.pick("crown", len(log.header[9])), "has another beginner than the seed"
                )
            elif tag == ROUND_BEGAN:
                pile = lay_out(log, chance, cast, fields[0], fields[1])
            elif tag == OFFERED and one.entry[0] == TABLE:
                compare_known(log, fields[1], pile, "characters offered")
            seen.add(tag)


def compare_known(log: Log, told: list[str], derived: list[str], what: str) -> None:
    log.need(told in (derived, ["?"] * len(derived)), f"has other {what} than the seed")
    log.counts[f"own {what}"] += len(told) - told.count("?")


def lay_out(log: Log, chance: Chance, cast: list[str], number: int, face_up: list[str]) -> list[str]:
    """Compare the face-up characters of a round; what is left for the crowned player after one face down."""
    pile, laid, again = chance.shuffle(f"chars/{number}", cast), list[str](), 0
    while len(laid) < len(face_up) and len(pile) > 2:
        card = pile.pop(0)
        if [card] == cast[3:4]:  # rank 4 is never laid out: the next one is, and this one goes back
            laid.append(pile.pop(0))
            pile.insert(chance.pick(f"back/{number}/{again}", len(pile) + 1), card)
            again += 1
        else:
            laid.append(card)
    log.need(laid == face_up, "lays out other characters than the seed")
    return pile[1:]


# 7. Verification


def examine(file: Transcript) -> None:
    file.cover()
    file.check_footer()
    log = Log(file)
    try:
        for one in file.links:
            log.read(one)
        if log.secret:
            check_closed(log)
            check_chance(log)
    except Contradiction as found:
        accuse(file, *found.args)
    if file.torn:
        file.say(INCOMPLETE, "the last record is torn")
    for _, _, round_, seat, _ in log.pending.values() if log.secret else []:
        file.say(INCOMPLETE, f"a move of {log.header[9][seat][0]} in round {round_} was never opened")
    if not file.findings and not (log.secret and file.footer):
        file.say(INCOMPLETE, "its owner has not signed it" if log.secret else "the game was not closed")


def accuse(file: Transcript, n: int, what: str) -> None:
    """Who is proven to have cheated by a contradiction in entry `n`, if anybody is."""
    public = f"\n    public bytes of entry {n}: {file.links[n - 1].public.hex()}\n    "
    if n <= file.covered:
        file.say(PROOF, f"THE HOST cheated: entry {n} {what}{public}{file.proof}")
    elif file.owned and file.header and file.seat is not None:
        name, key, signature = file.header[9][file.seat][0], file.key.hex(), file.footer[1].hex()
        fields = (file.game, u(len(file.links), 8), file.heads[-1], file.sha256)
        proof = f"key {key} signed {frame('transcript', *fields).hex()}: {signature}"
        file.say(PROOF, f"{name.upper()} falsified the file: entry {n} {what}{public}{proof}")
    else:
        file.say(DAMAGED, f"entry {n} {what}; nobody's signature stands behind it")


def compare(one: Transcript, two: Transcript) -> None:
    """Two files of one game must have the same heads, as far as both go."""
    if one.game != two.game or not one.header or not two.header:
        return
    if one.header[7] != two.header[7]:
        two.say(DAMAGED, f"{one.path} has the same game from another host")
        return
    one.counts["compared"] += 1
    two.counts["compared"] += 1
    fork = next((n for n, pair in enumerate(zip(one.heads, two.heads, strict=False)) if len(set(pair)) > 1), None)
    if fork is not None and fork <= min(one.covered, two.covered):
        two.say(PROOF, f"THE HOST told two stories, from entry {fork} on:\n    {one.proof}\n    {two.proof}")
    elif fork is not None:
        two.say(DAMAGED, f"entry {fork} is another one in {one.path}; the host has not signed both")


def worst(codes: Sequence[int]) -> int:
    return min(codes, key=(PROOF, DAMAGED, INCOMPLETE, 0).index, default=0)


def main(paths: Sequence[str]) -> int:
    files, codes = [], [] if paths else [DAMAGED]
    for path in paths:
        try:
            files.append(Transcript(path))
        except (OSError, ValueError) as error:
            print(f"{path}\n  DAMAGED: {error or 'it cannot be read'}")
            codes.append(DAMAGED)
    for file in files:
        examine(file)
    for pair in combinations(files, 2):
        compare(*pair)
    for file in files:
        print(f"{file.path}\n  " + ", ".join(f"{name} {count}" for name, count in file.counts.items()))
        for code, sentence in file.findings or [(0, "everything that can be checked without the rules holds")]:
            print(f"  {('VERIFIED', 'PROOF', 'INCOMPLETE', 'DAMAGED')[code]}: {sentence}")
        codes.append(worst([code for code, _ in file.findings]))
    return worst(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
