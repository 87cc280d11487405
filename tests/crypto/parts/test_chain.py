import pytest

from citadels_lan.crypto.log import Chain, entry_hash, genesis, join_leaves, salt, split_leaves

GAME, FP = bytes(16), bytes(32)
LEAVES = {2: b"b" * 32, 0: b"a" * 32}


def test_a_chain_grows_by_its_entries() -> None:
    chain = Chain(GAME, b"rules", FP)
    assert (chain.n, chain.head) == (0, genesis(GAME, b"rules", FP))
    expected = entry_hash(chain.head, 1, b"public", b"")
    assert chain.next_head(b"public", b"") == expected
    assert chain.grow(chain.next_head(b"public", b"")) == expected == chain.head
    assert chain.n == 1


def test_leaves_are_in_order_of_seats() -> None:
    joined = join_leaves(LEAVES)
    assert joined == b"\0" + b"a" * 32 + b"\2" + b"b" * 32
    assert split_leaves(joined) == LEAVES
    assert split_leaves(b"") == {}


@pytest.mark.parametrize("joined", [b"\0", bytes(34), b"\1" + bytes(32) + b"\0" + bytes(32), bytes(66)])
def test_leaves_out_of_order_are_none(joined: bytes) -> None:
    assert split_leaves(joined) == {}


def test_salts_differ_by_entry_and_seat() -> None:
    salts = {salt(b"s" * 32, n, seat) for n in range(5) for seat in range(5)}
    assert len(salts) == 25
    assert {len(one) for one in salts} == {16}
