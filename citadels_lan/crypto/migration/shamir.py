"""Shamir's secret sharing: a polynomial whose value at 0 is the secret, and its values elsewhere as shares.

A. Shamir, How to Share a Secret, Communications of the ACM 22 (1979). With fewer shares than the polynomial has
coefficients every secret is as likely as any other.
"""

from collections.abc import Mapping, Sequence
from typing import Final

PRIME: Final = 2**256 + 297
"""The field: the least prime that is larger than any 32 bytes."""
WIDTH: Final = 33
"""Bytes of a share."""


def value_at(polynomial: Sequence[int], x: int) -> int:
    """The value of a polynomial; its coefficients begin with the constant one."""
    value = 0
    for coefficient in reversed(polynomial):
        value = (value * x + coefficient) % PRIME
    return value


def value_at_0(points: Mapping[int, int]) -> int:
    """The value at 0 of the one polynomial with as many coefficients as there are `points` (Lagrange)."""
    return sum(y * _weight(x, points) for x, y in points.items()) % PRIME


def _weight(x: int, points: Mapping[int, int]) -> int:
    weight = 1
    for other in points:
        if other != x:
            weight = weight * other * pow(other - x, -1, PRIME) % PRIME
    return weight
