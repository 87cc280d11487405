#!/usr/bin/env python3
"""Checks transcripts of citadels-lan. Written from docs/protocol.md alone; nothing is shared with the program.

    python extras/check_transcript.py FILE…        needs Python 3.11 and `cryptography`, nothing else

It checks everything but the rules of the card game: here the log and its proofs, in `check_bytes` sections 1 and
2, in `check_chance` what chance deals, in `check_migration` another host. Exit 0: verified; 1: proof that somebody
cheated, with the bytes; 3: damaged, no transcript, or of another version or edition; 4: incomplete, with what is
missing; 2: wrong usage.
"""

import hashlib
import re
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from check_bytes import Bad, Reader, TooMany, alike, digest, fits, frame, need, sound, u8, u16, u64, valid
from check_chance import Chance, edition_of
from check_migration import agreed, exchanged, long_enough, opened, proposed, stood, trustees

# fmt: off
FIRST_LINE, RULES = b"citadels-lan transcript 2\n", "2"
MAX_FILE, MAX_BODY, MAX_ENTRIES, LINKS, SEAL_AFTER = 64 << 20, 1 << 16, 20_000, 256, 32
# Shapes, as `check_bytes.fits` reads them.
U8, U16, U64, NIL = range(1 << 8), range(1 << 16), range(1 << 64), type(None)
OPENING, FILE_HEAD, SIGNED = (U16, U8, U8, str, str, 32), (16, str, 32, 32, {U8, NIL}, 32), (32, 64)
DELTA = (U64, 64, bytes, bytes, {16, NIL}, {bytes, NIL})
HEARD = ("citadels-lan", range(2, 3), 16, U64, 32, 64, {U8, NIL}, bytes)
HEADER = (16, str, str, str, [(str, {str, U16})], [str], [str], 32, 32, 32, {NIL, SIGNED}, [(str, 32, bool, 64)])
EVENTS: dict[int, tuple[str, Any]] = {
    1: ("Shuffled", ([str],)), 2: ("RoundBegan", (U16, [str], [str])), 3: ("Offered", (U8, [str])),
    7: ("CastDrawn", ([str], [str])), 11: ("Revealed", (U8, str)), 15: ("RoundEnded", ()), 16: ("GameEnded", list),
    21: ("Drawn", (U8, [str], str)), 23: ("CardsGained", (U8, [str], str)), 32: ("Crowned", (U8,)),
    35: ("Confiscated", (U8, U8, str, U64, str, U64)), 51: ("Placed", (str, U8, [str], "?")),
    53: ("ThreatShown", (str, bool)), 58: ("PutUnder", ([str],)), 66: ("TakenFromDeck", (U8, str)),
    71: ("Restocked", ([str],)), 72: ("LapBegan", (U16,)), 73: ("CharacterCalled", (U8, str, bool)),
    76: ("CycleEnded", ())}
ENTRIES: dict[int, tuple[str, Any]] = {
    0: ("open", (HEADER,)), 1: ("commits", ([32], [32], [64])), 2: ("parts", ([32], [64])),
    3: ("move", (U8, {str, 32, 64}, [list], [OPENING])), 4: ("table", ([list],)), 5: ("seal", ([64],)),
    6: ("close", (32, [OPENING])), 7: ("opened", ([OPENING],)), 8: ("beacons", ([32],)),
    9: ("present", (U16, U16, U16, [64])), 10: ("restart", (U16,)),
    11: ("stand_in", (U8, 32, str, 64)), 13: ("back", (U8, bool, 64)),
    12: ("newhost", (U8, 32, 32, [(U8, 64)])), 14: ("shared", (32, [32], [49]))}
