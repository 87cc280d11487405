#!/usr/bin/env python3
"""Checks transcripts of citadels-lan. Written from docs/protocol.md alone; nothing is shared with the program.

    python extras/check_transcript.py FILE…        needs Python 3.11 and `cryptography`, nothing else

It checks everything but the rules of the card game. Exit 0: verified; 1: proof of cheating, with who and the
bytes; 2: incomplete, with who did not open; 3: damaged, no transcript, or of another version.
"""

import hashlib
import hmac
import re
import struct
import sys
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# fmt: off
FIRST_LINE, RULES = b"citadels-lan transcript 1\n", "2016/1"
WORDS = Path(__file__).parents[1] / "citadels_lan" / "crypto" / "words.txt"
WORDS_DIGEST = "5b6227fb46e7434b09982e84a7166e19596becb4b0960994063363fcd83e7ac7"
BOX = {"manor": 5, "castle": 4, "palace": 3, "temple": 3, "church": 3, "monastery": 3, "cathedral": 2, "tavern": 5,
       "market": 4, "trading_post": 3, "docks": 3, "harbor": 3, "town_hall": 2, "watchtower": 3, "prison": 3,
       "barracks": 3, "fortress": 2}
HIDDEN = re.compile(r"(pick|keep|redraw|give|laboratory|museum)( |$)|theater (.* )?giving( |$)|"
                    r"take(?!.* building( |$))( |$)|(take|build) (.* )?(with|borrowing)( |$)")
SEALED = re.compile(r"((warrant|threaten)(?: [^ *]+)+) sealed ([0-9a-f]{64})")
BREAKS = {"confiscate yes": "warrant", "reveal yes": "threaten"}
# Shapes: a range is a number in it, a number is that many bytes, a list is any number of these, a tuple is exactly
# these, a set is one of these, and anything else a type.
U8, U16, U64, NIL = range(1 << 8), range(1 << 16), range(1 << 64), type(None)
OPENING, FILE_HEAD = (U16, U8, U8, str, str, 32), (16, str, 32, {U8, NIL}, 32)
DELTA = (U64, 4, bytes, bytes, {16, NIL}, {bytes, NIL})
DATAGRAM = (str, U64, 16, U64, 32, 32, 64, {U8, NIL}, bytes)
KINDS = ("open", "commits", "parts", "move", "table", "seal", "close", "opened", "beacons")
OPEN, COMMITS, PARTS, MOVE, TABLE, SEAL, CLOSE, OPENED, BEACONS = range(9)
ENTRIES: Any = (
    (U8, (16, str, str, str, [str], [str], 32, 32, 32, [(str, 32, bool)])), (U8, [32], [32]), (U8, [32], [64]),
    (U8, U8, {str, 32, 64}, [list], [OPENING]), (U8, [list]), (U8, [64], 64), (U8, 32, [OPENING], 64),
    (U8, [OPENING]), (U8, U16, U16, [64], [32]))
SHUFFLED, BEGAN, OFFERED, DRAWN, REVEALED, ENDED, OVER, GAINED, CROWNED = 1, 2, 3, 7, 11, 15, 16, 23, 32
CONFISCATED, PLACED, SHOWN = 35, 51, 53
EVENTS: Any = {
    SHUFFLED: (U8, [str]), BEGAN: (U8, U16, [str], [str]), OFFERED: (U8, U8, [str]), DRAWN: (U8, [str], [str]),
    REVEALED: (U8, U8, str), ENDED: (U8,), GAINED: (U8, U8, [str], str), CROWNED: (U8, U8),
    CONFISCATED: (U8, U8, U8, str, U64, str), PLACED: (U8, str, U8, [str], str), SHOWN: (U8, str, bool)}
