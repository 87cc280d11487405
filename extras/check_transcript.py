#!/usr/bin/env python3
"""Checks transcripts of citadels-lan. Written from docs/protocol.md alone; nothing is shared with the program.

    python extras/check_transcript.py FILE…        needs Python 3.11, `cryptography` and `msgpack`, nothing else

It checks all but the rules of the card game, and snapshots, which show what these make of it: here files, in
`check_log` the log and its proofs, in `check_bytes` sections 1 and 2, in `check_chance` what chance deals; of
sealed drafts, in `check_sealed` their entries, in `check_draft` what is said, in `check_liars` who has lied.

Exit 0: verified; 1: proof that somebody cheated, with the bytes; 3: damaged, no transcript, or of another version
or edition; 4: incomplete, with what is missing; 2: wrong usage.
"""

import hashlib
import re
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from check_bytes import Bad, digest, frame, need, read, u8, u64, valid
from check_chance import edition_of
from check_draft import NOBODY, Content
from check_liars import liars
from check_log import NIL, OPENING, ORDER, RULES, SIGNED, U8, U64, Log, Raw, blocks, committed, opens

# fmt: off
VERIFIED, CHEATED, DAMAGED, INCOMPLETE = 0, 1, 3, 4
WORDS = {CHEATED: "PROOF", DAMAGED: "DAMAGED", INCOMPLETE: "INCOMPLETE"}  # the first that applies counts
FIRST_LINE = b"citadels-lan transcript 3\n"
MAX_FILE, MAX_SAID, MAX_BODY, MAX_RECORDS, MAX_HEARD, MAX_OWN = 64 << 20, 4 << 20, 1 << 16, 20_100, 64, 10_000
RECORDS = re.compile("HE{0,10000}[OGD]*(S?A?F?|S?A?-)")  # by their kinds; - is a last one that is cut off
# Shapes, as `check_bytes.fits` reads them.
BOX = (32, range(1 << 16), 32, 32)
FILE_HEAD, DELTA = (16, str, 32, 32, {U8, NIL}, 32), (U64, 64, bytes, bytes, {16, NIL}, {bytes, NIL})
HEARD, ALARM = ("citadels-lan", range(2, 3), 16, U64, 32, 64, {U8, NIL}, bytes), (U64, ".{1,40}")
# fmt: on


