"""Chance for games that are no real ones."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class QuickChance:
    """Chance from a seed: quick, and good enough where nobody has to trust anybody."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = list(items)
        self._random.shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        return items[int(self._random.random() * len(items))]
