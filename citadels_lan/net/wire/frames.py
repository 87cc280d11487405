"""Frames: `u32 length | u8 type | body`. The body is one msgpack array with zeros up to its bucket."""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto.codec import MAX_BODY, Malformed, bucket

HEADER: Final = 5
STRANGER: Final = 4096
"""Longest body before the peer is known, in bytes."""
KNOWN: Final = MAX_BODY
"""Longest body afterwards, in bytes."""


class Frame(Struct, frozen=True):
    """One frame as it came: its type and its body, padding included."""

    type: int
    body: bytes


def next_frame(buffer: bytearray, limit: int = STRANGER) -> Frame | None:
    """Take the first frame out of a buffer; None if it is not complete. `limit` is the longest accepted body, in
    bytes. Raises Malformed, and changes nothing then: the next frame cannot be found."""
    if len(buffer) < HEADER:
        return None
    length = int.from_bytes(buffer[:4], "big")
    if not 0 < length <= limit or bucket(length) != length:
        raise Malformed("no body has this length")
    end = HEADER + length
    if len(buffer) < end:
        return None
    frame = Frame(buffer[4], bytes(buffer[HEADER:end]))
    del buffer[:end]
    return frame


def encode_frame(kind: int, body: bytes) -> bytes:
    """Return a frame around a padded body."""
    if not 0 < len(body) <= KNOWN or bucket(len(body)) != len(body):
        raise ValueError("the body is not padded, or too long")
    return len(body).to_bytes(4, "big") + bytes((kind,)) + body