class File:
    """A transcript. `found` is what is wrong with it: the exit code, and why. `heads[n]` is hash[n], and
    `signatures[n]` the host's of it; `own` are openings by the owner, `heard` heads that the owner was told of,
    `boxes` what the owner was told in boxes of sealed drafts, by commitment."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.log, self.found = name, Log(b"", b"", b"", None), list[tuple[int, str]]()
        self.heads, self.signatures, self.own, self.heard = Raw(), Raw(), list[Any](), list[Any]()
        self.boxes = dict[bytes, Content]()
        try:
            self.read(data)
        except Bad as bad:
            self.found.append((DAMAGED, str(bad)))

    def read(self, data: bytes) -> None:
        kinds, bodies = records(data)
        game, rules, fp, host, seat, key = read(bodies["H"][0], FILE_HEAD)
        need(rules == RULES, f"the rules are {rules}, which are not of this version")
        log = self.log = Log(game, fp, host, seat)
        self.own = [opening for body in bodies["O"] for opening in read(body, [OPENING])]
        alarms, footers = [read(body, ALARM) for body in bodies["A"]], [read(body, SIGNED) for body in bodies["F"]]
        boxes = [box for body in bodies["D"] for box in read(body, [BOX, 250])]
        self.boxes = {commit: Content(*content) for commit, *content in boxes}
        need(len(self.own) <= MAX_OWN and len(boxes) <= MAX_OWN, "more openings than a game has, or more boxes")
        for body in bodies["G"]:
            with suppress(Bad):
                _, _, about, n, head, signature, _, _ = read(body, HEARD)
                self.heard += [(n, head, signature)] * (about == game)
        self.heads, self.signatures = [digest("genesis", game, rules, fp)], [b""]
        with suppress(Bad):
            for body in bodies["E"]:
                self.entry(body)
        if log.forged:
            self.found = []
            raise Bad("the entries are not signed by the host that the first one names")
        if log.header and edition_of(log.header.edition, log.header.options) is None:
            self.found, log.sealed.drafts = [], {}  # whatever contradicts may be right in that edition
            options = [f"{option}={value}" for option, value in log.header.options]
            raise Bad(f"the edition {', '.join([log.header.edition, *options])} is not of this version")
        n, keys = len(self.heads) - 1, [own for _, own, *_ in log.players]
        need(n == len(bodies["E"]), f"the chain ends before entry {n + 1}: what comes then the host has not said")
        need(not keys or seat is None or keys[seat : seat + 1] == [key], "the file's key is not that of its seat")
        for sha, signature in footers:
            right = sha == hashlib.sha256(memoryview(data)[: -5 - len(bodies["F"][0])]).digest()
            right = right and valid(key, signature, "transcript", game, u64(n), self.heads[-1], sha)
            need(right, "the footer is not of this file, or not signed")
        over = "the game is over, and its secret held back by the host"
        lacks = {
            "the last record is cut off": "-" in kinds,
            over: not log.secret and {"close", "links"} & {*ORDER[log.after].split()},
            "no close": not log.secret,
            "no footer": not footers,
            **{f"a false alarm: nothing bears out {code!r} in entry {n}": True for n, code in alarms},
        }
        self.found += [(INCOMPLETE, what) for what, lacking in lacks.items() if lacking]

    def entry(self, body: bytes) -> None:
        """The next entry. Bad if the host has not said it; what it says is judged then."""
        log, n, before = self.log, len(self.heads), self.heads[-1]
        number, signature, public, leaves, salt, private = read(body, DELTA, padded=True)
        head = digest("entry", before, u64(n), public, leaves)
        leaf = None if log.seat is None else blocks(leaves).get(log.seat)
        need((leaf is None) == (salt is None) == (private is None) and number == n, "another entry, or no leaf")
        right = leaf is None or leaf == digest("priv", log.game, u64(n), u8(log.seat or 0), salt, private)
        right = right and valid(log.host, signature, "entry", log.game, u64(n), head)
        need(right, "unsigned")
        self.heads.append(head)
        self.signatures.append(signature)
        try:
            if not self.found:
                log.take(before, public, leaves, salt, private)
        except Bad as bad:
            self.accuse(
                f"THE HOST cheated: entry {n}: {bad}", f"entry {public.hex()}", *self.evidence(n, head, signature)
            )

    def evidence(self, n: int, head: bytes, signature: bytes) -> list[str]:
        over = frame("entry", self.log.game, u64(n), head)
        return [f"key {self.log.host.hex()}", f"signature {signature.hex()}", f"over {over.hex()}"]

    def drafts(self, told: dict[bytes, Content]) -> None:
        """Judge the sealed drafts; `told` is what boxes hold, as the files of the game tell it."""
        log, drafted = self.log, set[int]()
        for draft, links in log.sealed.opened():
            drafted |= {done.seat for done in draft.steps} - {*draft.table.stands}
            for seat, code in liars(draft, links, told):
                if seat == NOBODY:
                    self.found.append((INCOMPLETE, f"somebody lied in the draft of round {draft.table.round}"))
                    continue
                stand_in = draft.table.stands.get(seat)
                who = f"THE HOST, as stand-in of {log.who(seat)}," if stand_in else log.who(seat)
                said = [(move, by) for move, by in draft.signed if move.seat == seat]
                over = [frame(m.tag, log.game, u64(m.n), m.before, u8(seat), m.what).hex() for m, _ in said]
                proofs = [f"key {m.key.hex()} signature {by.hex()} over" for m, by in said]
                self.accuse(
                    f"{who} lied in the draft of round {draft.table.round}: {code}",
                    *map("{} {}".format, proofs, over),
                )
        closed = drafted - {*log.sealed.given} if log.secret else set()
        self.found += [(INCOMPLETE, f"{log.who(seat)} gave no link") for seat in sorted(closed)]

    def accuse(self, *why: str) -> None:
        self.found.append((CHEATED, "\n    ".join(ascii(line)[1:-1] for line in why)))

    def code(self) -> int:
        return next((code for code in WORDS if code in dict(self.found)), VERIFIED)

    def __str__(self) -> str:
        code = self.code()
        said = [why if found == CHEATED else ascii(why)[1:-1] for found, why in self.found if found == code]
        of = f"{ascii(self.name)[1:-1]}: {len(self.heads[1:])} entries of game {self.log.game.hex()}"
        return "\n    ".join([of, *([f"{WORDS[code]}: {why}" for why in said] or ["VERIFIED"])])


def records(data: bytes) -> tuple[str, dict[str, Raw]]:
    """The kinds of the records in a file, and their bodies by kind. One that is cut off is `-`."""
    kinds, bodies, at = "", defaultdict[str, Raw](list), len(FIRST_LINE)
    need(data.startswith(FIRST_LINE) and len(data) <= MAX_FILE, "not a transcript of this version")
    while at < len(data):
        size, kind, at = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 5].decode("latin1"), at + 5
        need(len(kinds) < MAX_RECORDS and (at > len(data) or size <= MAX_BODY), f"the record before byte {at}")
        kinds += kind if at + size <= len(data) else "-"
        bodies[kinds[-1]].append(data[at : at + size])
        at += size
    said = sum(len(body.rstrip(b"\0")) for body in bodies["E"])
    few = len(bodies["G"]) <= MAX_HEARD and said <= MAX_SAID
    need(RECORDS.fullmatch(kinds) and few, "other records than a transcript has, or more")
    return kinds, bodies


def compare(files: list[File]) -> None:
    """What the files of one table say together: what owners have opened; two hashes of one entry that the host has
    signed, in a file or in what its owner has heard."""
    shared = {committed(file.log.game, opening): opening for file in files for opening in file.own}
    told = {commit: content for file in files for commit, content in file.boxes.items()}
    for file in files:
        file.drafts(told)
    for file, log in ((file, file.log) for file in files if file.log.secret):
        for place in [one for value, one in log.pending.items() if not opens(one, shared.get(value))]:
            why = f"{log.who(place.seat)} did not open {place.sealed!r} of round {place.round}"
            file.found.append((INCOMPLETE, why))
    known = dict[Any, Any]()
    heads = [(file, n, file.heads[n], file.signatures[n]) for file in files for n in range(1, len(file.heads))]
    for file, n, head, signature in heads + [(one, *heard) for one in files for heard in one.heard]:
        host, own = file.log.host, file.heads[n : n + 1] == [head]
        other = known.setdefault(n, (head, signature)) if own else known.get(n, (head, signature))
        if other[0] != head and (own or valid(host, signature, "entry", file.log.game, u64(n), head)):
            both = [*file.evidence(n, *other), *file.evidence(n, head, signature)]
            file.accuse("THE HOST told two stories", *both)
            return


def content(name: str) -> bytes:
    """The bytes of a file; none of a pipe or a device, which may never end, nor of what says that it has none."""
    with suppress(OSError):
        path = Path(name)
        if path.is_file() and (size := path.stat().st_size):
            with path.open("rb") as stream:
                return stream.read(min(size, MAX_FILE + 1))
    return b""


def main(names: list[str]) -> int:
    if not names or any(name.startswith("-") for name in names):
        print("usage: check_transcript.py FILE...", file=sys.stderr)
        return 2
    tables, codes = defaultdict[Any, list[File]](list), set[int]()
    for name in names:
        file = File(name, content(name))
        tables[file.log.game, file.log.host].append(file)
    for files in tables.values():
        compare(files)
        here = {file.code() for file in files}
        codes |= here - {INCOMPLETE} if VERIFIED in here else here  # beside a whole file others may be parts of it
        print(*files, sep="\n")
    return next(code for code in (*WORDS, VERIFIED) if code in codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
