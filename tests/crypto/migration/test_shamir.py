"""Shamir's scheme: so many shares give the secret, and fewer say nothing of it."""

from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.migration.shamir import PRIME, value_at, value_at_0

numbers = st.integers(0, PRIME - 1)
polynomials = st.lists(numbers, min_size=1, max_size=9)


def test_the_field_is_one() -> None:
    """Pocklington would take a factor of p - 1; the test of Miller and Rabin leaves less than 4^-40 of a doubt."""
    odd, power = PRIME - 1, 0
    while odd % 2 == 0:
        odd, power = odd // 2, power + 1
    for base in range(2, 42):
        value = pow(base, odd, PRIME)
        assert value == 1 or PRIME - 1 in [pow(value, 2**square, PRIME) for square in range(power)]


def test_it_is_larger_than_any_secret() -> None:
    assert 2**256 < PRIME < 2**264


def test_a_line_by_hand() -> None:
    line = (1234, 166, 94)
    assert [value_at(line, x) for x in (1, 2, 3, 4)] == [1494, 1942, 2578, 3402]
    assert value_at_0({2: 1942, 4: 3402, 1: 1494}) == 1234


@given(polynomials, st.permutations(range(1, 10)))
def test_any_so_many_shares_give_the_secret(polynomial: list[int], seats: list[int]) -> None:
    chosen = seats[: len(polynomial)]
    assert value_at_0({x: value_at(polynomial, x) for x in chosen}) == polynomial[0]


@given(polynomials, st.permutations(range(1, 10)))
def test_more_shares_do_no_harm(polynomial: list[int], seats: list[int]) -> None:
    assert value_at_0({x: value_at(polynomial, x) for x in seats}) == polynomial[0]


@given(st.lists(numbers, min_size=2, max_size=9), numbers, st.permutations(range(1, 10)))
def test_with_one_share_too_few_every_secret_is_possible(
    polynomial: list[int], other: int, seats: list[int]
) -> None:
    """There is a polynomial with these shares and any other secret."""
    few = {x: value_at(polynomial, x) for x in seats[: len(polynomial) - 1]}
    x = seats[len(polynomial) - 1]
    weights = {**few, x: 0}
    unit = value_at_0({**dict.fromkeys(few, 0), x: 1})
    missing = (other - value_at_0(weights)) * pow(unit, -1, PRIME) % PRIME
    assert value_at_0({**few, x: missing}) == other
