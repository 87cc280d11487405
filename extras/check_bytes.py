"""Sections 1 and 2 of docs/protocol.md: hashes, signatures, MessagePack, and the shape of what it holds."""

import hashlib
import unicodedata
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# fmt: off
# Forms of MessagePack by their first tag: the bytes of the length or number, and from what on it is the shortest.
FORMS = {0x00: ("int", 0, 0), 0x80: ("map", 0, 0), 0x90: ("array", 0, 0), 0xA0: ("str", 0, 0), 0xC0: ("nil", 0, 0),
         0xC1: ("", 0, 0), 0xC2: ("bool", 0, 0), 0xC4: ("bin", 1, 0), 0xC5: ("bin", 2, 256), 0xC6: ("", 0, 0),
         0xCC: ("int", 1, 128), 0xCD: ("int", 2, 256), 0xCE: ("int", 4, 1 << 16), 0xCF: ("int", 8, 1 << 32),
         0xD0: ("neg", 1, -32), 0xD1: ("neg", 2, -128), 0xD2: ("neg", 4, -1 << 15), 0xD3: ("neg", 8, -1 << 31),
         0xD4: ("", 0, 0), 0xD9: ("str", 1, 32), 0xDA: ("str", 2, 256), 0xDB: ("", 0, 0), 0xDC: ("array", 2, 16),
         0xDD: ("", 0, 0), 0xDE: ("map", 2, 16), 0xDF: ("", 0, 0), 0xE0: ("fixed", 0, 0)}
LIMITS = {"str": 1024, "bin": 4096, "array": 256, "map": 64}
# fmt: on


class Bad(Exception):
    """Something contradicts the protocol."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


# 1. Hashes and signatures


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, raw = b"citadels-lan/v1/" + tag.encode(), (f.encode() if isinstance(f, str) else f for f in fields)
    return len(name).to_bytes() + name + b"".join(len(one).to_bytes(4) + one for one in raw)


def digest(tag: str, *fields: bytes | str) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


@cache
def sound(key: bytes) -> bool:
    """A canonical point of the curve that is not of small order: by such keys anything seems signed."""
    p, y = 2**255 - 19, int.from_bytes(key, "little") % 2**255
    order_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    square = (y * y - 1) * pow(1 - 121665 * pow(121666, -1, p) * y * y, -1, p)
    return y < p and y not in {0, 1, p - 1, order_8, p - order_8} and pow(square, p // 2, p) == 1


def valid(key: bytes, signature: bytes, *signed: Any) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(*signed))
    except (InvalidSignature, ValueError):
        return False
    return sound(key)


# 2. MessagePack, and the shape of what it holds


def unpack(data: bytes, at: int = 0, depth: int = 1) -> tuple[Any, int]:
    """The value at a place, and where it ends."""
    need(at < len(data) and depth <= 8, "MessagePack is cut off or too deep")
    first = max(tag for tag in FORMS if tag <= data[at])
    (form, width, least), offset, at = FORMS[first], data[at] - first, at + 1
    size, at = int.from_bytes(data[at : at + width], signed=form == "neg") if width else offset, at + width
    shortest = size < least if form == "neg" else size >= least
    need(form and shortest and at <= len(data), "MessagePack has a form that is not allowed, or is cut off")
    if form in {"nil", "bool", "int", "neg", "fixed"}:
        return {"nil": None, "bool": size == 1, "fixed": size - 32}.get(form, size), at
    need(size <= LIMITS[form], f"MessagePack has a {form} that is too long")
    if form in {"str", "bin"}:
        need(at + size <= len(data), "MessagePack is cut off")
        return (clean if form == "str" else bytes)(data[at : at + size]), at + size
    items = []
    for _ in range(size * (2 if form == "map" else 1)):
        item, at = unpack(data, at, depth + 1)
        items.append(item)
    keys = [key for key in items[::2] if isinstance(key, str)]
    need(form == "array" or len({*keys}) == size, "MessagePack has a map whose keys are not strings that differ")
    return (items if form == "array" else dict(zip(keys, items[1::2], strict=True))), at


def clean(raw: bytes) -> str:
    string = raw.decode(errors="replace")
    allowed = not {"Cc", "Cf", "Zl", "Zp"} & {*map(unicodedata.category, string)}
    need(allowed and string.encode() == raw and unicodedata.is_normalized("NFC", string), "a string is not clean")
    return string


def fits(value: Any, shape: Any) -> bool:
    """A range is a number in it, a number is that many bytes, a list is any number of these, a tuple is exactly
    these, a set is one of these, a dict is an array by its first number (with a name), anything else is a type."""
    if isinstance(shape, set):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, dict):
        numbered = isinstance(value, list) and value != [] and type(value[0]) is int
        return numbered and fits(value[1:], shape[value[0] if value[0] in shape else None][1])
    if isinstance(shape, list | tuple) and isinstance(value, list):
        shapes = shape * len(value) if isinstance(shape, list) else shape
        return len(value) == len(shapes) and all(map(fits, value, shapes))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    if isinstance(shape, int):
        return isinstance(value, bytes) and len(value) == shape
    return shape in (value, type(value))


def decode(data: bytes, shape: Any, *, padded: bool = False) -> Any:
    value, end = unpack(data)
    bucket = (len(data) in {256, 512} or len(data) % 1024 == 0) and not any(data[end:])
    need((bucket if padded else end == len(data)) and fits(value, shape), "a record of a wrong length or shape")
    return value
