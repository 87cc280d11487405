"""Limits of the log: entries, openings."""

from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.log import (
    FINISHED,
    MAX_ENTRIES,
    OPENINGS,
    Close,
    Delta,
    TableMove,
    decode_delta,
    decode_entry,
    encode_delta,
    encode_entry,
)
from citadels_lan.crypto.packing import pack, pad
from citadels_lan.crypto.transcript import FileHead, Writer

from .stated import malformed, provokes

SHORT: Final = Opening(1, 0, 0, "pick", "pick king", bytes(32))


@provokes("openings of an entry")
def _() -> None:
    assert OPENINGS == 24
    assert isinstance(decode_entry(encode_entry(Close(FINISHED, (SHORT,) * 24, b"", (), ()))), Close)
    malformed(decode_entry, encode_entry(Close(FINISHED, (SHORT,) * 25, b"", (), ())))


@provokes("events of an entry")
def _() -> None:
    assert isinstance(decode_entry(encode_entry(TableMove([[15]] * 256))), TableMove)
    malformed(decode_entry, pack([2, [[15]] * 257]))


@provokes("a file")
def _(folder: Path) -> None:
    with (folder / "one.ctr").open("w+b") as file:
        file.seek(64 * 1024 * 1024 - 266)
        writer = Writer(file, FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32)))
        writer.append(bytes(256))
        with pytest.raises(OSError, match="as large as that"):
            writer.append(bytes(1))


@provokes("entries")
def _() -> None:
    assert MAX_ENTRIES == 10_000
    for n in (1, 10_000):
        assert decode_delta(encode_delta(Delta(n, bytes(64), b"", b"", None, None))).n == n
    for n in (0, 10_001):
        malformed(decode_delta, encode_delta(Delta(n, bytes(64), b"", b"", None, None)))


@provokes("the public part")
def _() -> None:
    for length, taken in ((4096, True), (4097, False)):
        body = pad(pack([1, bytes(64), bytes(length), b"", None, None]))
        if taken:
            assert len(decode_delta(body).public) == length
        else:
            malformed(decode_delta, body)
