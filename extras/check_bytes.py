"""Sections 1 and 2 of docs/protocol.md: hashes, signatures, MessagePack, and the shape of what it holds."""

import hashlib
import re
from functools import cache
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships none
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LIMITS = {"max_str_len": 1024, "max_bin_len": 4096, "max_array_len": 256, "max_map_len": 64, "max_ext_len": 0}
DEPTH = 8


class Bad(Exception):
    """Something contradicts the protocol."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


def u8(number: int) -> bytes:
    return number.to_bytes(1)


def u16(number: int) -> bytes:
    return number.to_bytes(2)


def u64(number: int) -> bytes:
    return number.to_bytes(8)


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, raw = b"citadels-lan/v2/" + tag.encode(), (f.encode() if isinstance(f, str) else f for f in fields)
    return u8(len(name)) + name + b"".join(len(one).to_bytes(4) + one for one in raw)


def digest(tag: str, *fields: bytes | str) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


@cache
def sound(key: bytes) -> bool:
    """A canonical point of the curve that is not of small order: by such keys anything seems signed."""
    p, y = 2**255 - 19, int.from_bytes(key, "little") % 2**255
    order_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    square = (y * y - 1) * pow(1 - 121665 * pow(121666, -1, p) * y * y, -1, p)
    return y < p and y not in {0, 1, p - 1, order_8, p - order_8} and pow(square, p // 2, p) == 1


def valid(key: bytes, signature: bytes, tag: str, *fields: bytes | str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(tag, *fields))
    except (InvalidSignature, ValueError):
        return False
    return sound(key)


def read(data: bytes, shape: Any, *, padded: bool = False) -> Any:
    """The one value that these bytes are, in this shape; `padded` ones may have zeros after it."""
    unpacker = msgpack.Unpacker(**LIMITS)
    unpacker.feed(data)
    try:
        value = unpacker.unpack()
    except (ValueError, msgpack.UnpackException):
        raise Bad("no MessagePack of this protocol") from None
    inner, rest = [value], data[unpacker.tell() :]
    for _ in range(DEPTH):
        inner = [[*one.values()] if isinstance(one, dict) else one for one in inner]
        inner = [part for one in inner if isinstance(one, list) for part in one]
    need(not (rest.strip(b"\0") if padded else rest) and not inner, "something behind a value, or too deep in it")
    need(fits(value, shape), "a value of another shape")
    need(msgpack.packb(value) == data[: unpacker.tell()], "not the shortest MessagePack")
    return value


def fits(value: Any, shape: Any) -> bool:
    """A range is a number in it, a string a pattern of strings, a number so many bytes, `[shape]` and `[shape, 9]`
    any number of these (9 at most), a tuple exactly these, a set one of these, anything else a type."""
    match shape:
        case set():
            return any(fits(value, one) for one in shape)
        case list():
            few = isinstance(value, list) and len(value) <= (shape[1:] or [256])[0]
            return few and all(fits(one, shape[0]) for one in value)
        case tuple():
            return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
        case range():
            return type(value) is int and value in shape
        case str():
            return isinstance(value, str) and re.fullmatch(shape, value) is not None
        case int():
            return isinstance(value, bytes) and len(value) == shape
    return type(value) is shape


def alike(told: Any, true: Any) -> bool:
    """Whether something that was told can be the truth; `?` is what was not told, or is not known here."""
    if isinstance(told, list):
        return isinstance(true, list) and len(told) == len(true) and all(map(alike, told, true))
    return told == true or "?" in (told, true)
