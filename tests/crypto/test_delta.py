import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.delta import Delta, decode_delta, encode_delta
from citadels_lan.crypto.packing import Malformed

DELTAS = st.builds(
    Delta,
    st.integers(1, 2**32),
    st.binary(min_size=4, max_size=4),
    st.binary(max_size=300),
    st.binary(max_size=99),
    st.none() | st.binary(min_size=16, max_size=16),
    st.none() | st.binary(max_size=300),
)


@given(DELTAS)
def test_round_trip(delta: Delta) -> None:
    assert decode_delta(encode_delta(delta)) == delta


def test_all_viewers_get_bodies_of_one_length() -> None:
    short = Delta(1, bytes(4), b"", b"", None, None)
    assert len(encode_delta(short)) == 256
    assert len(encode_delta(short, 700)) == 1024


@given(st.binary(max_size=40), st.sampled_from([256, 512, 1024]))
def test_garbage(data: bytes, length: int) -> None:
    with pytest.raises(Malformed):
        decode_delta(data.ljust(length, b"\0"))
