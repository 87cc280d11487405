"""Limits of the log: entries, openings, datagrams about heads."""

from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.beacons import LINKS, SPENT, link_of
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import MAX_ENTRIES, Delta, decode_delta, encode_delta
from citadels_lan.crypto.log import OPENINGS, SEAL_AFTER, Opened, Seal, TableMove, decode_entry, encode_entry
from citadels_lan.crypto.packing import Malformed, pack, pad
from citadels_lan.crypto.signed_head import MAX_DATAGRAM
from citadels_lan.crypto.signed_head import decode as decode_datagram
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.net.client.others import forks
from citadels_lan.net.client.others.forks import Comparer
from tests.crypto.heads import HEADER, datagram
from tests.crypto.table import player

from .stated import malformed, provokes

SHORT: Final = Opening(1, 0, 0, "pick", "pick king", bytes(32))


@provokes("moves without a seal")
def _() -> None:
    """That it comes after the 32nd: `tests/crypto/log/test_ledger.py`."""
    assert SEAL_AFTER == 32
    assert isinstance(decode_entry(pack([5, [bytes(64)] * 32])), Seal)
    malformed(decode_entry, pack([5, [bytes(64)] * 33]))


@provokes("openings of an entry")
def _() -> None:
    assert OPENINGS == 24
    assert isinstance(decode_entry(encode_entry(Opened((SHORT,) * 24))), Opened)
    malformed(decode_entry, encode_entry(Opened((SHORT,) * 25)))


@provokes("events of an entry")
def _() -> None:
    assert isinstance(decode_entry(encode_entry(TableMove([[15]] * 256))), TableMove)
    malformed(decode_entry, pack([4, [[15]] * 257]))


@provokes("links")
def _() -> None:
    """The 256th is the secret; what stands for one after that is nobody's."""
    assert LINKS == 256
    secret = bytes([5]) * 32
    assert link_of(bytes(16), 0, secret, 256) == secret
    assert link_of(bytes(16), 0, secret, 257) == SPENT == bytes(32)


@provokes("a file")
def _(folder: Path) -> None:
    with (folder / "one.ctr").open("w+b") as file:
        file.seek(64 * 1024 * 1024 - 266)
        writer = Writer(file, FileHead(bytes(16), "2", bytes(32), bytes(32), 0, bytes(32)))
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


@provokes("a datagram")
def _() -> None:
    assert MAX_DATAGRAM == 512
    with pytest.raises(Malformed, match="too long"):
        decode_datagram(bytes(513))
    with pytest.raises(Malformed) as other:
        decode_datagram(bytes(512))
    assert "too long" not in str(other.value)


@provokes("datagrams that are checked")
def _() -> None:
    """More of both: `tests/net/client/test_comparing.py`."""
    assert (forks.RATE, forks.RATE_OF_ONE) == (10, 4)
    for sources, checked in ((1, 8), (40, 10)):
        comparer = Comparer(HEADER, 0, player(0))
        for number in range(40):
            comparer.take(datagram(1, 100 + number), 1000.0, f"{number % sources}")
        assert comparer.checks == checked


@provokes("datagrams that wait")
def _() -> None:
    for seat, places in ((1, 6), (None, 10)):
        comparer = Comparer(HEADER, 0, player(0))
        for number in range(20):
            comparer.take(datagram(seat, 100 + number), 1000.0 + number, "")
        assert comparer.waiting == places
        waiting = [received.heard.n for received in comparer._pending[seat]]
        assert waiting == list(range(120 - places, 120))


@provokes("the public part")
def _() -> None:
    for length, taken in ((4096, True), (4097, False)):
        body = pad(pack([1, bytes(64), bytes(length), b"", None, None]))
        if taken:
            assert len(decode_delta(body).public) == length
        else:
            malformed(decode_delta, body)
