"""Limits of frames, of the log and of transcripts."""

from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.client_log import FileHead
from citadels_lan.crypto.codec import pack, pad, unpack
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import (
    FINISHED,
    MAX_ENTRIES,
    Close,
    Delta,
    TableMove,
    decode_delta,
    decode_entry,
    encode_delta,
)
from citadels_lan.crypto.transcript import MAGIC, Damaged, Transcript, Writer, parse
from citadels_lan.net.wire.messages import KNOWN, STRANGER, Frame, encode_frame, next_frame

from .stated import limit, malformed

SHORT: Final = Opening(1, 0, 0, "pick", "pick king", bytes(32))
HEAD: Final = FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32))

# Frames


def header(length: int) -> bytes:
    """Return the beginning of a frame whose body has this length."""
    return length.to_bytes(4, "big") + b"\x14"


def fed(limit: int, data: bytes) -> Frame | None:
    """Return the first frame in `data`, with this limit for its body; None if it is not complete."""
    return next_frame(bytearray(data), limit)


@limit("body 65 536 bytes")
def _() -> None:
    assert fed(KNOWN, encode_frame(20, bytes(65_536))) is not None
    malformed(fed, KNOWN, header(65_536 + 1024))
    with pytest.raises(ValueError, match="too long"):
        encode_frame(20, bytes(65_536 + 1024))


@limit("4 096 before the peer is known")
def _() -> None:
    assert fed(STRANGER, encode_frame(20, bytes(4096))) is not None
    malformed(fed, STRANGER, header(5120))


def within(value: object, beyond: object) -> None:
    """Check that `value` is decoded as it was encoded, and `beyond` is rejected."""
    assert unpack(pack(value)) == value
    malformed(unpack, pack(beyond))


@limit("string, bin 1 024 and 4 096 bytes array, map 256 items, 64 pairs nesting depth 8")
def _() -> None:
    within("x" * 1024, "x" * 1025)
    within("è" * 512, "è" * 513)
    within(bytes(4096), bytes(4097))
    within([0] * 256, [0] * 257)
    within(*({str(number): number for number in range(count)} for count in (64, 65)))

    def nested(depth: int) -> object:
        return 1 if depth == 1 else [nested(depth - 1)]

    within(nested(8), nested(9))


# The log


@limit("openings in an entry 24")
def _() -> None:
    assert isinstance(decode_entry(pack(Close(FINISHED, (SHORT,) * 24, b"", (), ()))), Close)
    malformed(decode_entry, pack(Close(FINISHED, (SHORT,) * 25, b"", (), ())))


@limit("events in an entry 256")
def _() -> None:
    assert isinstance(decode_entry(pack(TableMove([[15]] * 256))), TableMove)
    malformed(decode_entry, pack([2, [[15]] * 257]))


@limit("entries in a game 10 000")
def _() -> None:
    assert MAX_ENTRIES == 10_000
    for n in (1, 10_000):
        assert decode_delta(encode_delta(Delta(n, bytes(64), b"", b"", None, None))).n == n
    for n in (0, 10_001):
        malformed(decode_delta, encode_delta(Delta(n, bytes(64), b"", b"", None, None)))


@limit("public 4 096 bytes")
def _() -> None:
    allowed, beyond = (pad(pack([1, bytes(64), bytes(length), b"", None, None])) for length in (4096, 4097))
    assert len(decode_delta(allowed).public) == 4096
    malformed(decode_delta, beyond)


# Transcripts


@limit("transcript 64 MiB")
def _(folder: Path) -> None:
    with (folder / "one.ctr").open("w+b") as file:
        file.seek(64 * 1024 * 1024 - 266)
        writer = Writer(file, HEAD)
        writer.append(bytes(256))
        with pytest.raises(OSError, match="as large as that"):
            writer.append(bytes(1))


def record(kind: bytes, body: bytes) -> bytes:
    """Return the bytes of one record of a transcript."""
    return len(body).to_bytes(4, "big") + kind + body


def in_a_file(*records: bytes) -> Transcript | None:
    """Parse a transcript with these records after its head. None: it is rejected."""
    try:
        return parse(MAGIC + record(b"H", pack(HEAD)) + b"".join(records))
    except Damaged:
        return None


@limit("with its padding at most 10 000")
def _() -> None:
    entries = [record(b"E", b"")] * 10_001
    assert in_a_file(*entries[1:]) is not None
    assert in_a_file(*entries) is None


@limit("4 MiB of entries without padding")
def _() -> None:
    """Zero bytes at the end of an entry do not count."""
    entry = record(b"E", bytes([1]) * 65_536)
    assert in_a_file(*[entry] * 64, record(b"E", bytes(65_536))) is not None
    assert in_a_file(*[entry] * 64, record(b"E", b"\x01")) is None


def owned(count: int) -> bytes:
    """Return a record with `count` openings of the owner."""
    return record(b"O", pack((SHORT,) * count))


@limit("[opening…], 1 to 250")
def _() -> None:
    for count, accepted in ((0, False), (1, True), (250, True), (251, False)):
        assert (in_a_file(owned(count)) is not None) == accepted


@limit("at most 10 000 openings")
def _() -> None:
    whole = [owned(250)] * 40
    file = in_a_file(*whole)
    assert file is not None
    assert len(file.own) == 10_000
    assert in_a_file(*whole, owned(1)) is None
    assert in_a_file(*whole[1:], owned(249), owned(2)) is None


def alarm(code: str, n: int = 7) -> bytes:
    """Return a record of an alarm with this code and entry."""
    return record(b"A", pack([n, code]))


SIGNED: Final = record(b"F", pack([bytes(32), bytes(64)]))


@limit("as received at most 1")
def _() -> None:
    shown = record(b"S", b"shown")
    assert in_a_file(shown, alarm("snapshot"), SIGNED) is not None
    assert in_a_file(shown, shown, alarm("snapshot"), SIGNED) is None
    assert in_a_file(alarm("snapshot"), shown) is None


@limit("code has 1 to 40 characters at most 1")
def _() -> None:
    for code, accepted in (("", False), ("x", True), ("x" * 40, True), ("x" * 41, False)):
        assert (in_a_file(alarm(code)) is not None) == accepted
    for n, accepted in ((0, False), (1, True), (10_000, True), (10_001, False)):
        assert (in_a_file(alarm("order", n)) is not None) == accepted
    assert in_a_file(alarm("order"), alarm("order")) is None


@limit("at most 1, last")
def _() -> None:
    assert in_a_file(record(b"E", b""), SIGNED) is not None
    for after in (SIGNED, record(b"E", b""), record(b"G", b"said"), owned(1), alarm("order")):
        assert in_a_file(record(b"E", b""), SIGNED, after) is None
