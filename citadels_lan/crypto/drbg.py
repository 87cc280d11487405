"""All chance of a real game, derived from the joint seed so that anyone can derive it again."""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

from .frames import frame, u64

T = TypeVar("T")

_WORDS = 2**32


class SeededChance:
    """The engine's `Chance` from a 32-byte seed. A label asked twice would repeat an outcome: ValueError."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._asked: set[str] = set()

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Fisher-Yates from the top."""
        words = self._words(label)
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = uniform(words, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of the items; ValueError if there is none."""
        if not items:
            raise ValueError("nothing to pick from")
        return items[uniform(self._words(label), len(items))]

    @property
    def asked(self) -> int:
        """How many labels were asked."""
        return len(self._asked)

    def _words(self, label: str) -> Iterator[int]:
        if label in self._asked:
            raise ValueError(f"the label {label} was asked before")
        self._asked.add(label)
        return words(self._seed, label)


def words(seed: bytes, label: str) -> Iterator[int]:
    """The endless u32 words of a label, eight from each block."""
    block = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(seed, frame("drbg", label, u64(block)), hashlib.sha256))
        block += 1


def uniform(source: Iterator[int], count: int) -> int:
    """The next word below `count`, every value equally likely."""
    limit = _WORDS - _WORDS % count
    return next(word for word in source if word < limit) % count
