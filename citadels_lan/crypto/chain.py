"""One chain of hashes for all viewers, and what is signed over it: each entry by the host, each move by its seat.

Whoever has the same head has the same history.
"""

from collections.abc import Mapping

from msgspec import Struct

from .frames import digest, u8, u64
from .identity import Identity, verify

LEAF = 33
"""Bytes of a leaf with its seat in front."""


def genesis(game: bytes, rules: bytes, fp: bytes) -> bytes:
    """hash[0]: the game, the rules digest of its edition, and the SHA-256 of the host's certificate."""
    return digest("genesis", game, rules, fp)


def leaf_hash(game: bytes, n: int, seat: int, salt: bytes, private: bytes) -> bytes:
    """What stands in the chain for the private bytes of a seat."""
    return digest("priv", game, u64(n), u8(seat), salt, private)


def entry_hash(before: bytes, n: int, public: bytes, leaves: bytes) -> bytes:
    """hash[n] from hash[n-1]."""
    return digest("entry", before, u64(n), public, leaves)


def sign_entry(host: Identity, game: bytes, n: int, head: bytes) -> bytes:
    """The host's signature of hash[n]: by it the host answers for entry `n` and for all before it."""
    return host.sign("entry", *entry_fields(game, n, head))


def entry_signed(host: bytes, signature: bytes, game: bytes, n: int, head: bytes) -> bool:
    """Whether the key `host` has signed hash[n]."""
    return verify(host, signature, "entry", *entry_fields(game, n, head))


def entry_fields(game: bytes, n: int, head: bytes) -> tuple[bytes, ...]:
    """What the host signs of an entry, under the tag `entry`."""
    return game, u64(n), head


def salt(secret: bytes, n: int, seat: int) -> bytes:
    """The 16 bytes that keep a leaf from being guessed, from the host's secret."""
    return digest("salt", secret, u64(n), u8(seat))[:16]


def join_leaves(leaves: Mapping[int, bytes]) -> bytes:
    """The leaves of an entry by seat, as they are hashed and sent."""
    return b"".join(u8(seat) + leaves[seat] for seat in sorted(leaves))


def split_leaves(joined: bytes) -> dict[int, bytes]:
    """The leaves by seat; ValueError unless the seats rise and every leaf is whole."""
    if len(joined) % LEAF:
        raise ValueError("a leaf is incomplete")
    seats = list(joined[::LEAF])
    if seats != sorted(set(seats)):
        raise ValueError("the seats of the leaves do not rise")
    return {seat: joined[at * LEAF + 1 : (at + 1) * LEAF] for at, seat in enumerate(seats)}


class Chain:
    """The growing chain of a game: `n` entries, and `head`, the hash of the last one."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes) -> None:
        self.game = game
        self.n = 0
        self.head = genesis(game, rules, fp)

    def next_head(self, public: bytes, leaves: bytes) -> bytes:
        """The head that this entry would give."""
        return entry_hash(self.head, self.n + 1, public, leaves)

    def append(self, public: bytes, leaves: bytes) -> bytes:
        """Add an entry; the new head."""
        return self.grow(self.next_head(public, leaves))

    def grow(self, head: bytes) -> bytes:
        """Add an entry whose hash is known already, from `next_head`; the new head."""
        self.head = head
        self.n += 1
        return head


class Signed(Struct, frozen=True):
    """A move that a seat signs as entry `n`; `before` is hash[n-1]."""

    n: int
    before: bytes
    seat: int
    what: str | bytes


def mover_signed(game: bytes, key: bytes, signed: Signed, signature: bytes) -> bool:
    """Whether `key`, which moves for the seat, has signed a move with all history before it."""
    return verify(key, signature, move_tag(signed.what), *move_fields(game, signed))


def sign_move(identity: Identity, game: bytes, chain: Chain, seat: int, what: str | bytes) -> bytes:
    """A mover's signature of its move as the next entry of the chain."""
    return identity.sign(move_tag(what), *move_fields(game, Signed(chain.n + 1, chain.head, seat, what)))


def move_tag(what: str | bytes) -> str:
    """The tag of a mover's signature: a line never passes for commitments of the same bytes."""
    return "move" if isinstance(what, str) else "hidden"


def move_fields(game: bytes, signed: Signed) -> tuple[bytes | str, ...]:
    """What a mover signs, under `move_tag`."""
    return game, u64(signed.n), signed.before, u8(signed.seat), signed.what
