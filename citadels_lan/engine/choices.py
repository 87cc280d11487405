"""What a decision offers: an action, or a bounded choice of cards that stands for many actions. And what the seats
of a sealed draft say where the table waits for that."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

from msgspec import Struct

from .action import Action

Parts: TypeAlias = tuple[tuple[str, ...], ...]


class Deal(Struct, frozen=True):
    """Distribute cards of `pool` into parts: `sizes` gives the least and the most of each part.

    `make` turns the chosen parts into the action; `names` say what each part is for. A pool may hold a card more
    than once.
    """

    verb: str
    pool: tuple[str, ...]
    names: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    make: Callable[[Parts], Action]

    def count(self) -> int:
        """How many ways there are, copies of a card told apart."""
        return _count(len(self.pool), self.sizes)

    def actions(self) -> Iterator[Action]:
        """Every action once."""
        seen = set()
        for parts in _parts(tuple(sorted(self.pool)), self.sizes):
            action = self.make(parts)
            if action not in seen:
                seen.add(action)
                yield action


Choice: TypeAlias = Action | Deal


class LaidOut(Struct, frozen=True):
    """The characters that the crowned seat has dealt face up."""

    faceup: tuple[str, ...]


class Holder(Struct, frozen=True):
    """Which of the seats that were asked has shown the character, None if none has; or which one exchanges."""

    seat: int | None


Answer: TypeAlias = LaidOut | Holder


def _count(left: int, sizes: Sequence[tuple[int, int]]) -> int:
    if not sizes:
        return 1
    least, most = sizes[0]
    return sum(comb(left, size) * _count(left - size, sizes[1:]) for size in range(least, min(most, left) + 1))


def _parts(pool: tuple[str, ...], sizes: Sequence[tuple[int, int]]) -> Iterator[Parts]:
    if not sizes:
        yield ()
        return
    least, most = sizes[0]
    for size in range(least, min(most, len(pool)) + 1):
        for chosen in combinations(range(len(pool)), size):
            part = tuple(pool[index] for index in chosen)
            rest = tuple(card for index, card in enumerate(pool) if index not in chosen)
            for others in _parts(rest, sizes[1:]):
                yield (part, *others)


def expand(choices: Sequence[Choice]) -> Iterator[Action]:
    """Every single action that the choices stand for."""
    for choice in choices:
        if isinstance(choice, Deal):
            yield from choice.actions()
        else:
            yield choice
