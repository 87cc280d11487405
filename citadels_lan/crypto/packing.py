"""MessagePack under limits: what may be decoded at all (docs/protocol.md, sections 2 and 3).

There is exactly one encoding of each value, and whatever goes wrong while decoding is one exception, `Malformed`.
"""

import unicodedata
from functools import lru_cache
from typing import Any, TypeVar

import msgpack  # type: ignore[import-untyped]  # it ships none
import msgspec

T = TypeVar("T")

MAX_STR = 1024
MAX_BIN = 4096
MAX_ARRAY = 256
MAX_MAP = 64
MAX_DEPTH = 8
MAX_BODY = 65_536
SMALLEST = 256
STEP = 1024

_PLAIN = frozenset({int, bytes, bool, type(None)})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control, format (bidirectional marks among them), surrogate and line-breaking characters."""


class Malformed(ValueError):
    """These bytes do not say anything in this protocol. The message holds no part of them."""


def pack(value: object) -> bytes:
    """The shortest MessagePack encoding of plain data and of array-like Structs."""
    packed = msgpack.packb(msgspec.to_builtins(value, builtin_types=(bytes,)), use_bin_type=True)
    assert isinstance(packed, bytes)
    return packed


def unpack(data: bytes) -> Any:
    """The plain value that `data` encodes, within the limits; Malformed for everything else."""
    value, length = _first(data)
    if length != len(data):
        raise Malformed("there is more than one value")
    return value


def bucket(length: int) -> int:
    """The padded length of a body: 256, 512, 1024, then multiples of 1024."""
    for size in (SMALLEST, 2 * SMALLEST):
        if length <= size:
            return size
    return -(-length // STEP) * STEP


def pad(packed: bytes, size: int = 0) -> bytes:
    """A body: the packed value and zeros up to its bucket, or to the bucket of `size` if that is larger."""
    return packed.ljust(bucket(max(len(packed), size)), b"\0")


def unpad(body: bytes) -> Any:
    """The plain value in a padded body; Malformed unless the rest is zeros up to a bucket."""
    if len(body) > MAX_BODY or len(body) != bucket(len(body)):
        raise Malformed("the length is not that of a padded body")
    value, length = _first(body)
    if body.count(0, length) != len(body) - length:
        raise Malformed("the padding is not zero")
    return value


def typed(value: object, kind: type[T]) -> T:
    """Plain data as `kind`, a msgspec type; Malformed if it does not fit."""
    try:
        held = msgspec.convert([value], _holder(kind))  # type: ignore[arg-type]  # a type is hashable
    except (msgspec.ValidationError, RecursionError):
        raise Malformed(f"not a {getattr(kind, '__name__', 'known')} record") from None
    found: T = held.value
    return found


@lru_cache(maxsize=64)
def _holder(kind: Any) -> Any:
    """A Struct around a type. msgspec prepares Structs once, but unions and lists at every conversion: without
    this an event costs a hundred times as much."""
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
        _check(value, 1)
        shortest = msgpack.packb(value, use_bin_type=True) == data[:length]
    except Malformed:
        raise
    except Exception:
        # The decoder's errors are many and may quote what they read.
        raise Malformed("not MessagePack within the limits") from None
    if not shortest:
        raise Malformed("not the shortest encoding")
    return value, length


def _check(value: object, depth: int) -> None:
    """Malformed unless a value, so deep in others, is one of this protocol."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, list):
        _check_parts(value, depth + 1)
    elif isinstance(value, dict):
        _check_parts([*value, *value.values()], depth + 1)
    elif type(value) not in _PLAIN:
        raise Malformed("a type that this protocol does not use")


def _check_parts(parts: list[object], depth: int) -> None:
    if parts and depth > MAX_DEPTH:
        raise Malformed("nested too deeply")
    for part in parts:
        kind = type(part)
        if kind in _PLAIN or (kind is str and part.isascii() and part.isprintable()):  # type: ignore[attr-defined]
            continue  # a call for each of them would take most of the time
        _check(part, depth)


def _check_text(text: str) -> None:
    if text.isascii() and text.isprintable():
        return
    if not unicodedata.is_normalized("NFC", text):
        raise Malformed("text that is not in normal form")
    if any(unicodedata.category(char) in _UNSEEN for char in text):
        raise Malformed("text with control characters")
