"""The choices of a decision: single actions, and deals of cards that stand for many actions. Also the answers
to the inquiries of a sealed draft."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

from msgspec import Struct

from citadels_lan.engine.action import Action

Parts: TypeAlias = tuple[tuple[str, ...], ...]


class Deal(Struct, frozen=True):
    """A choice to distribute cards of `pool` into parts, such as "cards to keep". It stands for many actions
    with the same `verb`.

    For each part, `names` has its purpose and `sizes` its least and greatest number of cards. `make` returns
    the action for the chosen parts. A pool may contain several copies of a card.
    """

    verb: str
    pool: tuple[str, ...]
    names: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    make: Callable[[Parts], Action]

    def count(self) -> int:
        """Return in how many ways the cards can be dealt. Copies of a card count as different cards."""
        return count_ways(len(self.pool), self.sizes)

    def actions(self) -> Iterator[Action]:
        """Yield every action for which this deal stands, each only once."""
        # Copies of a card give the same action several times.
        seen = set()
        for parts in _parts(tuple(sorted(self.pool)), self.sizes):
            action = self.make(parts)
            if action not in seen:
                seen.add(action)
                yield action


Choice: TypeAlias = Action | Deal


class LaidOut(Struct, frozen=True):
    """The answer to the inquiry "deal": the characters that the crowned seat has dealt face up."""

    faceup: tuple[str, ...]


class Holder(Struct, frozen=True):
    """The answer to the inquiries "call", "late" and "swap": the seat that has shown the character, or that
    has given one in exchange. `seat` is None if no seat has shown the character."""

    seat: int | None


Answer: TypeAlias = LaidOut | Holder


def count_ways(cards: int, sizes: Sequence[tuple[int, int]]) -> int:
    """Return the number of ways to deal `cards` different cards into parts. `sizes` has the (least, most)
    number of cards of each part; the other cards stay in no part."""
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
