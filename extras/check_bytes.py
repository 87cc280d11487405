"""Sections 1 and 2 of docs/protocol.md: hashes, signatures, MessagePack, and the shapes of values."""

import hashlib
import re
import unicodedata
from contextlib import suppress
from functools import cache, partial
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships none
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KINDS = {int, bytes, bool, type(None), str, list, dict}
LIMITS = {"max_str_len": 1024, "max_bin_len": 4096, "max_array_len": 256, "max_map_len": 64, "max_ext_len": 0}
DEPTH = 8


class Bad(Exception):
    """A value contradicts the protocol. The message never contains raw bytes of the file."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


u8, u16, u64 = (partial(int.to_bytes, length=size) for size in (1, 2, 8))


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, raw = b"citadels-lan/v2/" + tag.encode(), (f.encode() if isinstance(f, str) else f for f in fields)
    return u8(len(name)) + name + b"".join(len(one).to_bytes(4) + one for one in raw)


def digest(tag: str, *fields: bytes | str) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


@cache
def sound(key: bytes) -> bool:
    """Return whether a key is a point of the curve in its only valid form, and not of small order."""
    p, y = 2**255 - 19, int.from_bytes(key, "little") % 2**255
    order_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    square = (y * y - 1) * pow(1 - 121665 * pow(121666, -1, p) * y * y, -1, p)
    return y < p and y not in {0, 1, p - 1, order_8, p - order_8} and pow(square, p // 2, p) == 1


def valid(key: bytes, signature: bytes, tag: str, *fields: bytes | str) -> bool:
    with suppress(InvalidSignature, ValueError):
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(tag, *fields))
        return sound(key)
    return False


def read(data: bytes, shape: Any, *, padded: bool = False) -> Any:
    """Return the value that these bytes encode. Raises Bad if it does not have this shape (see `fits`). With
    `padded`, zeros may follow the value."""
    unpacker = msgpack.Unpacker(**LIMITS)
    unpacker.feed(data)
    try:
        value = unpacker.unpack()
    except (ValueError, msgpack.UnpackException):
        raise Bad("not MessagePack within the limits") from None
    inner, rest = [value], data[unpacker.tell() :]
    for _ in range(DEPTH):
        need(all(map(plain, inner)), "a value of another kind, or text with characters that are not allowed")
        inner = [[*one, *one.values()] if isinstance(one, dict) else one for one in inner]
        inner = [part for one in inner if isinstance(one, list) for part in one]
    need(not (rest.strip(b"\0") if padded else rest) and not inner, "bytes after a value, or too deep nesting")
    right = fits(value, shape) and msgpack.packb(value) == data[: unpacker.tell()]
    need(right, "a value of another shape, or not the shortest MessagePack")
    return value


def plain(value: Any) -> bool:
    """Return whether section 2 allows the type of a value, and its characters if it is text. Values inside a
    list or a dict are not checked."""
    if not isinstance(value, str) or (value.isascii() and value.isprintable()):
        return type(value) in KINDS and (not isinstance(value, dict) or all(isinstance(key, str) for key in value))
    odd = {unicodedata.category(one) for one in value} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return not odd and unicodedata.is_normalized("NFC", value)


def fits(value: Any, shape: Any) -> bool:
    """Return whether a value has a shape: a range of numbers, a pattern for strings, a number of bytes,
    `[shape]` or `[shape, 9]` for lists (of at most 9 items), a tuple for lists of exactly these items, a set
    of alternatives, or a type."""
    if isinstance(shape, set):
        return any(fits(value, one) for one in shape)
    if isinstance(value, list) and isinstance(shape, list | tuple):
        each = shape if isinstance(shape, tuple) else shape[:1] * len(value)
        most = len(each) if isinstance(shape, tuple) else (shape[1:] or [256])[0]
        return len(value) == len(each) <= most and all(map(fits, value, each))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    if isinstance(shape, str):
        return isinstance(value, str) and re.fullmatch(shape, value) is not None
    return isinstance(value, bytes) and len(value) == shape if isinstance(shape, int) else type(value) is shape


def alike(one: Any, other: Any) -> bool:
    """Return whether two values are equal. `?` stands for a hidden value, which is equal to any value."""
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(alike, one, other))
    return one == other or "?" in (one, other)
