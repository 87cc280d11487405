"""Limits of a transcript: what a file may hold."""

from typing import Final

from citadels_lan.crypto.packing import pack
from citadels_lan.crypto.transcript import MAGIC, Damaged, FileHead, Transcript, parse
from citadels_lan.net.client.answers import SPREAD
from citadels_lan.net.wire.timing import Timing

from .of_the_log import SHORT
from .stated import provokes


def record(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body


def in_a_file(*records: bytes) -> Transcript | None:
    """The transcript with these records after its head; None where it is none."""
    head = pack(FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32)))
    try:
        return parse(MAGIC + record(b"H", head) + b"".join(records))
    except Damaged:
        return None


@provokes("entries of a file")
def _() -> None:
    entries = [record(b"E", b"")] * 10_001
    assert in_a_file(*entries[1:]) is not None
    assert in_a_file(*entries) is None


@provokes("what the entries of a file say")
def _() -> None:
    """Zero bytes at the end of one cost nothing, beside those of the file."""
    entry = record(b"E", bytes([1]) * 65_536)
    assert in_a_file(*[entry] * 64, record(b"E", bytes(65_536))) is not None
    assert in_a_file(*[entry] * 64, record(b"E", b"\x01")) is None


def owned(count: int) -> bytes:
    return record(b"O", pack((SHORT,) * count))


@provokes("own openings of a record")
def _() -> None:
    for count, taken in ((0, False), (1, True), (250, True), (251, False)):
        assert (in_a_file(owned(count)) is not None) == taken


@provokes("own openings of a file")
def _() -> None:
    whole = [owned(250)] * 40
    file = in_a_file(*whole)
    assert file is not None
    assert len(file.own) == 10_000
    assert in_a_file(*whole, owned(1)) is None
    assert in_a_file(*whole[1:], owned(249), owned(2)) is None


def alarm(code: str, n: int = 7) -> bytes:
    return record(b"A", pack([n, code]))


SIGNED: Final = record(b"F", pack([bytes(32), bytes(64)]))


@provokes("a snapshot of a file")
def _() -> None:
    shown = record(b"S", b"shown")
    assert in_a_file(shown, alarm("snapshot"), SIGNED) is not None
    assert in_a_file(shown, shown, alarm("snapshot"), SIGNED) is None
    assert in_a_file(alarm("snapshot"), shown) is None


@provokes("an alarm")
def _() -> None:
    for code, taken in (("", False), ("x", True), ("x" * 40, True), ("x" * 41, False)):
        assert (in_a_file(alarm(code)) is not None) == taken
    for n, taken in ((0, False), (1, True), (10_000, True), (10_001, False)):
        assert (in_a_file(alarm("order", n)) is not None) == taken
    assert in_a_file(alarm("order"), alarm("order")) is None


@provokes("what ends a file")
def _() -> None:
    assert in_a_file(record(b"E", b""), SIGNED) is not None
    for after in (SIGNED, record(b"E", b""), record(b"G", b"said"), owned(1), alarm("order")):
        assert in_a_file(record(b"E", b""), SIGNED, after) is None


@provokes("an answer about a seal")
def _() -> None:
    """That it is drawn: `tests/net/test_times_and_sizes.py`."""
    assert Timing().sealed == 5
    assert Timing().sealed * (1 + SPREAD) == 5.5
