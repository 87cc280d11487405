"""Beacons: between rounds every seat signs the head and then reveals the next link of its chain of hashes.

So the chance of a round is known to nobody before it begins, and a head that many have signed cannot be changed
after anybody knew what its change would bring (docs/protocol.md, section 5).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from .frames import digest, frame, u8, u16, u64
from .identity import Identity, verify

LINKS = 256
"""Links of a chain, one for each round."""
SPENT = bytes(32)
"""What stands for a link in rounds after the last one."""


class Round(Struct, frozen=True):
    """What beacons add to the seed: `head` is the hash before them, `links` are of the seats in `present`."""

    number: int
    head: bytes
    present: int
    links: tuple[bytes, ...]


def beacon_secret(key: bytes, game: bytes) -> bytes:
    """`x_0` of a client, from its 32-byte key for one game."""
    return digest("own-beacon", key, game)


def hashed(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """The link that many places further towards the anchor."""
    if times:
        link = digest("beacon", game, u8(seat), link)
        before = frame("beacon", game, u8(seat), bytes(32))[:-32]  # all but the link; a chain has hundreds
        for _ in range(times - 1):
            link = hashlib.sha256(before + link).digest()
    return link


def anchor(game: bytes, seat: int, secret: bytes) -> bytes:
    """The end of the chain that begins with `secret`; published before any part of the seed is known."""
    return hashed(game, seat, secret, LINKS)


def link_of(game: bytes, seat: int, secret: bytes, round_: int) -> bytes:
    """What a seat reveals before round `round_`."""
    return hashed(game, seat, secret, LINKS - round_) if round_ <= LINKS else SPENT


def leads_to(game: bytes, seat: int, link: bytes, round_: int, last: tuple[int, bytes]) -> bool:
    """Whether `link` is that of round `round_`; `last` is the round of the seat's last link, and that link (round
    0 and its anchor, at first)."""
    before, known = last
    if round_ > LINKS:
        return link == SPENT
    return hashed(game, seat, link, round_ - before) == known


def cosign(identity: Identity, game: bytes, n: int, head: bytes) -> bytes:
    """A seat's signature of hash[n], the head before the beacons."""
    return identity.sign("cosign", game, u64(n), head)


def cosigned(key: bytes, signature: bytes, game: bytes, n: int, head: bytes) -> bool:
    """Whether `key` has signed hash[n]."""
    return verify(key, signature, "cosign", game, u64(n), head)


def seats_in(present: int) -> list[int]:
    """The seats of a bitmap, rising."""
    return [seat for seat in range(present.bit_length()) if present >> seat & 1]


def bitmap(seats: Sequence[int]) -> int:
    """The bitmap of some seats."""
    return sum(1 << seat for seat in seats)


def next_seed(before: bytes, one: Round) -> bytes:
    """The seed of a round from the seed of the round before."""
    return digest("seed-r", before, u16(one.number), one.head, u16(one.present), *one.links)


def seeds(first: bytes, rounds: Mapping[int, Round]) -> Iterator[tuple[int, bytes]]:
    """By number of their beacons entries, in order: the seeds of the rounds. `first` is the joint seed."""
    seed = first
    for n in sorted(rounds):
        seed = next_seed(seed, rounds[n])
        yield n, seed
