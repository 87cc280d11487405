#!/usr/bin/env python3
"""Checks transcripts of citadels-lan. Written from docs/protocol.md; it shares no code with the program.

    python extras/check_transcript.py FILE…        needs Python 3.11, `cryptography` and `msgpack`

It checks everything except the rules of the card game, and draws and views that need them. This module reads and
compares files, `check_log` judges entries, `check_draft` sealed drafts, `check_bytes` hashes and signatures.

Exit 0: verified; 1: proof of cheating, with the bytes; 2: wrong usage; 3: damaged, another format, or a failure of
this program; 4: incomplete.
"""

import hashlib
import re
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from check_bytes import Bad, digest, frame, need, read, u8, u64, valid
from check_log import NIL, OPENING, SIGNED, U8, U64, Log, Raw, blocks, committed, evidence, opens

# fmt: off
VERIFIED, CHEATED, DAMAGED, INCOMPLETE = 0, 1, 3, 4
WORDS = {CHEATED: "PROOF OF CHEATING", DAMAGED: "DAMAGED", INCOMPLETE: "INCOMPLETE"}  # the first one counts
FIRST_LINE = b"citadels-lan transcript 4\n"
MAX_FILE, MAX_ENTRIES, MAX_BODY, MAX_RECORDS = 64 << 20, 4 << 20, 1 << 16, 20_100
RECORDS = re.compile("HE{0,10000}O*(S?A?F?|S?A?-)")  # by their kinds; - is a torn last record
FILE_HEAD, DELTA = (16, 32, 32, 32, {U8, NIL}, 32), (U64, 64, bytes, bytes, {16, NIL}, {bytes, NIL})
SNAPSHOT, ALARM, MAX_OWN = (U64, 32, [bytes, 15], 64), (U64, ".{1,40}"), 10_000
# fmt: on


