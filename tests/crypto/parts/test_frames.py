from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.packing import digest, frame, u8, u16, u32, u64

FIELDS = st.lists(st.binary(max_size=20), max_size=4)


@given(FIELDS, FIELDS)
def test_other_fields_give_other_bytes(one: list[bytes], other: list[bytes]) -> None:
    assert (frame("t", *one) == frame("t", *other)) == (one == other)


def test_another_tag_gives_another_digest() -> None:
    assert digest("one", b"x") != digest("two", b"x")
    assert digest("one", b"x") != digest("one", b"x", b"")


def test_strings_go_in_as_utf8() -> None:
    assert frame("t", "città") == frame("t", "città".encode())


def test_numbers_are_big_endian_and_bounded() -> None:
    assert (u8(1), u16(1), u32(1), u64(1)) == (b"\1", b"\0\1", b"\0\0\0\1", bytes(7) + b"\1")