# What may stand behind the rest, where another machine may go on as the host; how long it is without.
MORE: dict[str, tuple[int, Any]] = {"open": (12, range(1, 10)), "commits": (4, [32]), "move": (5, bytes)}
# What may come next; a kind with several names is called by what its function below returns.
ORDER = {"nothing": "open", "open": "commits", "commits": "parts", "parts": "present",
         "shared parts": "shared", "shared": "present",
         "present": "beacons restart", "restart": "present", "beacons": "table",
         "last beacons": "opened close", "table": "table move stand_in back", "move": "move stand_in back",
         "due move": "seal", "seal": "move stand_in back",
         "last seal": "present", "opened": "opened close", "close": ""}
HIDDEN = re.compile(r"(pick|keep|redraw|give|laboratory|museum|lighthouse|tribute)( |$)|theater (.* )?giving( |$)|"
                    r"take(?!.* building( |$))( |$)|(take|build) (.* )?(with|borrowing)( |$)")
SEALED = re.compile(r"((warrant|threaten) [a-z_ ]+) sealed ([0-9a-f]{64})")
STARRED = re.compile(r"[^*]+ ([^* ]+)\*( [^*]+)?")
BREAKS = {"confiscate yes": "warrant", "reveal yes": "threaten"}
PLACES = {"warrant": "warrant", "threat": "threaten"}
# fmt: on


