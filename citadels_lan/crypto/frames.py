"""The bytes that are hashed and signed: a tag that says what for, then every field with its length.

Two different lists of fields never give the same bytes, and bytes framed for one use never pass for another.
"""

import hashlib
from functools import cache

PREFIX = "citadels-lan/v2/"

Field = bytes | str


def frame(tag: str, *fields: Field) -> bytes:
    """The fields under a tag, each with its length; strings go in as UTF-8."""
    parts = [_beginning(tag)]
    for field in fields:
        data = field.encode() if isinstance(field, str) else field
        parts += (len(data).to_bytes(4, "big"), data)
    return b"".join(parts)


@cache
def _beginning(tag: str) -> bytes:
    name = (PREFIX + tag).encode()
    return u8(len(name)) + name


def digest(tag: str, *fields: Field) -> bytes:
    """SHA-256 of the frame: 32 bytes. `H` of docs/protocol.md."""
    return hashlib.sha256(frame(tag, *fields)).digest()


def u8(value: int) -> bytes:
    """One byte; OverflowError if it does not fit, as for the other widths."""
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    """Two bytes, big-endian."""
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    """Four bytes, big-endian."""
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    """Eight bytes, big-endian."""
    return value.to_bytes(8, "big")
