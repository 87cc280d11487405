"""Chance for rulings: scripted outcomes first, then seeded ones."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from .cast import Unsound

T = TypeVar("T")


class Scripted:
    """The engine's chance. `pile`: with a draft, the first characters of the deck of characters in the first
    draft; in Città Comune, the characters of the next calls. `outcomes` are the outcomes of later random
    picks, such as a card of a hand: each pick takes the first one left that it can have. A pick with only one
    possible outcome needs none."""

    def __init__(self, seed: str, pile: Sequence[str] = (), outcomes: Sequence[str] = ()) -> None:
        self.seed = seed
        self.pile = list(pile)
        self.outcomes = list(outcomes)

    def fork(self) -> "Scripted":
        """Return a copy, so that trying a move does not use up the outcomes."""
        return Scripted(self.seed, self.pile, self.outcomes)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        rest = list(items)
        top: list[T] = []
        if self.pile and label.startswith("chars/"):
            for name in self.pile:
                if name not in rest:
                    raise Unsound(f"the character deck has no {name} left to deal")
                top.append(rest.pop(rest.index(name)))
            self.pile = []
        Random(f"{self.seed}/{label}").shuffle(rest)
        return top + rest

    def pick(self, label: str, items: Sequence[T]) -> T:
        if label.startswith("call/"):
            return self._called(label, items)
        if self.outcomes and all(isinstance(item, str) for item in items):
            for index, outcome in enumerate(self.outcomes):
                if outcome in items:
                    del self.outcomes[index]
                    return outcome  # type: ignore[return-value]
            if len(set(items)) == 1:
                return items[0]
            raise Unsound(f"chance: no outcome of {self.outcomes} can be picked from {items}")
        return Random(f"{self.seed}/{label}").choice(list(items))

    def _called(self, label: str, items: Sequence[T]) -> T:
        """Return the character of the next call."""
        known: list[Any] = list(items)
        if self.pile:
            if self.pile[0] not in known:
                raise Unsound(f"the character deck has no {self.pile[0]} left to call")
            return items[known.index(self.pile.pop(0))]
        if self.outcomes and self.outcomes[0] in known:
            return items[known.index(self.outcomes.pop(0))]
        return Random(f"{self.seed}/{label}").choice(list(items))