class Log:
    """The entries of a game, read one after another; Bad at the first that contradicts, and then it is of no more
    use. Entry `n` is being read, `before` is hash[n-1]. `pending` are the commitments not opened yet: round, seat,
    slot, whether it is a discard, the line of a sealed one without its star, and whether only the seat's owner can
    open it. `stands` are the stand-ins that move now, by seat: entry, the head before it, key."""

    def __init__(self, reader: Reader, game: bytes, fp: bytes, host: bytes, seat: int | None) -> None:
        self.reader, self.game, self.fp, self.host, self.seat = reader, game, fp, host, seat
        self.hosts, self.migrate, self.boxes, self.given = [(1, host)], 0, list[bytes](), list[Any]()
        self.more: Any = None
        self.guests = list[int]()
        self.kept, self.hidden, self.newhosts = dict[int, Any](), dict[Any, Any](), dict[int, Any]()
        self.n, self.before, self.after, self.secret, self.unknown = 0, b"", "nothing", b"", ""
        self.round, self.coming, self.attempt, self.here, self.missing = 0, 0, 0, 0, 0
        self.ended, self.over, self.checked, self.unsealed, self.cards = False, False, 0, 0, 0
        self.header, self.players, self.parted, self.commitments, self.anchors = (list[Any]() for _ in range(5))
        self.unsigned, self.told, self.salts, self.events = (list[Any]() for _ in range(4))
        self.stands, self.stood = (
            dict[int, tuple[int, bytes, bytes]](),
            dict[int, tuple[int, bytes, list[bytes]]](),
        )
        self.pending, self.stars, self.leaves = dict[bytes, tuple[Any, ...]](), dict[Any, str](), set[int]()
        self.slots, self.seals = Counter[int](), defaultdict[Any, list[bytes]](list)

    def take(self, before: bytes, public: bytes, leaves: bytes, salt: bytes | None, private: bytes | None) -> None:
        self.n, self.before = self.n + 1, before
        value = self.reader.read(public, list)
        name, shape = ENTRIES.get(value[0] if value and type(value[0]) is int else -1, ("nothing", ()))
        fitting = name in ORDER[self.after].split() or (name == "newhost" and self.given and not self.secret)
        need(fitting, f"{name} has no place after {self.after}")
        self.more = self.behind(name, value)
        need(fits(value[1:], shape), f"{name} of another shape")
        self.events = [named(event) for event in {"move": value[3:4], "table": value[1:2]}.get(name, [[]])[0]]
        told = self.reader.read(private, [(U16, list)]) if private is not None else []
        own = dict(enumerate(self.events)) | {i: named(event) for i, event in told}
        need(
            all(a < b for a, b in pairwise([*(i for i, _ in told), len(self.events)])),
            "private events out of order",
        )
        need(all(map(alike, self.events, own.values())), "a private event that is not the public one")
        need(len(self.events) <= 256, "too many events")
        need(not leaves or (blocks(leaves) and name in {"move", "table"}), "leaves where none belong")
        self.after = getattr(self, name)(*value[1:]) or name
        self.told += zip(self.events, own.values(), strict=True)
        self.leaves |= {*blocks(leaves)}
        self.salts += [(self.n, salt)] * (salt is not None)
        if name == "close":
            self.chance()

    def signed(self, seat: int, signature: bytes, tag: str, *fields: bytes | str, key: bytes = b"") -> None:
        by = key or self.players[seat][1]
        need(valid(by, signature, tag, self.game, *fields), f"the signature of {self.who(seat)}")
        self.checked += 1

    def mover(self, seat: int) -> bytes:
        """The key that signs the moves of a seat now."""
        return self.stands[seat][2] if seat in self.stands else self.players[seat][1]

    def who(self, seat: int) -> str:
        return f"{self.players[seat][0]} (seat {chr(97 + seat)})"

    def seats(self, bits: int) -> list[int]:
        need(bits >> len(self.players) == 0, "seats that are not there")
        return [seat for seat in range(len(self.players)) if bits >> seat & 1]

    def behind(self, name: str, value: list[Any]) -> Any:
        """What stands behind the rest where another machine may go on, and only there."""
        holder = value[1] if name == "open" and len(value) > 1 and type(value[1]) is list else value
        if name == "open" and len(holder) == MORE["open"][0] + 2:
            self.guests = holder.pop()
            need(fits(self.guests, [U8]) and self.guests, "open of another shape")
            if holder[-1] is None:
                return holder.pop()
        size, shape = MORE.get(name, (len(holder), None))
        there = len(holder) == size + 1
        need(not there or fits(holder[-1], shape), f"{name} of another shape")
        need(name not in {"commits", "move"} or there == (self.migrate > 0), f"{name} of another shape")
        return holder.pop() if there else None

    def at(self, n: int) -> bytes:
        """Whose key signs entry `n`."""
        return next(key for first, key in reversed(self.hosts) if first <= max(n, 1))

    def signer(self, n: int, before: bytes, public: bytes) -> bytes:
        """Whose key must have signed the next entry: with an agreement of enough seats, that of the new host."""
        if self.header and public[1:2] == b"\x0c":
            with suppress(Bad):
                _, *new = self.reader.read(public, (U8, *ENTRIES[12][1]))
                if agreed(self.header, self.migrate, n, before, new) and self.migrate:
                    self.hosts.append((n, new[1]))
        return self.hosts[-1][1]

    # One function for each kind of entry

    def open(self, header: list[Any]) -> None:
        game, _, rules, edition, options, _, _, fp, host, _, endorsement, self.players = self.header = header
        if edition_of(edition, dict(options)) is None:
            self.unknown = ", ".join([edition, *(f"{option}={value}" for option, value in options)])
        keys = [key for _, key, _, _ in self.players]
        need((game, rules, fp, host) == (self.game, RULES, self.fp, self.host), "the header is of another table")
        need(1 <= len({*keys}) == len(keys) <= 9 and all(map(sound, [host, *keys])), "a key that proves nothing")
        need(all(1 <= len(name) <= 24 for name, *_ in self.players), "a name of another length")
        for seat, (name, _, bot, claim) in enumerate(self.players):
            self.signed(seat, claim, "seat", fp, host, name, u8(bot))
        need(not endorsement or valid(*endorsement, "host-key", game, fp, host), "the endorsement of the host")
        self.migrate = self.more or 0
        need(self.guests == sorted({*self.guests} & {*range(len(keys))}), "guests who have no seat")
        self.header.append(self.guests)

    def commits(self, commitments: list[bytes], anchors: list[bytes], signatures: list[bytes]) -> None:
        need(len(commitments) == len(anchors) == len(signatures) == len(self.players), "not one of each")
        self.boxes = self.more or []
        need(len(self.boxes) == len(self.players) * (self.migrate > 0), "not one key of a share for each")
        for seat, (signature, *own) in enumerate(zip(signatures, commitments, anchors, strict=True)):
            self.signed(seat, signature, "agree", self.before, u8(seat), *own, *self.boxes[seat : seat + 1])
        for box in self.boxes:
            exchanged(bytes(32), box)
        self.commitments, self.anchors = commitments, anchors

    def parts(self, parts: list[bytes], signatures: list[bytes]) -> str:
        true = [digest("seed-part", self.game, u8(seat), part) for seat, part in enumerate(parts)]
        need(true == self.commitments and len(signatures) == len(parts), "a part is not the one committed to")
        for seat, signature in enumerate(signatures):
            self.signed(seat, signature, "seed", self.before)
        self.parted = [*parts, self.before]
        return "shared parts" if self.migrate else "parts"

    def shared(self, box: bytes, commits: list[bytes], shares: list[bytes]) -> None:
        able = len(trustees(self.header))
        need(self.migrate <= able == len(commits) == len(shares), "not a share for each, or too few")
        self.given = [[box, commits, shares]]

    def newhost(self, *new: Any) -> str:
        need(agreed(self.header, self.migrate, self.n, self.before, [*new]), "a new host without enough seats")
        self.checked, self.newhosts[self.n] = self.checked + len(new[3]), (self.before, [*new])
        return "restart" if {"beacons", "close"} & {*ORDER[self.after].split()} else self.after

    def present(self, round_: int, bits: int, disputed: int, signatures: list[bytes]) -> None:
        seats = self.seats(bits)
        need(
            round_ == self.round + 1 and len(seats) == len(signatures),
            "another round, or not one signature of each",
        )
        need(
            not bits & self.missing and (seats or self.over),
            "somebody takes part whose link was missing, or nobody",
        )
        need(not disputed & ~bits, "somebody disputes who is not present")
        for seat, signature in zip(seats, signatures, strict=True):
            self.signed(
                seat, signature, "here", u64(self.n - 1), self.before, u16(round_), u8(disputed >> seat & 1)
            )
            self.stands.pop(seat, None)
        self.here, self.attempt = bits, self.attempt + 1

    def restart(self, bits: int) -> None:
        need(bits and not bits & ~self.here, "nobody's link is missing, or that of a seat that is not present")
        self.missing |= bits

    def beacons(self, links: list[bytes]) -> str:
        seats, spent = self.seats(self.here), self.attempt > LINKS
        need(len(seats) == len(links), "not one link of each who is present")
        for seat, link in zip(seats, links, strict=True):
            end = link
            for _ in range(0 if spent else self.attempt):
                end = digest("beacon", self.game, u8(seat), end)
            need(end == (bytes(32) if spent else self.anchors[seat]), f"the link of {self.who(seat)}")
        self.coming, self.missing = self.round + 1, 0
        self.told.append((["Beacons", self.coming], [self.before, u16(self.here), *links]))
        return "last beacons" if self.over else "beacons"

    def stand_in(self, seat: int, key: bytes, level: str, claim: bytes) -> str:
        need(seat < len(self.players) and seat not in self.stands, "a stand-in for nobody, or for a stand-in")
        need(sound(key) and key not in [own for _, own, *_ in self.players], "a stand-in with an unusable key")
        need(1 <= len(level) <= 32, "a level of another length")
        self.signed(seat, claim, "stand-in", u64(self.n), self.before, u8(seat), level, key=key)
        self.stands[seat] = self.n, self.before, key
        self.stood[self.n] = seat, key, []
        return self.after

    def back(self, seat: int, disputes: bool, signature: bytes) -> str:
        need(seat in self.stands, "somebody is back who was not away")
        n, before, key = self.stands.pop(seat)
        self.signed(seat, signature, "back", u64(n), before, u8(seat), key, u8(disputes))
        return self.after

    def table(self, _: list[Any]) -> None:
        self.happen([])
        need(not self.shown("Placed", "Confiscated", "ThreatShown"), "markers that no move has placed or shown")

    def move(self, seat: int, what: str | bytes, _: list[Any], openings: list[Any]) -> str:
        need(seat < len(self.players) and self.round == self.coming, "a move by nobody, or before the round")
        tag, verb = "hidden" if isinstance(what, bytes) else "move", BREAKS.get(str(what), "")
        self.unsigned.append((self.mover(seat), seat, tag, u64(self.n), self.before, u8(seat), what))
        values = [what[:32], what[32:]][: len(what) // 32] if isinstance(what, bytes) else []
        if self.migrate:
            need(long_enough(self.more, len(values)), "what is kept for another host")
            self.kept[self.n] = [self.before, self.more, values]
        self.commit(seat, what)
        broken = self.seals[seat, verb].pop(0) if self.seals[seat, verb] else b""
        values = [self.committed(opening) for opening in openings]
        self.opened(openings)
        self.happen(openings)
        revealed = [(self.round, f"pick {character}") for _, _, character in self.shown("Revealed")]
        for value, (round_, *_, line, _) in zip(values, openings, strict=True):
            need(value == broken or (round_, line) in revealed, f"{line!r} is opened too early")
            if value == broken and (found := STARRED.fullmatch(line)):
                self.stars[seat, verb] = found[1]
        need(not broken or broken in values, "a seal is broken without opening")
        for _, by, _, _, _, character, _ in self.shown("Confiscated"):
            need((by, character) == (seat, self.stars.get((seat, "warrant"))), "another warrant was signed")
        for _, character, flower in self.shown("ThreatShown"):
            star = self.stars.get((seat, "threaten"))
            need(star and flower == (star == character), "another threat was shown")
        return "due move" if self.ended or len(self.unsigned) >= SEAL_AFTER else "move"

    def seal(self, signatures: list[bytes]) -> str:
        need(len(signatures) == len(self.unsigned), "too many signatures, or too few")
        for signature, (key, seat, *signed) in zip(signatures, self.unsigned, strict=True):
            self.signed(seat, signature, *signed, key=key)
            if self.migrate:
                self.kept[int.from_bytes(signed[1])].append(signature)
        self.unsigned = []
        return "last seal" if self.ended else "seal"

    def opened(self, openings: list[Any]) -> None:
        need(len(openings) <= 24, "too many openings")
        for opening in openings:
            place = self.pending.pop(value := self.committed(opening), None)
            self.hidden[value] = opening
            need(place and opens(place, opening), f"{opening[4]!r} fits no commitment")
        self.unsealed += len(openings)

    def close(self, secret: bytes, openings: list[Any]) -> None:
        need(digest("seed-host", self.game, secret) == self.header[9], "the host's secret is another")
        self.opened(openings)
        need(all(owned for *_, owned in self.pending.values()), "what the host could open was never opened")
        self.secret = secret
        if self.migrate:
            for n, (before, kept, commits, signature) in self.kept.items():
                self.given.append((n, before, kept, signature, [self.hidden[one] for one in commits]))
            opened(self.header, self.migrate, secret, self.boxes, self.given)
            for n, (seat, key, commits) in self.stood.items():
                stood(self.game, secret, n, seat, key, [self.hidden[one] for one in commits])

    # What several of them have in common

    def shown(self, *names: str) -> list[Any]:
        return [event for event in self.events if event[0] in names]

    def happen(self, openings: list[Any]) -> None:
        """Rounds begin and end, and whoever is revealed has picked that."""
        lines = [(round_, line) for round_, *_, line, _ in openings]
        for event in self.events:
            match event:
                case ["RoundBegan" | "LapBegan", round_, *_]:
                    need(self.round + 1 == self.coming == round_, "a round begins that is not the next")
                    self.round, self.ended, self.stars = round_, self.over, {}
                    self.slots, self.seals = Counter(), defaultdict(list)
                case ["Revealed", _, character]:
                    need((self.round, f"pick {character}") in lines, "a character without opening")
                case ["RoundEnded" | "GameEnded" as what, *_]:
                    self.ended, self.over = True, self.over or what == "GameEnded"

    def commit(self, seat: int, what: str | bytes) -> None:
        """Take the commitments of a move; its words alone say whether it has some."""
        placed = [[PLACES.get(kind), *rest] for _, kind, *rest in self.shown("Placed")]
        found, line, due = [what[:32], what[32:]] if isinstance(what, bytes) else [], "", list[Any]()
        if isinstance(what, str) and (sealed := SEALED.fullmatch(what)):
            found, line, due = (
                [bytes.fromhex(sealed[3])],
                sealed[1],
                [[sealed[2], seat, sealed[1].split(" ")[1:], "?"]],
            )
            self.seals[seat, sealed[2]] += found
        elif isinstance(what, str):
            need(
                not HIDDEN.match(what) and what.split(" ")[0] not in PLACES.values(), f"{what!r} had to be hidden"
            )
        need(placed == due, "other markers than the move says")
        for discard, value in enumerate(filter(None, found)):
            need(value not in self.pending, "a commitment for the second time")
            owned = bool(line) and seat not in self.stands
            if seat in self.stands:
                self.stood[self.stands[seat][0]][2].append(value)
            self.pending[value] = (self.round, seat, self.slots[seat], bool(discard), line, owned)
        self.slots[seat] += bool(found)

    def committed(self, opening: list[Any]) -> bytes:
        round_, seat, slot, kind, line, nonce = opening
        return digest("commit", self.game, kind, u16(round_), u8(seat), u8(slot), line, nonce)

    def unseal(self, opening: list[Any]) -> bytes:
        """The commitment that this opens."""
        value = self.committed(opening)
        need(
            value in self.pending and opens(self.pending.pop(value), opening), f"{opening[4]!r} fits no commitment"
        )
        self.unsealed += 1
        return value

    def chance(self) -> None:
        """What takes the host's secret: the salts, and all that chance alone decides."""
        _, _, _, edition, options, cast, uniques, *_ = self.header
        for n, salt in self.salts:
            right = salt == digest("salt", self.secret, u64(n), u8(self.seat or 0))[:16]
            need(right, f"the salt of entry {n} is not that of the host's secret")
        need(max(self.leaves, default=0) < len(self.players), "a leaf of a seat that is not there")
        if known := edition_of(edition, dict(options)):
            table = Chance(known, len(self.players), cast, uniques)
            table.seed = digest("seed", self.game, self.secret, *self.parted)
            for event, own in self.told:
                if event[0] == "Beacons":
                    table.round, table.seed = event[1], digest("seed-r", table.seed, u16(event[1]), *own)
                else:
                    table.happen(event, own)
            self.cards = table.cards


def named(event: list[Any]) -> list[Any]:
    """An event with its name for its number, which stays where it is not one of those above."""
    number = event[0] if event and type(event[0]) is int else -1
    name, shape = EVENTS.get(number, (number, list))
    need(number >= 0 and (shape is list or fits(event[1:], shape)), f"an event {name} of another shape")
    return [name, *event[1:]]


def blocks(leaves: bytes) -> dict[int, bytes]:
    """The leaves by seat; none where they are not in order."""
    rising = len(leaves) % 33 == 0 and all(a < b for a, b in pairwise(leaves[::33]))
    return {leaves[at]: leaves[at + 1 : at + 33] for at in range(0, len(leaves), 33)} if rising else {}


def opens(place: tuple[Any, ...], opening: list[Any]) -> bool:
    """Whether an opening says what it may say at this place."""
    round_, seat, slot, kind, line, _ = opening
    *there, sealed, _ = place
    starred = STARRED.fullmatch(line) and line.replace("*", "") == sealed
    right = starred if sealed else kind == "discard" or HIDDEN.match(line)
    return [round_, seat, slot, kind == "discard"] == there and bool(right) and kind == line.split(" ")[0]


class Transcript:
    """A file. `heads[n]` is hash[n], `signatures[n]` the host's of it. `fault` is the first contradiction in what
    the host has signed, which is proof; `damage` is what is wrong with the file, which proves nothing; `lacking`
    what is not there."""

    def __init__(self, data: bytes) -> None:
        self.reader, self.damage, self.key = Reader(), "", b""
        self.heads, self.signatures, self.own, self.heard, self.lacking = (list[Any]() for _ in range(5))
        self.fault, self.alarm, self.footer = list[str](), list[Any](), list[Any]()
        self.log = Log(self.reader, b"", b"", b"", None)
        try:
            self.read(data)
        except (Bad, TooMany) as error:
            self.damage = self.damage or str(error)
        self.log.told = []
        self.complete()

    def read(self, data: bytes) -> None:
        need(data.startswith(FIRST_LINE) and len(data) <= MAX_FILE, "not a transcript of this version")
        at = len(FIRST_LINE)
        while len(data) - at >= 5:
            size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 5].decode("latin1")
            due = not self.footer and (kind == "H") == (not self.heads) and size <= MAX_BODY
            need(due, f"the record at byte {at}")
            if at + 5 + size > len(data):
                break
            self.record(kind, data[at + 5 : at + 5 + size], data, at)
            at += 5 + size
        need(self.heads and not (self.footer and at < len(data)), "no H record, or something after the footer")
        self.lacking += ["the last record is cut off"] * (at < len(data))

    def record(self, kind: str, body: bytes, data: bytes, at: int) -> None:
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
                    _, _, game, n, head, signature, _, _ = self.reader.read(body, HEARD)
                    self.heard += [(n, head, signature)] * (game == self.log.game)
            case "A" if not self.alarm:
                self.alarm = self.reader.read(body, (U64, str))
            case "F":
                self.footer = sha, signature = self.reader.read(body, SIGNED)
                end = ("transcript", self.log.game, u64(len(self.heads) - 1), self.heads[-1], sha)
                right = sha == hashlib.sha256(memoryview(data)[:at]).digest() and valid(self.key, signature, *end)
                need(right, "the footer is not of this file, or not signed")
            case _:
                need(kind == "S", f"the record at byte {at}")

    def entry(self, body: bytes) -> None:
        """The next entry, if the host has said it; what it says is judged then."""
        log, n = self.log, len(self.heads)
        if self.damage:
            return
        try:
            number, signature, public, leaves, salt, private = self.reader.read(body, DELTA, padded=True)
            head = digest("entry", self.heads[-1], u64(n), public, leaves)
            leaf = blocks(leaves).get(-1 if log.seat is None else log.seat)
            if leaf is not None and None not in (salt, private):
                need(leaf == digest("priv", log.game, u64(n), u8(log.seat or 0), salt, private), "")
            need((leaf is None) == (salt is None) == (private is None), "")
            host = log.signer(n, self.heads[-1], public)
            need(number == n <= MAX_ENTRIES and valid(host, signature, "entry", log.game, u64(n), head), "")
        except Bad:
            self.damage = f"the chain ends before entry {n}: what comes then the host has not said"
            return
        self.heads.append(head)
        self.signatures.append(signature)
        try:
            if not self.fault:
                log.take(self.heads[n - 1], public, leaves, salt, private)
        except Bad as bad:
            self.fault = [f"entry {n}: {bad}", f"entry {public.hex()}", *self.evidence(n, head, signature)]

    def said(self, n: int) -> tuple[bytes, bytes]:
        return self.heads[n], self.signatures[n]

    def evidence(self, n: int, head: bytes, signature: bytes) -> list[str]:
        over = frame("entry", self.log.game, u64(n), head)
        return [f"key {self.log.at(n).hex()}", f"signature {signature.hex()}", f"over {over.hex()}"]

    def complete(self) -> None:
        """Say what is not the host's doing, and what is missing."""
        log, keys = self.log, [key for _, key, *_ in self.log.players]
        if keys and log.seat is not None and keys[log.seat : log.seat + 1] != [self.key]:
            self.damage = self.damage or "the file's key is not that of its seat"
        if log.unknown:  # whatever contradicts may be right in that edition
            self.damage, self.fault = f"the edition {log.unknown} is not of this version", []
        if self.alarm and not self.fault:
            self.lacking.append(f"a false alarm: nothing bears out {self.alarm[1]!r} in entry {self.alarm[0]}")
        if not log.secret:
            over = "close" in ORDER[log.after]
            self.lacking.append("the game is over, and its secret held back by the host" if over else "no close")
        elif not self.footer:
            self.lacking.append("no footer")

    def facts(self) -> str:
        log, n = self.log, len(self.heads[1:])
        checked = f"{log.checked} signatures of players, {log.unsealed} openings and {log.cards} own cards"
        return f"game {log.game.hex()}, seat {log.seat}: {n} entries, with {checked} as they must be"

    def verdict(self, shared: dict[bytes, list[Any]]) -> tuple[int, list[str]]:
        """The exit code, and why; `shared` are the openings by owners in all files of the game."""
        if self.fault:
            return 1, [f"THE HOST cheated: {self.fault[0]}", *self.fault[1:]]
        if self.damage:
            return 3, [f"DAMAGED: {self.damage}"]
        left = [
            one for value, one in self.log.pending.items() if value not in shared or not opens(one, shared[value])
        ]
        said = [
            f"{self.log.who(seat)} did not open {line!r} of round {round_}" for round_, seat, _, _, line, _ in left
        ]
        lacking = [*self.lacking, *(said if self.log.secret else [])]
        return (4, [f"INCOMPLETE: {one}" for one in lacking]) if lacking else (0, ["VERIFIED"])


