from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships none
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto import codec
from citadels_lan.engine import EVENTS, encode_event
from citadels_lan.engine.events import CardsReturned
from tests.effort import one_case

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=40)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40)
VALUES = st.recursive(SCALARS | ASCII, lambda inner: st.lists(inner, max_size=5), max_leaves=20)


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 1


@given(VALUES.filter(lambda value: depth(value) <= 8))
def test_unpack_is_the_inverse_of_pack(value: Any) -> None:
    assert codec.unpack(codec.pack(value)) == value
    assert codec.unpad(codec.pad(codec.pack(value))) == value


@given(st.binary(max_size=300))
def test_random_bytes_are_rejected_or_the_only_encoding_of_a_value(data: bytes) -> None:
    for decode, encode in ((codec.unpack, codec.pack), (codec.unpad, lambda value: codec.pad(codec.pack(value)))):
        try:
            value = decode(data)
        except codec.Malformed:
            continue
        assert encode(value) == data


@given(VALUES)
def test_msgpack_library_packs_the_same_bytes(value: Any) -> None:
    assert codec.pack(value) == msgpack.packb(value, use_bin_type=True)


def nested(levels: int) -> bytes:
    return b"\x91" * levels + b"\xc0"


REFUSED = {
    "nothing": b"",
    "a second value": b"\x01\x01",
    "a long form of a small number": b"\xcc\x01",
    "a long form of a short array": b"\xdc\x00\x00",
    "a float": b"\xcb" + bytes(8),
    "an extension": b"\xd4\x01\x00",
    "a time": b"\xd6\xff" + bytes(4),
    "a number as a key": b"\x81\x01\x01",
    "a string too long": msgpack.packb("a" * 1025),
    "a bin too long": msgpack.packb(bytes(4097)),
    "an array too long": msgpack.packb([0] * 257),
    "a map too large": msgpack.packb({str(key): 0 for key in range(65)}),
    "nesting": nested(8),
    "much nesting": nested(5000),
    "headers without contents": b"\xdd\xff\xff\xff\xff",
    "headers upon headers": b"\xdc\x01\x00" * 20000,
    "bytes that are no UTF-8": b"\xa1\xff",
    "a control character": msgpack.packb("a\x1b[2J"),
    "a bidirectional mark": msgpack.packb("a\u202eb"),
    "a line separator": msgpack.packb("a\u2028b"),
    "text that is not composed": msgpack.packb("e\u0300"),
    "a reserved byte": b"\xc1",
}


@one_case("data", REFUSED.values(), ids=REFUSED)
def test_values_over_a_limit_are_malformed(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        codec.unpack(data)


@one_case(
    ("length", "padded"), [(0, 256), (256, 256), (257, 512), (513, 1024), (1024, 1024), (1025, 2048), (4000, 4096)]
)
def test_body_is_padded_to_the_next_fixed_length(length: int, padded: int) -> None:
    assert codec.bucket(length) == padded


@one_case("body", [b"\x01" * 256, b"\x01".ljust(255, b"\0"), b"\x01", b"", b"\x01".ljust(66560, b"\0")])
def test_padding_with_other_bytes_than_zero_is_rejected(body: bytes) -> None:
    with pytest.raises(codec.Malformed):
        codec.unpad(body)


def test_error_message_does_not_contain_the_bytes() -> None:
    with pytest.raises(codec.Malformed) as caught:
        codec.typed("verysecret", int)
    assert "verysecret" not in str(caught.value)


def test_msgspec_decoder_of_a_union_is_cached() -> None:
    """Otherwise msgspec prepares it at every conversion, which takes a hundred times as long."""
    event = CardsReturned(1, ("castle",), "wizard")
    assert codec.typed(encode_event(event), EVENTS) == event
    prepared = codec._holder.cache_info().misses
    assert codec.typed(encode_event(event), EVENTS) == event
    assert codec._holder.cache_info().misses == prepared
    with pytest.raises(codec.Malformed):
        codec.typed(["no event"], EVENTS)


FIELDS = st.lists(st.binary(max_size=20), max_size=4)


@given(FIELDS, FIELDS)
def test_different_fields_are_encoded_as_different_bytes(one: list[bytes], other: list[bytes]) -> None:
    assert (codec.frame("t", *one) == codec.frame("t", *other)) == (one == other)
