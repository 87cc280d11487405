"""Beacons: between rounds every seat signs the head, and then reveals the next link of its chain of hashes.

Who takes part is in the log before the first link is revealed. So the chance of a round is known to nobody before
it begins, and whoever leaves out a seat afterwards has to begin anew, with new links, for all to see
(docs/protocol.md, section 5).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from .frames import digest, frame, u8, u16, u64
from .identity import Identity, verify

LINKS = 256
"""Links of a chain, one for each attempt at a round's beacons."""
SPENT = bytes(32)
"""What stands for a link after the last one."""


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


def link_of(game: bytes, seat: int, secret: bytes, attempt: int) -> bytes:
    """What a seat reveals at the attempt with this number, from 1, of all the game."""
    return hashed(game, seat, secret, LINKS - attempt) if attempt <= LINKS else SPENT


def leads_to(game: bytes, seat: int, link: bytes, attempt: int, last: tuple[int, bytes]) -> bool:
    """Whether `link` is that of this attempt; `last` is the attempt of the seat's last link, and that link (0 and
    its anchor, at first)."""
    before, known = last
    if attempt > LINKS:
        return link == SPENT
    return hashed(game, seat, link, attempt - before) == known


def sign_here(identity: Identity, game: bytes, n: int, head: bytes, round_: int, disputes: bool) -> bytes:
    """A seat's word that it is there for round `round_`, with the history that ends with hash[n]; see
    `Present`."""
    return identity.sign("here", *_here_fields(game, n, head, round_, disputes))


def here_signed(
    key: bytes, signature: bytes, game: bytes, n: int, head: bytes, round_: int, disputes: bool
) -> bool:
    """Whether `key` has signed that."""
    return verify(key, signature, "here", *_here_fields(game, n, head, round_, disputes))


def _here_fields(game: bytes, n: int, head: bytes, round_: int, disputes: bool) -> tuple[bytes, ...]:
    return game, u64(n), head, u16(round_), u8(disputes)


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
