#!/usr/bin/env python3
"""Checks transcripts of citadels-lan. Written from docs/protocol.md alone; nothing is shared with the program.

    python extras/check_transcript.py FILE…        needs Python 3.11 and `cryptography`, nothing else

It checks everything but the rules of the card game: here the log and its proofs, in `check_bytes` sections 1 and 2,
in `check_chance` what chance deals. Exit 0: verified; 1: proof that the host cheated, with the bytes; 3: damaged, no
transcript, or of another version or edition; 4: incomplete, with what is missing; 2: wrong usage. """

import hashlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from check_bytes import Bad, Reader, TooMany, digest, fits, frame, need, sound, valid
from check_chance import Chance, edition_of

FIRST_LINE, RULES, VERSION = b"citadels-lan transcript 2\n", "2", 2
MAX_FILE, MAX_BODY, MAX_ENTRIES, LINKS, SEAL_AFTER = 64 << 20, 1 << 16, 20_000, 256, 32
# Shapes, as `check_bytes.fits` reads them.
U8, U16, U64, NIL = range(1 << 8), range(1 << 16), range(1 << 64), type(None)
OPENING, FILE_HEAD, FOOTER, ALARM = (
    (U16, U8, U8, str, str, 32),
    (16, str, 32, 32, {U8, NIL}, 32),
    (32, 64),
    (U64, str),
)
DELTA = (U64, 64, bytes, bytes, {16, NIL}, {bytes, NIL})
HEARD = ("citadels-lan", range(VERSION, VERSION + 1), 16, U64, 32, 64, {U8, NIL}, bytes)
PLAYER = (str, 32, bool, 64)
HEADER = (16, str, str, str, [(str, {str, U16})], [str], [str], 32, 32, 32, {NIL, FOOTER}, [PLAYER])
EVENTS: dict[int, tuple[str, Any]] = {
    1: ("Shuffled", ([str],)),
    2: ("RoundBegan", (U16, [str], [str])),
    3: ("Offered", (U8, [str])),
    7: ("CastDrawn", ([str], [str])),
    11: ("Revealed", (U8, str)),
    15: ("RoundEnded", ()),
    16: ("GameEnded", list),
    21: ("Drawn", (U8, [str], str)),
    23: ("CardsGained", (U8, [str], str)),
    32: ("Crowned", (U8,)),
    35: ("Confiscated", (U8, U8, str, U64, str, U64)),
    51: ("Placed", (str, U8, [str], "?")),
    53: ("ThreatShown", (str, bool)),
    58: ("PutUnder", ([str],)),
    66: ("TakenFromDeck", (U8, str)),
    71: ("Restocked", ([str],)),
    72: ("LapBegan", (U16,)),
    73: ("CharacterCalled", (U8, str, bool)),
    76: ("CycleEnded", ()),
}
ENTRIES: dict[int, tuple[str, Any]] = {
    0: ("open", (HEADER,)),
    1: ("commits", ([32], [32], [64])),
    2: ("parts", ([32], [64])),
    3: ("move", (U8, {str, 32, 64}, [list], [OPENING])),
    4: ("table", ([list],)),
    5: ("seal", ([64],)),
    6: ("close", (32, [OPENING])),
    7: ("opened", ([OPENING],)),
    8: ("beacons", ([32],)),
    9: ("present", (U16, U16, U16, [64])),
    10: ("restart", (U16,)),
}
ORDER = {  # what may come after an entry; a function below says which of a kind's names it is
    "nothing": "open",
    "open": "commits",
    "commits": "parts",
    "parts": "present",
    "present": "beacons restart",
    "restart": "present",
    "beacons": "table",
    "last beacons": "opened close",
    "table": "table move",
    "move": "move",
    "due move": "seal",
    "seal": "move",
    "last seal": "present",
    "opened": "opened close",
    "close": "",
}
HIDDEN = re.compile(
    r"(pick|keep|redraw|give|laboratory|museum|lighthouse|tribute)( |$)|theater (.* )?giving( |$)|"
    r"take(?!.* building( |$))( |$)|(take|build) (.* )?(with|borrowing)( |$)"
)
SEALED = re.compile(r"((warrant|threaten) [a-z_ ]+) sealed ([0-9a-f]{64})")
BREAKS = {"confiscate yes": "warrant", "reveal yes": "threaten"}
PLACES = {"warrant": "warrant", "threat": "threaten"}


