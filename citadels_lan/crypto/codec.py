"""The bytes of the protocol: frames that are hashed and signed, and MessagePack under limits (docs/protocol.md,
sections 1 and 2).

A frame has a tag for its purpose, then every field with its length. Two different lists of fields never give the
same bytes, and bytes framed for one purpose are never valid for another. Each value has exactly one encoding in
MessagePack. Every error in decoding raises `Malformed`.
"""

import hashlib
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import msgpack  # type: ignore[import-untyped]  # it ships none
import msgspec
from msgspec.msgpack import encode

T = TypeVar("T")

MAX_STR = 1024
MAX_BIN = 4096
MAX_ARRAY = 256
MAX_MAP = 64
MAX_DEPTH = 8
MAX_BODY = 65_536
SMALLEST = 256
STEP = 1024

_KINDS = frozenset({int, bytes, bool, type(None), str, list, dict})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of invisible characters: control, format (with the bidirectional marks), surrogate, and
line-breaking characters."""


class Malformed(ValueError):
    """Bytes that are not valid in this protocol. The message of the exception contains no part of them."""


def pack(value: object) -> bytes:
    """Return the shortest MessagePack encoding of plain data and of array-like Structs."""
    return encode(value)


def unpack(data: bytes) -> Any:
    """Return the plain value that `data` encodes. Raises Malformed if it is not valid or exceeds a limit."""
    value, length = _first(data)
    if length != len(data):
        raise Malformed("there is more than one value")
    return value


def bucket(length: int) -> int:
    """Return the length to which a body of `length` bytes is padded: 256, 512, 1024, or the next multiple of
    1024."""
    for size in (SMALLEST, 2 * SMALLEST):
        if length <= size:
            return size
    return -(-length // STEP) * STEP


def pad(packed: bytes, size: int = 0) -> bytes:
    """Return `packed` with zeros appended, up to the padded length that `bucket` gives for its length, or for
    `size` if that is larger."""
    return packed.ljust(bucket(max(len(packed), size)), b"\0")


def unpad(body: bytes) -> Any:
    """Return the plain value in a padded body. Raises Malformed unless only zeros follow the value and the
    body has a length that `bucket` returns."""
    if len(body) > MAX_BODY or len(body) != bucket(len(body)):
        raise Malformed("the length is not that of a padded body")
    value, length = _first(body)
    # Other bytes in the padding could carry a message past every check.
    if body.count(0, length) != len(body) - length:
        raise Malformed("the padding is not zero")
    return value


def typed(value: object, kind: type[T]) -> T:
    """Convert plain data to `kind`, a msgspec type. Raises Malformed if it does not fit."""
    try:
        held = msgspec.convert([value], _holder(kind))  # type: ignore[arg-type]  # a type is hashable
    except (msgspec.ValidationError, RecursionError):
        raise Malformed(f"not a {getattr(kind, '__name__', 'known')} record") from None
    found: T = held.value
    return found


@lru_cache(maxsize=64)
def _holder(kind: Any) -> Any:
    """Return a Struct class with one field of type `kind`. msgspec prepares a Struct only once, but a union
    or a list at every conversion, which would take a hundred times as long."""
    return msgspec.defstruct("Holder", [("value", kind)], array_like=True)


def _first(data: bytes) -> tuple[Any, int]:
    unpacker = msgpack.Unpacker(
        raw=False,
        strict_map_key=True,
        max_buffer_size=MAX_BODY,
        max_str_len=MAX_STR,
        max_bin_len=MAX_BIN,
        max_array_len=MAX_ARRAY,
        max_map_len=MAX_MAP,
        max_ext_len=0,
    )
    try:
        unpacker.feed(data)
        value = unpacker.unpack()
        length = unpacker.tell()
        _check(value)
        # A value with two encodings would have two hashes.
        shortest = encode(value) == data[:length]
    except Malformed:
        raise
    except Exception:
        # The decoder's errors are many and may quote what they read.
        raise Malformed("not MessagePack within the limits") from None
    if not shortest:
        raise Malformed("not the shortest encoding")
    return value, length


def _check(value: object) -> None:
    """Check that a value and all its parts are allowed in this protocol. Raises Malformed.

    It checks level by level: a call for each part would take most of the time.
    """
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        kinds = set(map(type, level))
        if not kinds <= _KINDS:
            raise Malformed("a type that this protocol does not use")
        if str in kinds:
            _check_texts([part for part in level if type(part) is str])
        inner = [part for part in level if type(part) is list] if list in kinds else []
        if dict in kinds:
            inner += [[*part, *part.values()] for part in level if type(part) is dict]
        level = list(chain.from_iterable(inner))
        if not level:
            return
    raise Malformed("nested too deeply")


def _check_texts(texts: list[str]) -> None:
    whole = "".join(texts)
    if whole.isascii() and whole.isprintable():
        return
    for text in texts:
        if not unicodedata.is_normalized("NFC", text):
            raise Malformed("text that is not in normal form")
        # Bidirectional marks and line breaks could disguise a name on a screen.
        if not text.isprintable() and any(unicodedata.category(char) in _UNSEEN for char in set(text)):
            raise Malformed("text with control characters")


PREFIX = "citadels-lan/v2/"

Field = bytes | str


def frame(tag: str, *fields: Field) -> bytes:
    """Join `tag` and the fields to the bytes that are hashed or signed: the tag, then each field after its
    length. Strings are encoded as UTF-8."""
    name = (PREFIX + tag).encode()
    parts = [u8(len(name)), name]
    for field in fields:
        data = field.encode() if isinstance(field, str) else field
        parts += (len(data).to_bytes(4, "big"), data)
    return b"".join(parts)


def digest(tag: str, *fields: Field) -> bytes:
    """Return SHA-256 of the bytes `frame(tag, *fields)`: 32 bytes. docs/protocol.md writes this as `H(tag,
    fields)`."""
    return hashlib.sha256(frame(tag, *fields)).digest()


def u8(value: int) -> bytes:
    """Encode `value` as one byte. Raises OverflowError if it does not fit; `u16`, `u32` and `u64` do the
    same."""
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    """Encode `value` as two bytes, big-endian."""
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    """Encode `value` as four bytes, big-endian."""
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    """Encode `value` as eight bytes, big-endian."""
    return value.to_bytes(8, "big")
