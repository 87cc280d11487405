import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.log import MAX_ENTRIES, Delta, decode_delta, encode_delta
from citadels_lan.crypto.packing import Malformed
from tests.effort import one_case

DELTAS = st.builds(
    Delta,
    st.integers(1, MAX_ENTRIES),
    st.binary(min_size=64, max_size=64),
    st.binary(max_size=300),
    st.binary(max_size=99),
    st.none() | st.binary(min_size=16, max_size=16),
    st.none() | st.binary(max_size=300),
)


@given(DELTAS)
def test_round_trip(delta: Delta) -> None:
    assert decode_delta(encode_delta(delta)) == delta


def test_all_viewers_get_bodies_of_one_length() -> None:
    short = Delta(1, bytes(64), b"", b"", None, None)
    assert len(encode_delta(short)) == 256
    assert len(encode_delta(short, 700)) == 1024


@one_case("n", [0, MAX_ENTRIES + 1, 2**32])
def test_a_game_has_no_more_entries_than_a_transcript(n: int) -> None:
    """A host without an end would fill the disk of its guests with a file that nobody could read."""
    with pytest.raises(Malformed):
        decode_delta(encode_delta(Delta(n, bytes(64), b"", b"", None, None)))


@given(st.binary(max_size=40), st.sampled_from([256, 512, 1024]))
def test_garbage(data: bytes, length: int) -> None:
    with pytest.raises(Malformed):
        decode_delta(data.ljust(length, b"\0"))


@one_case("signature", [b"", bytes(4), bytes(63), bytes(65)])
def test_every_entry_has_a_whole_signature(signature: bytes) -> None:
    with pytest.raises(Malformed):
        decode_delta(encode_delta(Delta(1, signature, b"", b"", None, None)))
