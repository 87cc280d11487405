"""The joint seed: fixed by everybody together before anybody can know it. Each round adds its beacons to it."""

from collections.abc import Sequence

from .frames import digest, u8


def host_commitment(game: bytes, secret: bytes) -> bytes:
    """What the host publishes of its secret `s` in the header."""
    return digest("seed-host", game, secret)


def part_commitment(game: bytes, seat: int, part: bytes) -> bytes:
    """What a seat publishes of its part `r` before any part is known."""
    return digest("seed-part", game, u8(seat), part)


def joint_seed(game: bytes, secret: bytes, parts: Sequence[bytes], head: bytes) -> bytes:
    """The seed of a game: `parts` by seat, `head` after the entry with all commitments to them."""
    return digest("seed", game, secret, *parts, head)
