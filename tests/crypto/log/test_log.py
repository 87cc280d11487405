from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.crypto.host_log import decode_record, encode_record
from citadels_lan.crypto.log import CalledOff, Open, decode_entry, decode_private, encode_entry, encode_private
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


def test_header_has_all_fields_in_the_order_of_the_protocol() -> None:
    bare = header(first_game(2))
    off = CalledOff(bytes(32), (1,))
    for table in (bare, replace(bare, hints=0), replace(bare, draft=1), replace(bare, called_off=(off,))):
        public = encode_entry(Open(table))
        assert decode_entry(public) == Open(table)
        fields = unpack(public)[1]
        assert fields[11:14] == [table.draft, table.hints, [[bytes(32), [1]]] if table.called_off else []]
        assert [seat[2] for seat in fields[14]] == [2, 0]
        for wrong in (fields[:-1], [*fields, None]):
            with pytest.raises(Malformed):
                decode_entry(pack([0, wrong]))


@one_case(
    "value",
    [
        None,
        [],
        [2],
        [2, [], []],
        [2, {}],
        [4],
        [4, [[0, bytes(32), 0]]],
        [4, [[0, bytes(32), 2, bytes(64)]]],
        [4, [[0, bytes(32), True, bytes(64)]]],
        [4, [[9, bytes(32), 0, bytes(64)]]],
        [4, [[0, bytes(31), 0, bytes(64)]]],
        [4, [[0, bytes(32), 0, bytes(63)]]],
        [5],
        [5, []],
        [5, [[0, bytes(15)]]],
        [5, [[0, bytes(16), 0]]],
        [9, 0, [], b"", []],
        [9, 3, [], b"", [], []],
        [9, 0, [], bytes(31), [bytes(32)], []],
        [9, 0, [], bytes(32), [], []],
        [9, 0, [], b"", [bytes(32)], []],
        [10],
        [11],
        [12],
        [14],
        [14, bytes(32), [], []],
        [1, [[bytes(32), [], bytes(63)]]],
        [1, [[bytes(32), [bytes(32)] * 3, bytes(64)]]],
        [0],
        [0, []],
        [1, [[bytes(31), [], bytes(64)]]],
        [3, 0, "", [], []],
        [3, 0, bytes(31), [], []],
        [3, 0, bytes(96), [], []],
        [3, 0, 7, [], []],
        [3, 9, "end", [], []],
        [3, 0, "end", [], [], 1],
        [3, 0, "end", [], [[1, 0, 0, "pick", "pick king", bytes(31)]]],
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