class Place(NamedTuple):
    """Where a commitment stands, and what its opening must say; `sealed` is its line without the star."""

    n: int
    part: str
    round: int
    seat: int
    slot: int
    sealed: str = ""


class Log:
    """The entries of a game, read one after another. Raises Bad at the first that contradicts; then it is of no more
    use. Entry `n` is being read, `before` is hash[n-1]."""

    def __init__(self, reader: Reader, game: bytes, fp: bytes, host: bytes, seat: int | None) -> None:
        self.reader, self.game, self.fp, self.host, self.seat = reader, game, fp, host, seat
        self.n, self.before, self.after, self.checked, self.cards = 0, b"", "nothing", 0, 0
        self.round, self.coming, self.attempt, self.here, self.missing = 0, 0, 0, 0, 0
        self.ended, self.over, self.secret, self.unknown = False, False, b"", ""
        self.header, self.players, self.parted, self.commitments, self.anchors = (list[Any]() for _ in range(5))
        self.unsigned, self.told, self.absent, self.salts = (list[Any]() for _ in range(4))
        self.pending, self.stars, self.openings = dict[bytes, Place](), dict[tuple[int, str], str](), 0
        self.slots, self.leaves = Counter[int](), set[int]()
        self.seals = defaultdict[tuple[int, str], list[bytes]](list)

    def take(self, before: bytes, public: bytes, leaves: bytes, salt: bytes | None, private: bytes | None) -> None:
        self.n, self.before = self.n + 1, before
        value = self.reader.read(public, list)
        name, shape = ENTRIES.get(value[0] if value and type(value[0]) is int else -1, ("nothing", ()))
        need(name in ORDER[self.after].split(), f"{name} has no place after {self.after}")
        need(fits(value[1:], shape), f"{name} of another shape")
        raw = {"move": value[3:4], "table": value[1:2]}.get(name, [[]])[0]
        self.events = [*map(named, raw)]
        replaced = self.reader.read(private, [(U8, list)]) if private is not None else []
        need(all(a < b for a, b in pairwise([*(i for i, _ in replaced), len(raw)])), "private events out of order")
        need(all(event[:1] == raw[i][:1] for i, event in replaced), "a private event of another tag")
        seats = blocks(leaves)
        need(not leaves or (seats and name in {"move", "table"}), "leaves where none belong")
        own = dict(enumerate(self.events)) | {i: named(event) for i, event in replaced}
        self.after = getattr(self, name)(*value[1:]) or name
        self.told += [(event, own[i]) for i, event in enumerate(self.events)]
        self.leaves |= {*seats}
        self.salts += [(self.n, salt)] * (salt is not None)
        if name == "close":
            self.chance()

    def signed(self, seat: int, signature: bytes, tag: str, *fields: bytes | str) -> None:
        need(
            valid(self.players[seat][1], signature, tag, self.game, *fields), f"the signature of {self.who(seat)}"
        )
        self.checked += 1

    def who(self, seat: int) -> str:
        return f"{self.players[seat][0]} (seat {chr(97 + seat)})"

    def seats(self, bits: int) -> list[int]:
        need(bits >> len(self.players) == 0, "seats that are not there")
        return [seat for seat in range(len(self.players)) if bits >> seat & 1]

    # One function for each kind of entry. What it returns is its name in ORDER, where it has several.

    def open(self, header: list[Any]) -> None:
        game, _, rules, edition, options, _, _, fp, host, _, endorsement, players = header
        self.header, self.players, keys = header, players, [key for _, key, _, _ in players]
        self.unknown = "" if edition_of(edition, dict(options)) else edition
        self.unknown += "".join(f", {option}={value}" for option, value in options) if self.unknown else ""
        need((game, rules, fp, host) == (self.game, RULES, self.fp, self.host), "the header is of another table")
        need(1 <= len({*keys}) == len(keys) <= 9 and all(map(sound, [host, *keys])), "a key that proves nothing")
        for seat, (name, _, bot, claim) in enumerate(players):
            need(1 <= len(name) <= 24, "a name of another length")
            self.signed(seat, claim, "seat", fp, host, name, bot.to_bytes())
        if endorsement:
            need(valid(endorsement[0], endorsement[1], "host-key", game, fp, host), "the endorsement of the host")

    def commits(self, commitments: list[bytes], anchors: list[bytes], signatures: list[bytes]) -> None:
        need(len(commitments) == len(anchors) == len(signatures) == len(self.players), "not one of each")
        for seat, (signature, *own) in enumerate(zip(signatures, commitments, anchors, strict=True)):
            self.signed(seat, signature, "agree", self.before, seat.to_bytes(), *own)
        self.commitments, self.anchors = commitments, anchors

    def parts(self, parts: list[bytes], signatures: list[bytes]) -> None:
        true = [digest("seed-part", self.game, seat.to_bytes(), part) for seat, part in enumerate(parts)]
        need(true == self.commitments and len(signatures) == len(parts), "a part is not the one committed to")
        for seat, signature in enumerate(signatures):
            self.signed(seat, signature, "seed", self.before)
        self.parted = [*parts, self.before]

    def present(self, round_: int, bits: int, disputed: int, signatures: list[bytes]) -> None:
        seats = self.seats(bits)
        need(
            round_ == self.round + 1 and len(seats) == len(signatures),
            "another round, or not one signature of each",
        )
        need(not disputed & ~bits, "somebody disputes who is not present")
        need(
            not bits & self.missing and (seats or self.over),
            "somebody is present whose link was missing, or nobody",
        )
        for seat, signature in zip(seats, signatures, strict=True):
            said = (round_.to_bytes(2), (disputed >> seat & 1).to_bytes())
            self.signed(seat, signature, "here", (self.n - 1).to_bytes(8), self.before, *said)
        self.here, self.attempt = bits, self.attempt + 1

    def restart(self, bits: int) -> None:
        need(bits and not bits & ~self.here, "links are missing of nobody, or of those who are not present")
        self.missing |= bits

    def beacons(self, links: list[bytes]) -> str:
        seats = self.seats(self.here)
        need(len(seats) == len(links), "not one link of each who is present")
        for seat, end in zip(seats, links, strict=True):
            for _ in range(self.attempt if self.attempt <= LINKS else 0):
                end = digest("beacon", self.game, seat.to_bytes(), end)
            right = end == (self.anchors[seat] if self.attempt <= LINKS else bytes(32))
            need(right, f"the link of {self.who(seat)} is not of its chain")
        self.coming, self.missing = self.round + 1, 0
        self.told.append((["Beacons", self.coming], [self.before, self.here.to_bytes(2), *links]))
        away = [seat for seat in range(len(self.players)) if seat not in seats]
        self.absent += [f"{self.who(seat)} in round {self.coming}" for seat in away]
        return "last beacons" if self.over else "beacons"

    def table(self, events: list[Any]) -> None:
        self.happen([])
        need(not self.shown("Placed", "Confiscated", "ThreatShown"), "markers that no move has placed or shown")

    def move(self, seat: int, what: str | bytes, _: list[Any], openings: list[Any]) -> str:
        need(seat < len(self.players) and self.round == self.coming, "a move by nobody, or before the round")
        tag = "move" if isinstance(what, str) else "hidden"
        signed = (self.n.to_bytes(8), self.before, seat.to_bytes(), what)
        self.unsigned.append((seat, tag, *signed))
        self.commit(seat, what)
        verb = BREAKS.get(what, "") if isinstance(what, str) else ""
        broken = self.seals[seat, verb].pop(0) if self.seals[seat, verb] else b""
        values = [self.unseal(opening) for opening in openings]
        self.happen(openings)
        revealed = [f"pick {character}" for _, _, character in self.shown("Revealed")]
        for value, (round_, _, _, _, line, _) in zip(values, openings, strict=True):
            need(value == broken or (round_ == self.round and line in revealed), "something is opened too early")
            if value == broken:
                self.stars[seat, verb] = next(word[:-1] for word in line.split(" ") if word.endswith("*"))
        need(not broken or broken in values, "a seal is broken without opening")
        for _, by, _, _, _, character, _ in self.shown("Confiscated"):
            need((by, character) == (seat, self.stars.get((seat, "warrant"))), "another warrant was signed")
        for _, character, flower in self.shown("ThreatShown"):
            star = self.stars.get((seat, "threaten"))
            need(star and flower == (star == character), "another threat was shown")
        return "due move" if self.ended or len(self.unsigned) >= SEAL_AFTER else "move"

    def seal(self, signatures: list[bytes]) -> str:
        need(len(signatures) == len(self.unsigned), "too many signatures, or too few")
        for signature, (seat, *signed) in zip(signatures, self.unsigned, strict=True):
            self.signed(seat, signature, *signed)
        self.unsigned = []
        return "last seal" if self.ended else "seal"

    def opened(self, openings: list[Any]) -> None:
        for opening in openings:
            self.unseal(opening)

    def close(self, secret: bytes, openings: list[Any]) -> None:
        need(digest("seed-host", self.game, secret) == self.header[9], "the host's secret is another")
        for opening in openings:
            self.unseal(opening)
        need(all(place.sealed for place in self.pending.values()), "a hidden move was never opened")
        self.secret = secret

    # What several of them have in common.

    def shown(self, *names: str) -> list[Any]:
        return [event for event in self.events if event[0] in names]

    def happen(self, openings: list[Any]) -> None:
        """Rounds begin and end, and whoever is revealed has picked that."""
        lines = {(round_, line) for round_, _, _, _, line, _ in openings}
        for event in self.events:
            match event:
                case ["RoundBegan" | "LapBegan", round_, *_]:
                    need(self.round + 1 == self.coming == round_, "a round begins that is not the next")
                    self.round, self.ended = round_, self.over
                    for memory in (self.slots, self.stars, self.seals):
                        memory.clear()
                case ["Revealed", _, character]:
                    need((self.round, f"pick {character}") in lines, "a character without opening")
                case ["RoundEnded" | "GameEnded" as what, *_]:
                    self.ended, self.over = True, self.over or what == "GameEnded"

    def commit(self, seat: int, what: str | bytes) -> None:
        """Take the commitments of a move; its words alone say whether it has some."""
        placed = [[PLACES.get(kind), *rest] for _, kind, *rest in self.shown("Placed")]
        found = [what[:32], what[32:]] if isinstance(what, bytes) else []
        sealed = SEALED.fullmatch(what) if isinstance(what, str) else None
        if sealed:
            found, markers = [bytes.fromhex(sealed[3])], sealed[1].split(" ")[1:]
            need(placed == [[sealed[2], seat, markers, "?"]], "other markers than the move says")
        else:
            openly = isinstance(what, bytes) or not (HIDDEN.match(what) or what.split(" ")[0] in BREAKS.values())
            need(openly and not placed, "a move that had to be hidden, or markers that no move has placed")
        for part, value in zip(("", "discard"), filter(None, found), strict=False):
            need(value not in self.pending, "a commitment for the second time")
            self.pending[value] = Place(
                self.n, part, self.round, seat, self.slots[seat], sealed[1] if sealed else ""
            )
            if sealed:
                self.seals[seat, sealed[2]].append(value)
        self.slots[seat] += bool(found)

    def unseal(self, opening: list[Any]) -> bytes:
        """The commitment that this opens."""
        value = self.committed(opening)
        place = self.pending.pop(value, None)
        need(place and opens(place, opening), f"{opening[4]!r} fits no commitment")
        self.openings += 1
        return value

    def committed(self, opening: list[Any]) -> bytes:
        round_, seat, slot, kind, line, nonce = opening
        return digest("commit", self.game, kind, round_.to_bytes(2), seat.to_bytes(), slot.to_bytes(), line, nonce)

    def chance(self) -> None:
        """What takes the host's secret: the salts, and all that chance alone decides."""
        _, _, _, edition, options, cast, uniques, *_ = self.header
        known = edition_of(edition, dict(options))
        for n, salt in self.salts:
            true = digest("salt", self.secret, n.to_bytes(8), (self.seat or 0).to_bytes())[:16]
            need(salt == true, f"the salt of entry {n} is not that of the host's secret")
        need(max(self.leaves, default=0) < len(self.players), "a leaf of a seat that is not there")
        if known is None:  # what its rules draw nobody here can say
            return
        table = Chance(known, len(self.players), cast, uniques)
        table.seed = digest("seed", self.game, self.secret, *self.parted)
        for event, own in self.told:
            if event[0] == "Beacons":
                table.round, table.seed = event[1], digest("seed-r", table.seed, event[1].to_bytes(2), *own)
            else:
                table.happen(event, own)
        self.cards = table.cards


