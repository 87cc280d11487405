from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.crypto.host_entries import decode_record, encode_record
from citadels_lan.crypto.log import Open, decode_entry, decode_private, encode_entry, encode_private
from citadels_lan.crypto.packing import Malformed, pack, unpack
from tests.crypto.table import Game, header
from tests.effort import examples, one_case
from tests.facts import first_game


def test_every_entry_of_a_game_round_trips(four: Game) -> None:
    for written in four.host_log.written:
        assert encode_entry(decode_entry(written.public)) == written.public
        assert decode_record(encode_record(written)) == written
        for _, private in written.private:
            assert encode_private(decode_private(private)) == private


def test_what_a_header_does_not_have_is_not_written() -> None:
    bare = header(first_game(2))
    for table in (bare, replace(bare, guests=(1,)), replace(bare, hints=0), replace(bare, draft=1)):
        public = encode_entry(Open(table))
        assert decode_entry(public) == Open(table)
    with pytest.raises(Malformed):
        decode_entry(pack([0, [*unpack(encode_entry(Open(bare)))[1], None, None]]))


@one_case(
    "value",
    [
        None,
        [],
        [8],
        [8, [bytes(31)]],
        [8, [], []],
        [9, 0, 1, 0, []],
        [9, 65536, 1, 0, []],
        [9, 1, 512, 0, []],
        [9, 1, -1, 0, []],
        [9, 1, 1, 512, []],
        [9, 1, 1, 0, [bytes(63)]],
        [9, 1, 1, 0],
        [10],
        [10, 512],
        [10, True],
        [11],
        [12],
        [14],
        [14, bytes(32), [], []],
        [1, [bytes(32)], [bytes(32)]],
        [0],
        [0, []],
        [1, [bytes(31)]],
        [3, 0, "", [], []],
        [3, 0, bytes(31), [], []],
        [3, 0, bytes(96), [], []],
        [3, 0, 7, [], []],
        [3, 9, "end", [], []],
        [3, 0, "end", [], [], 1],
        [3, 0, "end", [], [[1, 0, 0, "pick", "pick king", bytes(31)]]],
        [4, {}],
        [5, [bytes(63)]],
        [5, [], bytes(64)],
        [6, bytes(32), [], bytes(64)],
        {"type": 0},
    ],
)
def test_arrays_that_are_no_entries(value: object) -> None:
    with pytest.raises(Malformed):
        decode_entry(pack(value))


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.binary(max_size=64) | st.text("ab ", max_size=8),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=12,
)


@examples(300)
@given(st.lists(JSONISH, max_size=5), st.integers(0, 11))
def test_nothing_but_malformed(rest: list[object], kind: int) -> None:
    data = pack([kind, *rest])
    for decode in (decode_entry, decode_private, decode_record):
        with suppress(Malformed):
            decode(data)


@given(st.binary(max_size=200))
def test_garbage(data: bytes) -> None:
    for decode in (decode_entry, decode_private, decode_record):
        with suppress(Malformed):
            decode(data)


def test_flipped_bits_in_entries(duel: Game) -> None:
    """A changed entry is another entry or none; nothing else comes out."""
    for written in duel.host_log.written[:12]:
        for at in range(0, len(written.public), 3):
            changed = bytearray(written.public)
            changed[at] ^= 1 << at % 8
            with suppress(Malformed):
                decode_entry(bytes(changed))