# MessagePack by the first tag of each form: the bytes of its value or length, and from what on it is the shortest.
FORMS = {0x00: ("int", 0, 0), 0x80: ("map", 0, 0), 0x90: ("array", 0, 0), 0xA0: ("str", 0, 0), 0xC0: ("nil", 0, 0),
         0xC1: ("", 0, 0), 0xC2: ("bool", 0, 0), 0xC4: ("bin", 1, 0), 0xC5: ("bin", 2, 256), 0xC6: ("", 0, 0),
         0xCC: ("int", 1, 128), 0xCD: ("int", 2, 256), 0xCE: ("int", 4, 1 << 16), 0xCF: ("int", 8, 1 << 32),
         0xD0: ("neg", 1, -32), 0xD1: ("neg", 2, -128), 0xD2: ("neg", 4, -1 << 15), 0xD3: ("neg", 8, -1 << 31),
         0xD4: ("", 0, 0), 0xD9: ("str", 1, 32), 0xDA: ("str", 2, 256), 0xDB: ("", 0, 0), 0xDC: ("array", 2, 16),
         0xDD: ("", 0, 0), 0xDE: ("map", 2, 16), 0xDF: ("", 0, 0), 0xE0: ("fix", 0, 0)}
LIMITS = {"str": 1024, "bin": 4096, "array": 256, "map": 64}
# fmt: on