def named(event: list[Any]) -> list[Any]:
    """An event with its name for its number."""
    name, shape = EVENTS.get(event[0] if event and type(event[0]) is int else -1, ("another", list))
    need(event and (shape is list or fits(event[1:], shape)), f"{name} of another shape")
    return [name, *event[1:]]


def blocks(leaves: bytes) -> dict[int, bytes]:
    """The leaves by seat; none where they are not in order."""
    rising = len(leaves) % 33 == 0 and all(a < b for a, b in pairwise(leaves[::33]))
    return {leaves[at]: leaves[at + 1 : at + 33] for at in range(0, len(leaves), 33)} if rising else {}


def opens(place: Place, opening: list[Any]) -> bool:
    """Whether an opening says what it may say at this place."""
    round_, seat, slot, kind, line, _ = opening
    there = (round_, seat, slot, kind == "discard") == (
        place.round,
        place.seat,
        place.slot,
        place.part == "discard",
    )
    starred = re.fullmatch(r"[^*]+ [^* ]+\*( [^*]+)?", line) and line.replace("*", "") == place.sealed
    right = starred if place.sealed else kind == "discard" or HIDDEN.match(line)
    return bool(there and right and kind == line.split(" ")[0])


class Transcript:
    """A file. `heads[n]` is hash[n], `signatures[n]` the host's of it. `fault` is the first contradiction in what it has
    signed, which is proof; `damage` what is wrong with the file, which proves nothing; `lacking` what is not there."""

    def __init__(self, data: bytes) -> None:
        self.reader, self.log, self.damage, self.fault = (
            Reader(),
            Log(Reader(), b"", b"", b"", None),
            "",
            list[str](),
        )
        self.heads, self.signatures, self.own, self.heard, self.lacking = (list[Any]() for _ in range(5))
        self.key, self.alarm, self.footer = b"", list[Any](), list[Any]()
        try:
            self.read(data)
        except (Bad, TooMany) as error:
            self.damage = self.damage or str(error)
        self.log.told = []
        self.complete()

    def records(self, data: bytes) -> Iterator[tuple[str, int, bytes]]:
        """Kind, place, and body of the whole ones."""
        at = len(FIRST_LINE)
        while len(data) - at >= 5:
            size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 5].decode("latin1")
            need(size <= MAX_BODY, f"the record at byte {at}")
            if at + 5 + size > len(data):
                break
            yield kind, at, data[at + 5 : at + 5 + size]
            at += 5 + size
        if at < len(data):
            need(not self.footer, "something stands after the footer")
            self.lacking.append("the last record is cut off")

    def read(self, data: bytes) -> None:
        need(data.startswith(FIRST_LINE) and len(data) <= MAX_FILE, "not a transcript of this version")
        for kind, at, body in self.records(data):
            need(not self.footer and (kind == "H") == (not self.heads), f"the record at byte {at}")
            match kind:
                case "H":
                    game, rules, fp, host, seat, self.key = self.reader.read(body, FILE_HEAD)
                    need(rules == RULES, f"the rules are {rules}, which are not of this version")
                    self.log = Log(self.reader, game, fp, host, seat)
                    self.heads, self.signatures = [digest("genesis", game, rules, fp)], [b""]
                case "E":
                    self.entry(body)
                case "O":
                    self.own += self.reader.read(body, [OPENING])
                case "G":
                    with suppress(Bad):
                        _, _, game, n, *heard, _, _ = self.reader.read(body, HEARD)
                        self.heard += [(n, *heard)] * (game == self.log.game)
                case "A" if not self.alarm:
                    self.alarm = self.reader.read(body, ALARM)
                case "F":
                    self.footer = sha, signature = self.reader.read(body, FOOTER)
                    end = (self.log.game, (len(self.heads) - 1).to_bytes(8), self.heads[-1], sha)
                    right = sha == hashlib.sha256(data[:at]).digest() and valid(
                        self.key, signature, "transcript", *end
                    )
                    need(right or self.damage, "the footer is not of this file, or not signed")
                case _:
                    raise Bad(f"the record at byte {at}")
        need(self.heads, "no H record")

    def entry(self, body: bytes) -> None:
        """The next entry, if the host has said it; what it says is judged then."""
        log, n = self.log, len(self.heads)
        if self.damage:
            return
        try:
            number, signature, public, leaves, salt, private = self.reader.read(body, DELTA, padded=True)
            head = digest("entry", self.heads[-1], n.to_bytes(8), public, leaves)
            leaf = None if log.seat is None else blocks(leaves).get(log.seat)
            fitting = salt is private is None
            if None not in (leaf, salt, private):
                fitting = leaf == digest("priv", log.game, n.to_bytes(8), log.seat.to_bytes(), salt, private)
            signed = number == n <= MAX_ENTRIES and valid(
                log.host, signature, "entry", log.game, n.to_bytes(8), head
            )
            need(signed and fitting == (leaf is None or salt is not None), "")
        except Bad:
            self.damage = f"the chain ends before entry {n}: what comes then is not of the host"
            return
        self.heads.append(head)
        self.signatures.append(signature)
        try:
            if not self.fault:
                log.take(self.heads[n - 1], public, leaves, salt, private)
        except Bad as bad:
            self.fault = [f"entry {n}: {bad}", f"entry {public.hex()}", *self.evidence(n, head, signature)]

    def evidence(self, n: int, head: bytes, signature: bytes) -> list[str]:
        over = frame("entry", self.log.game, n.to_bytes(8), head)
        return [f"key {self.log.host.hex()}", f"signature {signature.hex()}", f"over {over.hex()}"]

    def complete(self) -> None:
        """Say what is not this host's doing, and what is missing."""
        log = self.log
        keys = [key for _, key, _, _ in log.players]
        if keys and log.seat is not None and keys[log.seat : log.seat + 1] != [self.key]:
            self.damage = self.damage or "the file's key is not that of its seat"
        if log.unknown:  # whatever contradicts may be right in that edition
            self.damage, self.fault = f"the edition {log.unknown} is not of this version", []
        if self.alarm and not self.fault:
            self.lacking.append(f"false alarm: nothing in entry {self.alarm[0]} bears out that {self.alarm[1]!r}")
        if not log.secret:
            held = "close" in ORDER[log.after]
            self.lacking.append("the game is over, but its secret held back by the host" if held else "no close")
        elif not self.footer:
            self.lacking.append("no footer")

    def unopened(self, shared: dict[bytes, list[Any]]) -> list[str]:
        """Who has not opened what it sealed, in none of the files of a closed game."""
        left = [
            place
            for value, place in (self.log.pending.items() if self.log.secret else ())
            if value not in shared or not opens(place, shared[value])
        ]
        return [f"{self.log.who(one.seat)} did not open {one.sealed!r} of round {one.round}" for one in left]

    def facts(self) -> list[str]:
        log = self.log
        parts = [f"game {log.game.hex()}, seat {log.seat}, {len(self.heads[1:])} entries"]
        parts += [f"{log.checked} signatures of players, own cards checked {log.cards}, {log.openings} openings"]
        return [*parts, f"beacons missing: {', '.join(log.absent) or 'none'}"]


