"""Sections 1 and 2 of docs/protocol.md: hashes, signatures, MessagePack, and the shape of what it holds."""

import hashlib
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

VALUES, DEPTH = 2_000_000, 8


class Bad(Exception):
    """Something contradicts the protocol."""


class TooMany(Exception):
    """A file with more values than this program looks at."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Bad(why)


def u8(number: int) -> bytes:
    return int(number).to_bytes(1)


def u16(number: int) -> bytes:
    return number.to_bytes(2)


def u64(number: int) -> bytes:
    return number.to_bytes(8)


def frame(tag: str, *fields: bytes | str) -> bytes:
    name, raw = b"citadels-lan/v2/" + tag.encode(), (f.encode() if isinstance(f, str) else f for f in fields)
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


def valid(key: bytes, signature: bytes, tag: str, *fields: bytes | str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, frame(tag, *fields))
    except (InvalidSignature, ValueError):
        return False
    return sound(key)


# Forms of MessagePack by their first byte: what it is, the bytes of its length or number, and the length if there
# are none. Any form will do, the shortest or not: which of them may be written is for the program to say.
FORMS: list[tuple[str, int, int]] = [("int", 0, n) for n in range(128)]
FORMS += (
    [("map", 0, n) for n in range(16)] + [("array", 0, n) for n in range(16)] + [("str", 0, n) for n in range(32)]
)
FORMS += [("nil", 0, 0), ("", 0, 0), ("bool", 0, 0), ("bool", 0, 1), ("bin", 1, 0), ("bin", 2, 0), ("bin", 4, 0)]
FORMS += [("ext", 1, 0), ("ext", 2, 0), ("ext", 4, 0), ("float", 0, 4), ("float", 0, 8)]
FORMS += [(form, width, 0) for form in ("int", "signed") for width in (1, 2, 4, 8)]
FORMS += [("ext", 0, size) for size in (1, 2, 4, 8, 16)] + [("str", width, 0) for width in (1, 2, 4)]
FORMS += [(form, width, 0) for form in ("array", "map") for width in (2, 4)] + [
    ("int", 0, n) for n in range(-32, 0)
]


class Reader:
    """Reads the values of one file; TooMany where they are more than anybody would write."""

    def __init__(self) -> None:
        self.left = VALUES

    def value(self, data: bytes, at: int = 0, depth: int = 1) -> tuple[Any, int]:
        """The value at a place, and where it ends."""
        self.left -= 1
        if self.left < 0:
            raise TooMany(f"more than {VALUES} values")
        need(at < len(data) and depth <= DEPTH, "MessagePack that is cut off, or too deep")
        (form, width, size), at = FORMS[data[at]], at + 1
        if width:
            size, at = int.from_bytes(data[at : at + width], signed=form == "signed"), at + width
        end = at + size + (form == "ext") if form in {"str", "bin", "ext", "float"} else at
        need(form and end <= len(data), "MessagePack that is cut off, or none")
        match form:
            case "array" | "map":
                items = []
                for _ in range(size * (2 if form == "map" else 1)):
                    item, end = self.value(data, end, depth + 1)
                    items.append(item)
                return (items if form == "array" else {form: items}), end
            case "str":
                try:
                    return data[at:end].decode(), end
                except UnicodeDecodeError:
                    raise Bad("a string that is not UTF-8") from None
        plain = {"int": size, "signed": size, "nil": None, "bool": size > 0, "bin": data[at:end]}
        return plain.get(form, {form: data[at:end]}), end

    def read(self, data: bytes, shape: Any, *, padded: bool = False) -> Any:
        """The one value that these bytes are, in this shape; `padded` ones may have zeros after it."""
        value, end = self.value(data)
        need(not (data[end:].strip(b"\0") if padded else data[end:]) and fits(value, shape), "a wrong shape")
        return value


def fits(value: Any, shape: Any) -> bool:
    """A range is a number in it, a number is that many bytes, a list is any number of these, a tuple is exactly
    these, a set is one of these, anything else is a type, or the value itself."""
    if isinstance(shape, set):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list | tuple):
        shapes = shape * len(value) if isinstance(value, list) and isinstance(shape, list) else shape
        return isinstance(value, list) and len(value) == len(shapes) and all(map(fits, value, shapes))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    if isinstance(shape, int) and not isinstance(shape, bool):
        return isinstance(value, bytes) and len(value) == shape
    return type(value) is shape or (isinstance(shape, str) and value == shape)


def alike(told: Any, true: Any) -> bool:
    """Whether something that was told can be the truth; `?` is what was not told, or is not known here."""
    if isinstance(told, list):
        return isinstance(true, list) and len(told) == len(true) and all(map(alike, told, true))
    return told == true or "?" in (told, true)
