"""The choices of a decision: actions, and deals of cards that stand for many actions. Also the answers to the
inquiries of a sealed draft."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

from msgspec import Struct

from citadels_lan.engine.action import Action

Parts: TypeAlias = tuple[tuple[str, ...], ...]


class Deal(Struct, frozen=True):
    """A choice to distribute cards of `pool` into parts. `sizes` has the least and the most cards of each
    part.

    `make` returns the action for the chosen parts; `names` tell the purpose of each part. A pool may contain
    several copies of a card.
    """

    verb: str
    pool: tuple[str, ...]
    names: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    make: Callable[[Parts], Action]

    def count(self) -> int:
        """Return the number of ways, with copies of a card counted as different cards."""
        return count_ways(len(self.pool), self.sizes)

    def actions(self) -> Iterator[Action]:
        """Yield every action once."""
        # Copies of a card give the same action several times.
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
    """The seat that showed the character, or that exchanges. None if no seat has shown it."""

    seat: int | None


Answer: TypeAlias = LaidOut | Holder


def count_ways(cards: int, sizes: Sequence[tuple[int, int]]) -> int:
    """Return the number of ways to deal this number of different cards into parts of these (least, most) sizes."""
    if not sizes:
        return 1
    least, most = sizes[0]
    return sum(
        comb(cards, size) * count_ways(cards - size, sizes[1:]) for size in range(least, min(most, cards) + 1)
    )


def _parts(pool: tuple[str, ...], sizes: Sequence[tuple[int, int]]) -> Iterator[Parts]:
    if not sizes:
        yield ()
        return
    least, most = sizes[0]
    for size in range(least, min(most, len(pool)) + 1):
        # Indices instead of cards, because a pool may contain copies.
        for chosen in combinations(range(len(pool)), size):
            part = tuple(pool[index] for index in chosen)
            rest = tuple(card for index, card in enumerate(pool) if index not in chosen)
            for others in _parts(rest, sizes[1:]):
                yield (part, *others)


def expand(choices: Sequence[Choice]) -> Iterator[Action]:
    """Yield every action that the choices stand for."""
    for choice in choices:
        if isinstance(choice, Deal):
            yield from choice.actions()
        else:
            yield choice