def forks(files: list[Transcript]) -> list[str]:
    """Two hashes of one entry that one host has signed, in the files of a game or in what their owners have heard."""
    known = dict[tuple[bytes, int], tuple[bytes, bytes]]()
    for file in files:
        host, said = file.log.host, list(zip(file.heads, file.signatures, strict=True))[1:]
        for n, head, signature in [*((n, *one) for n, one in enumerate(said, 1)), *file.heard]:
            other = known.get((host, n), (head, signature))
            own = n < len(file.heads) and signature is file.signatures[n]
            if other[0] != head and (own or valid(host, signature, "entry", file.log.game, n.to_bytes(8), head)):
                return [*file.evidence(n, *other), *file.evidence(n, head, signature)]
            if own:
                known[host, n] = (head, signature)
    return []


def judge(files: list[Transcript]) -> tuple[int, list[list[str]]]:
    """The exit code for the files of one game, and what to say of each."""
    shared = {file.log.committed(opening): opening for file in files for opening in file.own}
    forked, codes, said = forks(files), set[int](), list[list[str]]()
    for file in files:
        other = file.heads and file.log.host != files[0].log.host
        damage = file.damage or ("of another table with the same number" if other else "")
        lacking = [*file.lacking, *file.unopened(shared)]
        codes.add(1 if file.fault else 3 if damage else 4 if lacking else 0)
        proof = [f"THE HOST cheated: {file.fault[0]}", *file.fault[1:]] if file.fault else []
        rest = [f"DAMAGED: {damage}"] * bool(damage) or [f"INCOMPLETE: {one}" for one in lacking] or ["VERIFIED"]
        said.append(proof or rest)
    said[0] += ["THE HOST told two stories", *forked] if forked else []
    codes -= {4} if 0 in codes else set()  # one whole file is enough, beside which others may be parts of it
    return next(code for code in (1, 3, 4, 0) if code in codes | ({1} if forked else set())), said


def gather(names: list[str]) -> dict[bytes, dict[str, Transcript]]:
    """The files by game and name, each of them once; in no game what is no transcript."""
    games = defaultdict[bytes, dict[str, Transcript]](dict)
    seen = set[bytes]()
    for name in names:
        data = b""
        with suppress(OSError), Path(name).open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if (known := hashlib.sha256(data).digest()) not in seen or not data:
            seen.add(known)
            file = Transcript(data)
            games[file.log.game][name] = file
    return games


def main(names: list[str]) -> int:
    if not names or any(name.startswith("-") for name in names):
        print("usage: check_transcript.py FILE...", file=sys.stderr)
        return 2
    codes = set[int]()
    for files in gather(names).values():
        code, said = judge([*files.values()])
        codes.add(code)
        for (name, file), lines in zip(files.items(), said, strict=True):
            text = "\n    ".join([f"{name}:", *(file.facts() if file.heads else []), *lines])
            print(text.encode("ascii", "backslashreplace").decode())
    return next(code for code in (1, 3, 4, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
