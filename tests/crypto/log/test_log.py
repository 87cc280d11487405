from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import Malformed, pack, unpack
from citadels_lan.crypto.host_log import decode_record, encode_record
from tests.crypto.table import Game, header
from tests.effort import examples, one_case
from tests.facts import first_game


def test_every_entry_of_a_game_round_trips(four: Game) -> None:
    for written in four.host_log.written:
        assert log.encode_entry(log.decode_entry(written.public)) == written.public
        assert decode_record(encode_record(written)) == written
        for _, private in written.private:
            assert log.encode_private(log.decode_private(private)) == private


def test_header_has_all_fields_in_the_order_of_the_protocol() -> None:
    bare = header(first_game(2))
    off = log.CalledOff(bytes(32), (1,))
    for table in (bare, replace(bare, hints=0), replace(bare, draft=1), replace(bare, called_off=(off,))):
        public = log.encode_entry(log.Open(table))
        assert log.decode_entry(public) == log.Open(table)
        fields = unpack(public)[1]
        assert fields[11:14] == [table.draft, table.hints, [[bytes(32), [1]]] if table.called_off else []]
        assert [seat[2] for seat in fields[14]] == [2, 0]
        for wrong in (fields[:-1], [*fields, None]):
            with pytest.raises(Malformed):
                log.decode_entry(pack([0, wrong]))


@one_case(
    "value",
    [
        None,
        [2, [], []],
        [2, {}],
        [4, [[0, bytes(32), 0]]],
        [4, [[0, bytes(32), 2, bytes(64)]]],
        [4, [[0, bytes(32), True, bytes(64)]]],
        [4, [[9, bytes(32), 0, bytes(64)]]],
        [4, [[0, bytes(32), 0, bytes(63)]]],
        [5, []],
        [5, [[0, bytes(15)]]],
        [9, 0, [], b"", []],
        [9, 3, [], b"", [], []],
        [9, 0, [], bytes(32), [], []],
        [9, 0, [], b"", [bytes(32)], []],
        [1, [[bytes(32), [], bytes(63)]]],
        [1, [[bytes(32), [bytes(32)] * 3, bytes(64)]]],
        [0, []],
        [1, [[bytes(31), [], bytes(64)]]],
        [3, 0, "", [], []],
        [3, 0, bytes(96), [], []],
        [3, 0, 7, [], []],
        [3, 9, "end", [], []],
        [3, 0, "end", [], [], 1],
        [3, 0, "end", [], [[1, 0, 0, "pick", "pick king", bytes(31)]]],
        {"type": 0},
    ],
)
def test_invalid_arrays_are_malformed_entries(value: object) -> None:
    with pytest.raises(Malformed):
        log.decode_entry(pack(value))


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.binary(max_size=64) | st.text("ab ", max_size=8),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=12,
)


@examples(300)
@given(st.lists(JSONISH, max_size=5), st.integers(0, 11))
def test_random_arrays_raise_only_malformed(rest: list[object], kind: int) -> None:
    data = pack([kind, *rest])
    for decode in (log.decode_entry, log.decode_private, decode_record):
        with suppress(Malformed):
            decode(data)


@given(st.binary(max_size=200))
def test_garbage(data: bytes) -> None:
    for decode in (log.decode_entry, log.decode_private, decode_record):
        with suppress(Malformed):
            decode(data)


DELTAS = st.builds(
    log.Delta,
    st.integers(1, log.MAX_ENTRIES),
    st.binary(min_size=64, max_size=64),
    st.binary(max_size=300),
    st.binary(max_size=99),
    st.none() | st.binary(min_size=16, max_size=16),
    st.none() | st.binary(max_size=300),
)


@given(DELTAS)
def test_delta_round_trips(delta: log.Delta) -> None:
    assert log.decode_delta(log.encode_delta(delta)) == delta


def test_all_viewers_get_bodies_of_one_length() -> None:
    short = log.Delta(1, bytes(64), b"", b"", None, None)
    assert len(log.encode_delta(short)) == 256
    assert len(log.encode_delta(short, 700)) == 1024


@one_case("n", [0, log.MAX_ENTRIES + 1, 2**32])
def test_entry_number_over_the_limit_is_malformed(n: int) -> None:
    """Otherwise a host could fill the disk of its guests with a file that no program can read."""
    with pytest.raises(Malformed):
        log.decode_delta(log.encode_delta(log.Delta(n, bytes(64), b"", b"", None, None)))


@one_case("signature", [b"", bytes(4), bytes(63), bytes(65)])
def test_every_entry_has_a_whole_signature(signature: bytes) -> None:
    with pytest.raises(Malformed):
        log.decode_delta(log.encode_delta(log.Delta(1, signature, b"", b"", None, None)))


GAME, FP = bytes(16), bytes(32)
LEAVES = {2: b"b" * 32, 0: b"a" * 32}


def test_chain_grows_by_its_entries() -> None:
    chain = log.Chain(GAME, b"rules", FP)
    assert (chain.n, chain.head) == (0, log.genesis(GAME, b"rules", FP))
    expected = log.entry_hash(chain.head, 1, b"public", b"")
    assert chain.next_head(b"public", b"") == expected
    assert chain.grow(chain.next_head(b"public", b"")) == expected == chain.head
    assert chain.n == 1


def test_leaves_are_in_order_of_seats() -> None:
    joined = log.join_leaves(LEAVES)
    assert joined == b"\0" + b"a" * 32 + b"\2" + b"b" * 32
    assert log.split_leaves(joined) == LEAVES
    assert log.split_leaves(b"") == {}


@pytest.mark.parametrize("joined", [b"\0", bytes(34), b"\1" + bytes(32) + b"\0" + bytes(32), bytes(66)])
def test_leaves_out_of_order_are_none(joined: bytes) -> None:
    assert log.split_leaves(joined) == {}


def test_salts_differ_by_entry_and_seat() -> None:
    salts = {log.salt(b"s" * 32, n, seat) for n in range(5) for seat in range(5)}
    assert len(salts) == 25
    assert {len(one) for one in salts} == {16}
