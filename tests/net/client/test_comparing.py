"""Comparing heads, without sockets: what proves a fork, what waits, and what costs next to nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.signed_head import beginning, decode, encode, valid
from citadels_lan.net.client.others import forks as comparing
from citadels_lan.net.client.others.forks import Comparer, Fork
from tests.crypto.heads import HEADER, datagram, head_of, sealed, told
from tests.crypto.table import GAME, player
from tests.effort import one_case

NOW = 1000.0


def at(n: int, story: str = "true", seat: int | None = 0) -> Comparer:
    """A client whose log is sealed after entry n, at every tenth before, and one entry further."""
    comparer = Comparer(HEADER, seat, None if seat is None else player(seat))
    for number in range(1, n + 2):
        comparer.entry(number, head_of(number, story))
        if number % 10 == 0:
            assert comparer.sealed(sealed(number, story)) is None
    return comparer


def test_the_own_statement_is_that_of_the_newest_seal() -> None:
    comparer = at(8)
    assert comparer.statement is None
    comparer.sealed(sealed(10))
    assert comparer.statement == datagram(0, 10)
    comparer.sealed(sealed(20))
    comparer.sealed(sealed(10))
    assert comparer.statement == datagram(0, 20)
    assert at(10, seat=None).statement == datagram(None, 10)


def test_who_agrees_costs_nothing() -> None:
    comparer = at(30)
    for seat in (None, 0, 1, 2, 3):
        for n in (10, 17, 30):
            assert comparer.take(datagram(seat, n), NOW) is None
    assert comparer.checks == comparer.waiting == 0


@one_case("seat", [None, 0, 1, 3])
@pytest.mark.parametrize("n", [10, 17, 30])
def test_another_head_is_a_fork(seat: int | None, n: int) -> None:
    comparer = at(30)
    data = datagram(seat, n, "false")
    assert comparer.take(data, NOW) == Fork(data, seat, sealed(n, "false"), head_of(n))
    assert comparer.take(data, NOW) is None  # it has been said
    assert comparer.checks == 1


def test_who_is_ahead_waits() -> None:
    comparer = at(10)
    data = datagram(2, 20, "false")
    assert comparer.take(data, NOW) is None
    assert comparer.take(datagram(1, 20), NOW) is None
    assert comparer.take(datagram(3, 30, "false"), NOW) is None
    assert comparer.waiting == 3
    fork = comparer.sealed(sealed(20))
    assert fork is not None
    assert (fork.datagram, fork.seat, fork.n) == (data, 2, 20)
    assert (fork.theirs, fork.here) == (sealed(20, "false"), head_of(20))
    assert comparer.waiting == 1
    assert valid(decode(fork.datagram), HEADER)


def test_an_entry_that_is_not_sealed_proves_nothing_yet() -> None:
    comparer = at(10)
    assert comparer.take(datagram(1, 11, "false"), NOW) is None
    assert comparer.waiting == 1


def test_nobody_hears_before_the_first_seal_what_comes_after_it() -> None:
    comparer = at(0)
    assert comparer.take(datagram(1, 10, "false"), NOW) is None
    assert comparer.sealed(sealed(10)) is not None


def test_what_cannot_be_compared_is_no_fork() -> None:
    comparer = Comparer(HEADER, None, None)
    comparer.sealed(sealed(30))  # of the entries before it nothing is known
    assert comparer.take(datagram(1, 20, "false"), NOW) is None
    assert comparer.checks == 0


def test_one_seat_cannot_fill_the_places_of_another() -> None:
    comparer = at(10)
    first = datagram(2, 20, "false")
    comparer.take(first, NOW)
    for second in range(100):
        for seat in (None, 1):
            comparer.take(datagram(seat, 1000 + second), NOW + 1 + second)
    assert comparer.waiting == 1 + comparing.PENDING_OF_SEAT + comparing.PENDING_OF_SPECTATORS
    fork = comparer.sealed(sealed(20))
    assert fork is not None
    assert fork.datagram == first


def test_what_waits_is_not_checked_again() -> None:
    comparer = at(10)
    for second in range(100):
        comparer.take(datagram(1, 20), NOW + second)
    assert comparer.checks == comparer.waiting == 1


def forged(number: int) -> bytes:
    """A datagram whose form is perfect."""
    fields = unpack(datagram(number % 4, 17, "false"))
    fields[4] = number.to_bytes(32, "big")
    return pack(fields)


def test_a_flood_of_forgeries_is_hardly_checked() -> None:
    comparer = at(30)
    for number in range(10_000):
        assert comparer.take(forged(number), NOW + number / 1000, f"10.0.{number % 250}.1") is None
    assert comparer.checks <= 10 * comparing.RATE + comparing.RATE
    assert comparer.waiting == 0


def test_a_flood_from_one_address_leaves_the_others_their_say() -> None:
    comparer = at(30)
    for number in range(10_000):
        comparer.take(forged(number), NOW + number / 1000, "10.0.0.1")
    assert comparer.checks <= 2 * comparing.RATE_OF_ONE + 10 * comparing.RATE_OF_ONE
    assert comparer.take(datagram(1, 30, "false"), NOW + 10, "10.0.0.2") is not None


def test_garbage_and_other_games_are_not_checked() -> None:
    comparer = at(30)
    other = encode(told(1, 30, "false")).replace(GAME, bytes(16))
    for data in (b"", b"\x99", other, other * 3, datagram(1, 30, "false") + b"\0", beginning(GAME)):
        assert comparer.take(data, NOW) is None
    assert comparer.take(pack([*unpack(datagram(1, 30, "false"))[:7], 8, bytes(64)]), NOW) is None  # no such seat
    assert comparer.checks == 0


@given(st.binary(max_size=600), st.integers(0, 300), st.integers(0, 255))
def test_no_bytes_raise_or_prove_anything(data: bytes, place: int, byte: int) -> None:
    comparer, good = at(30), bytearray(datagram(1, 30, "false"))
    good[place % len(good)] ^= byte or 1
    for one in (data, beginning(GAME) + data, bytes(good)):
        assert comparer.take(one, NOW) is None
    assert comparer.waiting == 0