class Bad(Exception):
    """Something contradicts the protocol."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


def fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, (set, frozenset)):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, (list, tuple)) and isinstance(value, list):
        shapes = shape * len(value) if isinstance(shape, list) else shape
        return len(value) == len(shapes) and all(map(fits, value, shapes))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    return isinstance(value, bytes) and len(value) == shape if isinstance(shape, int) else type(value) is shape


def unpack(data: bytes, at: int = 0, depth: int = 1) -> tuple[Any, int]:
    need(depth <= 8 and at < len(data), "MessagePack is too deep or cut off")
    first = max(tag for tag in FORMS if tag <= data[at])
    (form, width, least), offset, at = FORMS[first], data[at] - first, at + 1
    need(form and at + width <= len(data), "MessagePack has a form that is not allowed, or is cut off")
    size, at = int.from_bytes(data[at : at + width], signed=form == "neg") if width else offset, at + width
    need(size < least if form == "neg" else size >= least, "MessagePack is not in its shortest form")
    if form in {"nil", "bool", "int", "neg", "fix"}:
        return {"nil": None, "bool": bool(size), "fix": size - 32}.get(form, size), at
    need(size <= LIMITS[form], f"MessagePack has a {form} that is too long")
    if form in {"str", "bin"}:
        need(at + size <= len(data), "MessagePack is cut off")
        return (text if form == "str" else bytes)(data[at : at + size]), at + size
    items: list[Any] = []
    for _ in range(size * (2 if form == "map" else 1)):
        item, at = unpack(data, at, depth + 1)
        items.append(item)
    keys = [key for key in items[::2] if isinstance(key, str)]
    need(form == "array" or len(set(keys)) == size, "MessagePack has a map whose keys are not strings that differ")
    return (items if form == "array" else dict(zip(keys, items[1::2], strict=True))), at


def text(raw: bytes) -> str:
    string = raw.decode(errors="replace")
    clean = string.encode() == raw and unicodedata.is_normalized("NFC", string)
    need(clean and not {"Cc", "Cf", "Zl", "Zp"} & {*map(unicodedata.category, string)}, "a string is not clean")
    return string


def decode(data: bytes, shape: Any, *, padded: bool = False) -> Any:
    value, end = unpack(data)
    bucket = (len(data) in {256, 512} or len(data) % 1024 == 0) and not any(data[end:])
    need((bucket if padded else end == len(data)) and fits(value, shape), "a record of a wrong length or shape")
    return value


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, raw = b"citadels-lan/v1/" + tag.encode(), (f.encode() if isinstance(f, str) else f for f in fields)
    return len(name).to_bytes() + name + b"".join(len(one).to_bytes(4) + one for one in raw)


def digest(tag: str, *fields: bytes | str) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


@cache
def sound(key: bytes) -> bool:
    """A canonical point of the curve that is not of small order: by such keys anything seems signed."""
    p, y = 2**255 - 19, int.from_bytes(key, "little") % 2**255
    order_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    square = (y * y - 1) * pow(1 - 121665 * pow(121666, -1, p) * y * y, -1, p)
    return y < p and y not in {0, 1, p - 1, order_8, p - order_8} and pow(square, p // 2, p) == 1


def valid(key: bytes, signature: bytes, *signed: bytes | str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(*signed))  # type: ignore[arg-type]
    except (InvalidSignature, ValueError):
        return False
    return sound(key)


def uniform(seed: bytes, label: str, *sizes: int) -> list[int]:
    blocks = (hmac.digest(seed, frame("drbg", label, j.to_bytes(8)), "sha256") for j in count())
    words = (word for block in blocks for word in struct.unpack(">8I", block))
    return [next(word for word in words if word < 2**32 - 2**32 % k) % k for k in sizes]


def shuffled(seed: bytes, label: str, things: list[str]) -> list[str]:
    things, top = [*things], len(things)
    for i, j in zip(range(top - 1, 0, -1), uniform(seed, label, *range(top, 1, -1)), strict=True):
        things[i], things[j] = things[j], things[i]
    return things


def laid_out(seed: bytes, round_: int, cast: list[str], faces: int) -> tuple[list[str], list[str]]:
    """The characters of a round: face up, and the rest."""
    need(len(cast) > max(faces + 1, 3), "more characters are laid out than there are")
    rest, up, returns = shuffled(seed, f"chars/{round_}", cast), list[str](), 0
    while len(up) < faces:
        up.append(rest.pop(0))
        if up[-1] == cast[3]:
            king, up[-1] = up[-1], rest.pop(0)
            rest.insert(uniform(seed, f"back/{round_}/{returns}", len(rest) + 1)[0], king)
            returns += 1
    return up, rest


class Commitment:
    """To a hidden or a sealed move: `sealed` is its line without the star, `line` what it was opened to."""

    def __init__(self, value: bytes, kind: str, sealed: str) -> None:
        self.value, self.kind, self.sealed, self.line = value, kind, sealed, ""

    def open(self, game: bytes, opening: list[Any]) -> None:
        round_, seat, slot, kind, line, nonce = opening
        place = (round_.to_bytes(2), seat.to_bytes(), slot.to_bytes())
        need(digest("commit", game, kind, *place, line, nonce) == self.value, f"{line!r} fits no commitment")
        starred = re.fullmatch(r"[^*]+ [^* ]+\*( [^*]+)?", line) and line.replace("*", "") == self.sealed
        fitting = starred if self.sealed else kind == "discard" or HIDDEN.match(line)
        need(fitting, f"{line!r} had to be committed to otherwise, or not at all")
        need(kind == line.split(" ")[0] == (self.kind or kind), f"{line!r} is of another kind")
        self.line = line


class Transcript:
    """One file. Bad in `record` ends it, and proves nothing. `findings` contradict the protocol: the entry from
    which on a host signature covers it, whether the player's program would have refused it, what it is, and
    the bytes; `late` are those that count only in a closed game."""

    def __init__(self, name: str) -> None:
        self.name, self.damage, self.torn, self.footer, self.closed = name, "", False, (b"", b""), False
        self.game, self.seat, self.key, self.host, self.words = b"", -1, b"", b"", b""
        self.findings, self.late, self.heads, self.own, self.claims = (list[Any]() for _ in range(5))
        self.players, self.unsealed, self.told, self.chances, self.salts = (list[Any]() for _ in range(5))
        self.next, self.round, self.begun, self.ended, self.over = {OPEN}, 0, 0, False, False
        self.pending, self.shared, self.signed = set[bytes](), set[bytes](), Counter[int]()
        self.missing, self.compared, self.dealt, self.n, self.body = list[str](), 0, 0, 0, b""
        # By entry: n, hash[n], rest and the host's signature. By round and seat, then slot and whether a discard.
        self.seals: dict[int, tuple[int, bytes, bytes, bytes]] = {}
        self.commitments = defaultdict[tuple[int, int], dict[tuple[int, bool], Commitment]](dict)

    def load(self, data: bytes) -> None:
        try:
            need(data.startswith(FIRST_LINE) and len(data) <= 64 << 20, "not a transcript of this version")
            at, owned = len(FIRST_LINE), False
            while at < len(data):
                kind, end = data[at + 4 : at + 5], at + 5 + int.from_bytes(data[at : at + 4])
                self.torn = end > len(data) or not kind
                need((self.torn or kind in b"HEOGF") and end - at <= 65541, f"no record at byte {at}")
                late = self.footer[0] or (kind == b"E" and owned)
                need(not late and (self.torn or (kind == b"H") == (not self.heads)), f"the record at byte {at}")
                if not self.torn:
                    self.record(kind, data[at + 5 : end], data[:at] if kind == b"F" else b"")
                at, owned = end, owned or kind == b"O"
            need(self.heads, "no H record")
        except Bad as bad:
            self.damage = str(bad)
        self.check_kept()

    def record(self, kind: bytes, body: bytes, before: bytes) -> None:
        if kind == b"H":
            self.game, rules, self.fp, seat, self.key = decode(body, FILE_HEAD)
            self.seat = -1 if seat is None else seat
            need(rules == RULES, f"the rules are {rules}, which are not of this version")
            self.heads.append(digest("genesis", self.game, rules, self.fp))
        elif kind == b"E":
            number, check, public, leaves, *own = decode(body, DELTA, padded=True)
            self.n, self.body = len(self.heads), body
            head = digest("entry", self.heads[-1], self.n.to_bytes(8), public, leaves)
            need(
                (number, check) == (self.n, head[:4]) and number <= 20000, f"the chain ends before entry {self.n}"
            )
            self.entry(head, public, leaves, *own)
        elif kind == b"F":
            sha, signature = decode(body, (32, 64))
            signed = ("transcript", self.game, (len(self.heads) - 1).to_bytes(8), self.heads[-1], sha)
            need(sha == hashlib.sha256(before).digest(), "the footer's hash is not that of the file")
            need(valid(self.key, signature, *signed), "the footer's signature is not valid")
            self.footer = signature, frame(*signed)
        elif kind == b"O":
            self.own += decode(body, [OPENING])
        else:
            self.claims.append(decode(body, DATAGRAM)[3:7])

    def entry(self, head: bytes, public: bytes, leaves: bytes, salt: Any, private: Any) -> None:
        n = self.n
        blocks = [leaves[i : i + 33] for i in range(0, len(leaves), 33)]
        seats = [block[0] for block in blocks]
        told = self.seat in seats and salt is not None and private is not None
        need(told or (self.seat not in seats and salt is private is None), f"the viewer's part of entry {n}")
        if told:
            leaf = digest("priv", self.game, n.to_bytes(8), self.seat.to_bytes(), salt, private)
            need(self.seat.to_bytes() + leaf in blocks, f"the viewer's part of entry {n} is not its leaf")
            self.salts.append((n, salt))
        self.heads.append(head)
        try:
            entry, end = unpack(public)
            known = end == len(public) and isinstance(entry, list) and entry and fits(entry[0], range(9))
            need(known and fits(entry, ENTRIES[entry[0]]), "a wrong shape")
            kind = entry[0]
            self.closed |= kind == CLOSE
            if kind in {SEAL, CLOSE}:
                self.host_signature(public, entry[-1])
            if not self.findings:
                need(kind in self.next, f"{KINDS[kind]} has no place here")
                self.mine = decode(private, [(U8, list)]) if told and kind in {MOVE, TABLE} else []
                getattr(self, f"on_{KINDS[kind]}")(*entry[1:])
            # What the host signs in a seal or close is not its leaves: for those only a later signature stands.
            firm, rising = kind not in {SEAL, CLOSE}, all(a < b for a, b in pairwise([*seats, len(self.players)]))
            if len(leaves) % 33 or not rising:
                self.findings.append((n + 1, firm, f"entry {n}: leaves out of order", self.body))
            if leaves and kind not in {MOVE, TABLE}:
                self.late.append((n + 1, firm, f"entry {n}: {KINDS[kind]} has no leaves", self.body))
        except Bad as bad:
            self.findings.append((n, True, f"entry {n}: {bad}", self.body))

    def host_signature(self, public: bytes, signature: bytes) -> None:
        unsigned = bytes([public[0] - 1]) + public[1:-66]  # the array without its last element
        n, rest = self.n - 1, hashlib.sha256(unsigned).digest()
        if valid(self.host, signature, "head", self.game, n.to_bytes(8), self.heads[n], rest):
            self.seals[self.n] = n, self.heads[n], rest, signature
            self.signed[-1] += 1
        else:
            self.findings.append((n + 2, True, f"entry {n + 1}: the host's signature is not valid", self.body))

    def postpone(self, what: str) -> None:
        self.late.append((self.n, True, f"entry {self.n}: {what}", self.body))

    def by(self, seat: int, signature: bytes, *signed: bytes | str) -> None:
        need(valid(self.players[seat][1], signature, *signed), f"the {signed[0]!r} signature of {self.who(seat)}")
        self.signed[seat] += 1

    def who(self, seat: int) -> str:
        known = 0 <= seat < len(self.players)
        return f"{self.players[seat][0]} (seat {chr(97 + seat)})" if known else "the host"

    def on_open(self, header: list[Any]) -> None:
        game, _, rules, edition, self.cast, self.uniques, fp, self.host, self.hostcommit, self.players = header
        keys = [key for _, key, _ in self.players]
        same = (game, rules, edition, fp) == (self.game, RULES, RULES[:4], self.fp)
        need(same, "the header is of another game")
        need(all(map(sound, [self.host, *keys])) and len(set(keys)) == len(keys), "a key that proves nothing")
        need(keys and all(1 <= len(name) <= 24 for name, _, _ in self.players), "the players' names")
        self.next = {COMMITS}

    def on_commits(self, commits: list[bytes], anchors: list[bytes]) -> None:
        need(len(commits) == len(anchors) == len(self.players), "not one commitment of each")
        self.commits, self.links, self.next = commits, [(0, anchor) for anchor in anchors], {PARTS}

    def on_parts(self, parts: list[bytes], signatures: list[bytes]) -> None:
        need(len(parts) == len(signatures) == len(self.players), "not one part of each")
        for seat, (part, signature) in enumerate(zip(parts, signatures, strict=True)):
            committed = digest("seed-part", self.game, seat.to_bytes(), part)
            need(committed == self.commits[seat], f"the part of {self.who(seat)} is not the committed one")
            self.by(seat, signature, "seed", self.game, self.heads[2])
        self.parts, self.next = parts, {BEACONS}

    def on_beacons(self, round_: int, present: int, signatures: list[bytes], links: list[bytes]) -> None:
        seats, head = [i for i in range(16) if present >> i & 1], ((self.n - 1).to_bytes(8), self.heads[-2])
        need(round_ == self.round + 1, f"beacons of round {round_} before round {self.round + 1}")
        need(len(signatures) == len(links) == len(seats) and present >> len(self.players) == 0, "whose beacons?")
        for seat, signature, link in zip(seats, signatures, links, strict=True):
            self.by(seat, signature, "cosign", self.game, *head)
            (last, end), found = self.links[seat], link
            for _ in range(last, round_ if round_ <= 256 else last):
                found = digest("beacon", self.game, seat.to_bytes(), found)
            true = end if round_ <= 256 else bytes(32)
            need(found == true, f"the beacon of {self.who(seat)} is not of its chain")
            self.links[seat] = (round_, link)
        self.missing += [f"{self.who(i)} in round {round_}" for i in range(len(self.players)) if i not in seats]
        self.chances.append((round_.to_bytes(2), self.heads[-2], present.to_bytes(2), *links))
        self.words = digest("words", self.game, *head, *links)[:4]
        self.round, self.next = round_, {OPENED, CLOSE} if self.over else {TABLE}

    def on_table(self, events: list[Any]) -> None:
        self.happen(-1, "", events, [])
        self.next = {TABLE, MOVE}

    def on_move(self, seat: int, what: Any, events: list[Any], openings: list[Any]) -> None:
        need(seat < len(self.players) and self.begun == self.round, "a move by nobody, or before its round")
        self.unsealed.append((seat, self.n.to_bytes(8), self.heads[-2], seat.to_bytes(), what))
        sealed = SEALED.fullmatch(what) if isinstance(what, str) else None
        if sealed:
            self.commit(seat, [(bytes.fromhex(sealed[3]), sealed[2], sealed[1])])
        elif isinstance(what, bytes):
            need(len(what) == 32 or len(self.players) == 2, "two commitments")
            kinds = ("",) if len(what) == 32 else ("pick", "discard")
            self.commit(seat, [(what[32 * i : 32 * i + 32], kind, "") for i, kind in enumerate(kinds)])
        elif HIDDEN.match(what) or what.split(" ")[0] in {"warrant", "threaten"}:
            self.postpone(f"{what!r} had to be hidden")
        self.happen(seat, what, events, openings)
        tags = {event[0] for event in events}
        self.ended, self.over = bool(tags & {ENDED, OVER}), OVER in tags
        self.next = {SEAL} if self.ended or len(self.unsealed) == 32 else {MOVE}

    def commit(self, seat: int, commitments: list[tuple[bytes, str, str]]) -> None:
        known = self.commitments[self.round, seat]
        slot = len({slot for slot, _ in known})
        need(slot < 256, "more hidden moves than slots")
        for value, kind, sealed in commitments:
            need(value not in self.pending, "a commitment for the second time")
            self.pending.add(value)
            known[slot, kind == "discard"] = Commitment(value, kind, sealed)

    def unseal(self, opening: list[Any]) -> Commitment:
        round_, seat, slot, kind, line, _ = opening
        commitment = self.commitments.get((round_, seat), {}).get((slot, kind == "discard"))
        need(commitment, f"the opening {line!r} is of no commitment")
        assert commitment
        commitment.open(self.game, opening)
        self.pending.discard(commitment.value)
        return commitment

    def happen(self, mover: int, what: Any, events: list[Any], openings: list[Any]) -> None:
        indices, own, asked = [index for index, _ in self.mine], dict(self.mine), BREAKS.get(what)
        need(all(a < b for a, b in pairwise([*indices, len(events)])), "private events out of order")
        for event, told in ((event, own.get(i, event)) for i, event in enumerate(events)):
            for one in (event, told):
                need(one and one[0] == event[0] and fits(one[0], U16), "an event that is none")
                need(fits(one, EVENTS.get(one[0], list)), f"the event {one[0]} has a wrong shape")
                need(one[0] != PLACED or one[4] == "?", "a mark that the host cannot know")
            if event[0] == BEGAN:
                need(event[1] == self.round != self.begun, "a round begins that is not the next")
                self.begun = self.round
            self.told.append((self.round, event, told))
        need(len(openings) <= 24, "too many openings")
        for opening in openings:
            self.unseal(opening)
            round_, seat, _, kind, line, _ = opening
            picked = kind == "pick" and any(line == f"pick {e[2]}" for e in events if e[0] == REVEALED)
            if round_ != self.round or not (picked or (kind == asked and seat == mover)):
                self.postpone(f"{line!r} is opened too early")
        shown = [line for round_, _, _, _, line, _ in openings if round_ == self.round]
        need(all(mark.line for mark in self.marks(mover, asked)), f"{what!r} without opening")
        for tag, *fields in events:
            if tag == REVEALED:
                need(f"pick {fields[1]}" in shown, f"{fields[1]} is revealed without its opening")
            elif tag == CONFISCATED:
                stars = [c for c in self.marks(fields[0], "warrant") if f"{fields[4]}*" in c.line.split(" ")]
                need(stars, f"{fields[4]} has no signed warrant")
            elif tag == SHOWN:
                threats = [c.line.split(" ") for c in self.marks(mover, "threaten") if c.line]
                starred = any(f"{fields[0]}*" in line for line in threats)
                need(threats and fields[1] == starred, "another threat was shown")

    def marks(self, seat: int, kind: str | None) -> list[Commitment]:
        return [c for c in self.commitments[self.round, seat].values() if c.sealed and c.kind == kind]

    def on_seal(self, signatures: list[bytes], _: bytes) -> None:
        need(len(signatures) == len(self.unsealed), "not one signature for each move")
        for signature, (seat, *signed) in zip(signatures, self.unsealed, strict=True):
            self.by(seat, signature, "move", self.game, *signed)
        self.unsealed, self.next = [], {BEACONS} if self.ended else {MOVE}

    def on_opened(self, openings: list[Any]) -> None:
        need(len(openings) <= 24, "too many openings")
        for opening in openings:
            self.unseal(opening)
        self.next = {OPENED, CLOSE}

    def on_close(self, secret: bytes, openings: list[Any], _: bytes) -> None:
        self.on_opened(openings)
        self.next = set()
        need(digest("seed-host", self.game, secret) == self.hostcommit, "the host's secret is another")
        for m, salt in self.salts:
            true = digest("salt", secret, m.to_bytes(8), self.seat.to_bytes())[:16]
            need(salt == true, f"the salt of entry {m} is not that of the host's secret")
        for (round_, seat), slots in self.commitments.items():
            closed = any(not c.line and not c.sealed for c in slots.values())
            need(not closed, f"a hidden move of {self.who(seat)} in round {round_} was never opened")
        self.derive(digest("seed", self.game, secret, *self.parts, self.heads[2]))

    def derive(self, seed: bytes) -> None:
        """What chance alone decides: deck, first hands, crown, characters laid out, each round's first offer."""
        seeds, cast, uniques, deck, crown, rest = [seed], self.cast, self.uniques, list[str](), -1, list[str]()
        for fields in self.chances:
            seeds.append(digest("seed-r", seeds[-1], *fields))
        for round_, event, told in self.told:
            tag, seed, true, first = event[0], seeds[round_], dict[int, list[str]](), crown < 0
            if tag == DRAWN:
                cast, uniques = cast or event[1], uniques or event[2]
            elif tag == SHUFFLED and not deck:
                basic = [card for card, n in BOX.items() for _ in range(n)]
                deck = shuffled(seed, "districts", basic + uniques)
                true = {1: deck}
            elif tag == GAINED and event[3] == "deal":
                true = {2: deck[::-1][4 * event[1] : 4 * event[1] + 4]}
                self.dealt += len(true[2]) if event != told else 0
            elif tag == CROWNED:
                crown = event[1]
                need(not first or [crown] == uniform(seed, "crown", len(self.players)), "the crown is elsewhere")
            elif tag == BEGAN:
                up, rest = laid_out(seed, round_, cast, len(event[2]))
                true = {2: up, 3: [rest.pop(0)]}
            elif tag == OFFERED and rest:
                need(event[1] == crown, "the draft begins at another seat")
                true, rest = {2: rest}, []
            for one, (field, things) in ((one, each) for one in (event, told) for each in true.items()):
                alike = all(a in {"?", b} for a, b in zip(one[field], things, strict=False))
                need(
                    alike and len(one[field]) == len(things),
                    f"the event {tag} of round {round_} is not what chance has drawn",
                )

    def check_kept(self) -> None:
        """O and G records. One that fits nothing proves nothing: it opens no move, or is no other history."""
        own = [self.key] if self.seat < 0 else [key for _, key, _ in self.players[self.seat : self.seat + 1]]
        if self.players and own != [self.key]:
            self.damage = self.damage or "the file's key is not that of its seat"
        for opening in self.own if not self.findings else []:
            try:
                self.shared.add(self.unseal(opening).value)
            except Bad:
                continue

    def fork(self, claims: list[Any]) -> list[str]:
        """Two signatures of this file's host over different histories: one of the claims, and one of its own."""
        for n, head, rest, signature in claims:
            same, later = self.seals.get(n + 1), [seal for m, seal in self.seals.items() if m > n]
            other = later and (self.heads[n] != head or (same and same[2] != rest))
            if other and valid(self.host, signature, "head", self.game, n.to_bytes(8), head, rest):
                return [*self.evidence(n, head, rest, signature), *self.evidence(*(same or later[0]))]
        return []

    def evidence(self, n: int, head: bytes, rest: bytes, signature: bytes) -> list[str]:
        signed = frame("head", self.game, n.to_bytes(8), head, rest)
        return [f"key {self.host.hex()}", f"signature {signature.hex()}", f"over {signed.hex()}"]

    def verdict(self, opened: set[bytes]) -> tuple[int, str, list[str]]:
        found = self.findings + self.late * self.closed
        for cover, _, what, raw in found:
            seals = [seal for m, seal in self.seals.items() if cover <= m]
            if seals:
                return 1, f"THE HOST cheated: {what}", [f"bytes {raw.hex()}", *self.evidence(*seals[0])]
        if self.damage:
            return 3, f"DAMAGED: {self.damage}", []
        for _, refused, what, raw in found:
            if refused and self.footer[0] and self.seat >= 0 and self.players:
                proof = zip(("key", "signature", "over", "bytes"), (self.key, *self.footer, raw), strict=True)
                return 1, f"PLAYER {self.seat} falsified this file: {what}", [f"{a} {b.hex()}" for a, b in proof]
        if found:
            return 3, f"DAMAGED: {found[0][2]}; no signature stands behind it", []
        unopened = [
            f"{self.who(seat)} did not open {mark.kind} {slot} of round {round_}"
            for (round_, seat), marks in self.commitments.items()
            for (slot, _), mark in marks.items()
            if self.closed and not mark.line and mark.value not in opened
        ]
        lacks = {"no close": not self.closed, "no footer": not self.footer[0], "a torn record": self.torn}
        lacking = [what for what, lack in lacks.items() if lack] + unopened
        return (2, f"INCOMPLETE: {'; '.join(lacking)}", []) if lacking else (0, "VERIFIED", [])

    def report(self) -> list[str]:
        try:
            names = WORDS.read_bytes()
        except OSError:
            names = b""
        known = hashlib.sha256(names).hexdigest() == WORDS_DIGEST
        words = " ".join(names.decode().split()[byte] for byte in self.words) if known else self.words.hex(" ")
        signed = ", ".join(f"{self.who(seat)} {times}" for seat, times in sorted(self.signed.items()))
        marks = [mark for slots in self.commitments.values() for mark in slots.values()]
        return [
            f"game {self.game.hex()}, seen by {self.who(self.seat) if self.seat >= 0 else 'a spectator'}",
            f"entries {len(self.heads[1:])}, closed {'yes' if self.closed else 'no'}, compared {self.compared}",
            f"signatures checked: {signed or 'none'}",
            f"heads cosigned {len(self.chances)}, beacons missing: {', '.join(self.missing) or 'none'}",
            f"openings {sum(bool(m.line) for m in marks)} of {len(marks)}, own cards dealt {self.dealt}",
            f"the words at the end: {words or 'none yet'}",
        ]


def main(names: list[str]) -> int:
    files, codes = [Transcript(name) for name in names], {3} if not names else set()
    for file in files:
        try:
            file.load(Path(file.name).read_bytes())
        except (OSError, ValueError) as error:
            file.damage = str(error)
    opened = {value for file in files for value in file.shared}
    for file in files:
        others = [one for one in files if one is not file and one.heads and file.heads and one.game == file.game]
        file.compared = len(others)
        claims = [claim for one in [file, *others] for claim in [*one.seals.values(), *one.claims]]
        fork = file.fork(claims)
        if not fork and any(a != b for one in others for a, b in zip(one.heads, file.heads, strict=False)):
            file.damage = file.damage or "files of this game differ where the host has not signed both"
        code, said, proof = file.verdict(opened)
        if fork and code != 1:
            code, said, proof = 1, "THE HOST told two stories", fork
        lines = [*file.report(), said, *proof]
        shown = f"{file.name}:\n" + "".join(f"    {line}\n" for line in lines)
        print(shown.encode("ascii", "backslashreplace").decode())
        codes.add(code)
    return next((code for code in (1, 3, 2) if code in codes), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
