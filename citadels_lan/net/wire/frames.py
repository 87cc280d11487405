"""Frames: `u32 length | u8 type | body`, a body being one msgpack array with zeros up to its bucket.

The decoder holds at most one incomplete frame, so its memory is bounded by the limit; a length that no body can
have is refused from the header alone.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.packing import MAX_BODY, Malformed, bucket, pad

HEADER: Final = 5
STRANGER: Final = 4096
"""Longest body before the peer is known, in bytes."""
KNOWN: Final = MAX_BODY
"""Longest body afterwards, in bytes."""


class Frame(Struct, frozen=True):
    """One frame as it came: its type and its body, padding included."""

    type: int
    body: bytes


class Decoder:
    """Bytes in, frames out. `limit` is the longest body taken, in bytes.

    After a Malformed there is no way to find the next frame: every later call raises it again.
    """

    def __init__(self, limit: int = STRANGER) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._broken = False

    @property
    def partial(self) -> bool:
        """Whether a frame has begun and is not complete."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete now. Raises Malformed."""
        if self._broken:
            raise Malformed("the stream is broken")
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        if len(self._buffer) < HEADER:
            return None
        length = int.from_bytes(self._buffer[:4], "big")
        if not 0 < length <= self.limit or bucket(length) != length:
            self._broken = True
            self._buffer.clear()
            raise Malformed("no body has this length")
        end = HEADER + length
        if len(self._buffer) < end:
            return None
        frame = Frame(self._buffer[4], bytes(self._buffer[HEADER:end]))
        del self._buffer[:end]
        return frame


def encode_frame(kind: int, body: bytes) -> bytes:
    """A frame around a padded body."""
    if not 0 < len(body) <= KNOWN or bucket(len(body)) != len(body):
        raise ValueError("the body is not padded, or too long")
    return len(body).to_bytes(4, "big") + bytes((kind,)) + body


def encode_packed(kind: int, packed: bytes, least: int = 0) -> bytes:
    """A frame around packed msgpack, which it pads, at least to the bucket of `least` bytes."""
    return encode_frame(kind, pad(packed, least))