def forks(files: list[Transcript]) -> list[str]:
    """Two hashes of one entry that the host has signed, in the files of a table or in what their owners heard."""
    known, said_by = dict[Any, tuple[bytes, bytes]](), dict[Any, Any]()
    said = [(file, n, *file.said(n)) for file in files for n in range(1, len(file.heads))]
    said += [(one, *heard) for one in files for heard in one.heard]
    for file, n, head, signature in said:
        host = file.log.at(n)
        other, own = known.get((n, host), (head, signature)), n < len(file.heads) and head == file.heads[n]
        signed = ("entry", file.log.game, u64(n), head)
        if n and other[0] != head and (own or valid(host, signature, *signed)):
            return ["THE HOST told two stories", *file.evidence(n, *other), *file.evidence(n, head, signature)]
        if own:
            known[n, host] = other
    for log, n, (before, new) in ((file.log, n, new) for file in files for n, new in file.log.newhosts.items()):
        over = proposed(log.game, n, before, new)
        for seat, signature in new[3]:
            other = said_by.setdefault((n, before, seat), (over, signature))
            if other[0] != over:
                return [f"{log.who(seat)} agreed to two hosts", *(part.hex() for part in (*over, signature))]
    return []


def main(names: list[str]) -> int:
    if not names or any(name.startswith("-") for name in names):
        print("usage: check_transcript.py FILE...", file=sys.stderr)
        return 2
    tables, seen, codes = defaultdict[Any, list[tuple[str, Transcript]]](list), set[bytes](), set[int]()
    for name in names:
        data = b""
        with suppress(OSError), Path(name).open("rb") as stream:
            data = stream.read(MAX_FILE + 1)
        if (sha := hashlib.sha256(data).digest()) not in seen or not data:
            seen.add(sha)
            file = Transcript(data)
            tables[file.log.game, file.log.host].append((name, file))
    for table in tables.values():
        shared = {file.log.committed(opening): opening for _, file in table for opening in file.own}
        found = [(name, file, *file.verdict(shared)) for name, file in table]
        forked = forks([file for _, file in table])
        here = {code for _, _, code, _ in found} | ({1} if forked else set())
        codes |= here - {4} if 0 in here else here  # beside a whole file others may be parts of it
        for name, file, _, said in found:
            text = "\n    ".join([f"{name}:", file.facts(), *said, *forked])
            print(text.encode("ascii", "backslashreplace").decode())
    return next(code for code in (1, 3, 4, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
