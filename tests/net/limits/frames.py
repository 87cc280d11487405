"""Limits of frames and bodies: how long, how deep, how many."""

import pytest

from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.net.wire.frames import KNOWN, Decoder, encode_frame

from .stated import fed, malformed, provokes


def header(length: int) -> bytes:
    return length.to_bytes(4, "big") + b"\x14"


@provokes("a body")
def _() -> None:
    assert len(list(Decoder(KNOWN).feed(encode_frame(20, bytes(65_536))))) == 1
    malformed(fed, Decoder(KNOWN), header(65_536 + 1024))
    with pytest.raises(ValueError, match="too long"):
        encode_frame(20, bytes(65_536 + 1024))


@provokes("a body of a stranger")
def _() -> None:
    assert len(list(Decoder().feed(encode_frame(20, bytes(4096))))) == 1
    malformed(fed, Decoder(), header(5120))


def within(value: object, beyond: object) -> None:
    assert unpack(pack(value)) == value
    malformed(unpack, pack(beyond))


@provokes("a string")
def _() -> None:
    within("x" * 1024, "x" * 1025)
    within("è" * 512, "è" * 513)


@provokes("bytes")
def _() -> None:
    within(bytes(4096), bytes(4097))


@provokes("an array")
def _() -> None:
    within([0] * 256, [0] * 257)


@provokes("a map")
def _() -> None:
    def entries(count: int) -> dict[str, int]:
        return {str(number): number for number in range(count)}

    within(entries(64), entries(65))


def nested(depth: int) -> object:
    return 1 if depth == 1 else [nested(depth - 1)]


@provokes("depth")
def _() -> None:
    within(nested(8), nested(9))