class File:
    """A transcript. `found` has the findings, each an exit code and a reason. `own` are the openings that its
    owner has stored in it."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.log = name, Log(b"", b"", b"", b"", None)
        self.found, self.own = list[tuple[int, str]](), list[Any]()
        try:
            self.read(data)
        except Bad as bad:
            self.found.append((DAMAGED, str(bad)))

    def read(self, data: bytes) -> None:
        kinds, bodies = records(data)
        *head, key = read(bodies["H"][0], FILE_HEAD)
        log = self.log = Log(*head)
        self.own = [opening for body in bodies["O"] for opening in read(body, [OPENING, 250])]
        alarms, footers = [read(one, ALARM) for one in bodies["A"]], [read(one, SIGNED) for one in bodies["F"]]
        need(len(self.own) <= MAX_OWN, "too many openings")
        with suppress(Bad):
            for body in bodies["E"]:
                self.entry(body)
        with suppress(Bad):
            for body in bodies["S"]:
                self.snapshot(*read(body, SNAPSHOT))
        n, keys = len(log.heads) - 1, [own for _, own, *_ in log.players]
        self.found = [] if log.forged else self.found
        need(not log.forged, "the header names another host key than the one that signs")
        need(n == len(bodies["E"]), f"the host has not signed what follows entry {n}")
        need(log.viewer is None or not keys or keys[log.viewer : log.viewer + 1] == [key], "another owner's key")
        for sha, signature in footers:
            right = sha == hashlib.sha256(memoryview(data)[: -5 - len(bodies["F"][0])]).digest()
            right = right and valid(key, signature, "transcript", log.game, u64(n), log.heads[n], sha)
            need(right, "the footer does not fit this file")
        lacks = {
            "a torn last record": "-" in kinds,
            "the game is over, and the host has not closed it" if log.over else "no close": not log.secret,
            "the players ended the game without a result": log.closing[:1] == [1],
            "no footer": not footers,
            **{f"a false alarm {code!r}: nothing in the file supports it": True for _, code in alarms},
        }
        self.found += [(INCOMPLETE, what) for what, lacking in lacks.items() if lacking]

    def entry(self, body: bytes) -> None:
        """Read the next entry. Raises Bad if the host has not signed it as the next one. If its content is
        wrong, accuses the host."""
        log, n = self.log, len(self.log.heads)
        number, signature, public, leaves, salt, private = read(body, DELTA, padded=True)
        need(len(leaves) <= 297 and (len(body) in {256, 512} or not len(body) % 1024), "too many leaves or bytes")
        head = digest("entry", log.heads[-1], u64(n), public, leaves)
        leaf = None if log.viewer is None else blocks(leaves).get(log.viewer)
        need((leaf is None) == (salt is None) == (private is None) and number == n, "another entry, or no leaf")
        right = leaf is None or leaf == digest("priv", log.game, u64(n), u8(log.viewer or 0), salt, private)
        need(right and valid(log.signer(n)[1], signature, "entry", log.game, u64(n), head), "unsigned")
        log.heads.append(head)
        log.signed_by.append((signature, public))
        try:
            if not self.found:
                log.take(public, leaves, salt, private)
        except Bad as bad:
            self.accuse(f"{log.host(log.at)} signed entry {log.at}: {bad}", *log.proof(log.at))

    def snapshot(self, n: int, head: bytes, parts: Raw, signature: bytes) -> None:
        """If the game is not closed, compare the hash in a snapshot with the log, and accuse the host if they
        differ. The view in it is not checked, because that needs the rules."""
        log, view = self.log, hashlib.sha256(b"".join(parts)).digest()
        seat, key = u8(255 if log.viewer is None else log.viewer), log.signer(n + 1)[1]
        said = log.game, u64(n), head, seat, view
        differs = 0 < n < len(log.heads) and log.heads[n] != head and not log.secret and not self.found
        if differs and valid(key, signature, "snapshot", *said):
            why = f"{log.host(n + 1)} signed a snapshot after another entry {n}"
            self.accuse(why, *log.proof(n), *evidence(key, signature, frame("snapshot", *said)))

    def accuse(self, *why: str) -> None:
        self.found.append((CHEATED, "\n    ".join(map(plain, why))))

    def code(self) -> int:
        return next((code for code in WORDS if code in dict(self.found)), VERIFIED)

    def __str__(self) -> str:
        code, entries = self.code(), len(self.log.heads) - 1
        why = [text if code == CHEATED else plain(text) for found, text in self.found if found == code]
        of = f"{plain(self.name)}: {entries} entries of game {self.log.game.hex()}"
        return "\n    ".join([of, *([f"{WORDS[code]}: {text}" for text in why] or ["VERIFIED"])])


def plain(text: str) -> str:
    """Return `text`, which comes from a file, without control characters."""
    return ascii(text)[1:-1]


def records(data: bytes) -> tuple[str, dict[str, Raw]]:
    """Return the kinds of the records in a file, one character each, and the bodies by kind. A record that is
    cut off has the kind `-`."""
    kinds, bodies, at = "", defaultdict[str, Raw](list), len(FIRST_LINE)
    need(data.startswith(FIRST_LINE) and len(data) <= MAX_FILE, "no transcript, or one of another format")
    while at < len(data):
        size, kind, at = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 5].decode("latin1"), at + 5
        need(len(kinds) < MAX_RECORDS and (at > len(data) or size <= MAX_BODY), f"the record before byte {at}")
        kinds += kind if at + size <= len(data) else "-"
        bodies[kinds[-1]].append(data[at : at + size])
        at += size
    few = sum(len(body.rstrip(b"\0")) for body in bodies["E"]) <= MAX_ENTRIES
    need(RECORDS.fullmatch(kinds) and few, "other records than a transcript has, or more")
    return kinds, bodies


def compare(files: list[File]) -> None:
    """Add the findings that need several files of one game: from openings, from links of sealed drafts, and
    from two hashes that one key has signed for one entry."""
    shared = {committed(file.log.game, opening): opening for file in files for opening in file.own}
    known = dict[Any, Log]()
    tables = [(file.log.keys[0][1], file.log.fp) for file in files if file.code() != DAMAGED]
    for file, log in ((file, file.log) for file in files):
        for opening in [one for one in shared.values() if log.drafts and one[3] == "link"]:
            log.link(opening)
        if (log.keys[0][1], log.fp) not in tables[:1]:
            file.found.append((DAMAGED, "another table with the same game_id"))
        closed = {one.seat for value, one in log.pending.items() if not opens(one, shared.get(value))}
        closed |= {seat for seat in range(len(log.players)) if log.drafts and seat not in log.ys}
        why = [f"{log.who(seat)} did not open sealed moves or drafts" for seat in sorted(closed) if log.secret]
        file.found += [(INCOMPLETE, one) for one in why]
        for lie in log.lies() if file.code() != CHEATED else ():
            file.accuse(*lie)
        for n in range(1, len(log.heads)):
            other = known.setdefault((log.signer(n)[1], n), log)
            if other.heads[n] != log.heads[n]:
                file.accuse(f"{log.host(n)} signed two histories: entry {n}", *other.proof(n), *log.proof(n))
                return


def content(name: str) -> bytes:
    """Return the bytes of a file; b"" for a file that is empty, too long, or no regular file (a pipe may
    never end)."""
    with suppress(OSError):
        if Path(name).is_file() and 0 < Path(name).stat().st_size <= MAX_FILE:
            return Path(name).read_bytes()
    return b""


def main(names: list[str]) -> int:
    if not names or any(name.startswith("-") for name in names):
        print("usage: check_transcript.py FILE...", file=sys.stderr)
        return 2
    every, codes = [File(name, content(name)) for name in names], set[int]()
    for game in dict.fromkeys(file.log.game for file in every):
        compare(files := [file for file in every if file.log.game == game])
        here = {file.code() for file in files}
        codes |= here - {INCOMPLETE} if VERIFIED in here else here  # other files may be parts of a verified game
        print(*files, sep="\n")
    return next(code for code in (*WORDS, VERIFIED) if code in codes)


def run(names: list[str]) -> int:
    """Check the files, print the findings, and return the exit code. A failure of this program accuses no
    one."""
    try:
        return main(names)
    except Exception as failure:
        print(f"this program failed: {type(failure).__name__}", file=sys.stderr)
        return DAMAGED


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
