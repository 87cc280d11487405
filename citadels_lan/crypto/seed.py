"""The joint seed of a game, and the chance that follows from it.

Every seat draws a random part and commits to it. The entry *commits* fixes all commitments; only then the seats
give their parts, and only to the host. Nothing else goes into the seed, so no one can choose it after a part is
known. When the game is closed, anyone can compute every draw again.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from citadels_lan.crypto.codec import digest, frame, u8


def host_commitment(game: bytes, secret: bytes) -> bytes:
    """Return the commitment to the host's secret that the header contains."""
    return digest("seed-host", game, secret)


def part_commitment(header: bytes, seat: int, part: bytes) -> bytes:
    """Return a seat's commitment to its 32-byte part of the seed; `header` is hash[1]."""
    return digest("part", header, u8(seat), part)


def joint_seed(committed: bytes, secret: bytes, parts: Sequence[bytes]) -> bytes:
    """Return the 32-byte seed of a game. `committed` is hash[2], `secret` is the host's, and `parts` are
    those of the seats in order."""
    return digest("seed", committed, secret, *parts)


T = TypeVar("T")
REMATCH: Final = "rematch/0/table/0"
"""The label of the draw that decides the seats of a rematch."""


class SeededChance:
    """The engine's `Chance`, computed from a 32-byte seed. Each item gets a key from the seed, the label and
    the item, and items are sorted by this key. So the order of the given items does not matter. Raises
    ValueError if a label is used twice, because that would repeat a result."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._asked: set[str] = set()

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the items in the order of their keys, which are derived from the seed."""
        # The same label would give the same order again, which players could predict.
        if label in self._asked:
            raise ValueError(f"the label {label} was asked before")
        self._asked.add(label)
        copies = Counter[str]()
        keyed = []
        for item in items:
            name = str(item)
            keyed.append((self._key(label, name, copies[name]), item))
            copies[name] += 1
        return [item for _, item in sorted(keyed, key=lambda one: one[0])]

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return the item with the lowest key. Raises ValueError if there are no items."""
        if not items:
            raise ValueError("nothing to pick from")
        return self.shuffle(label, items)[0]

    @property
    def asked(self) -> int:
        """How many draws were made so far."""
        return len(self._asked)

    def _key(self, label: str, name: str, copy: int) -> bytes:
        return hmac.digest(self._seed, frame("chance", label, name, u8(copy)), hashlib.sha256)


def rematch_seats(seed: bytes, keys: Iterable[bytes]) -> list[bytes]:
    """Return the public keys of the players in the order of their seats in a rematch. `seed` is that of the
    closed game before it, which all players know."""
    return [bytes.fromhex(key) for key in SeededChance(seed).shuffle(REMATCH, [key.hex() for key in keys])]
