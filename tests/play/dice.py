"""Chance from a seed, and random choices."""

import random
from collections.abc import Sequence
from typing import Final, TypeVar

from citadels_lan.engine import Action, Choice, Deal

T = TypeVar("T")
DECKS: Final = ("districts/", "study/", "lighthouse/", "pile/")
PATIENCE: Final = 300
"""After this many moves a random game prefers builds, so that it ends."""


class Dice:
    """Chance from a seed, one outcome after another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the items in random order, reversed. The seeds of pictures were chosen for the hands that
        this gives."""
        drawn = self.random.sample(list(items), len(items))
        return drawn[::-1] if label.startswith(DECKS) else drawn

    def pick(self, label: str, items: Sequence[T]) -> T:
        return self.random.choice(items)


class LabelChance:
    """Chance that depends only on the seed and the label, not on earlier draws."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def _dice(self, label: str) -> random.Random:
        return random.Random(f"{self._seed} {label}")

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = list(items)
        self._dice(label).shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        return items[self._dice(label).randrange(len(items))]


def some(rng: random.Random, choice: Choice) -> Action:
    """Return a choice that is an action, or a random action of a Deal."""
    if not isinstance(choice, Deal):
        return choice
    left = list(choice.pool)
    rng.shuffle(left)
    parts = []
    for least, most in choice.sizes:
        size = rng.randint(least, min(most, len(left)))
        parts.append(tuple(left[:size]))
        del left[:size]
    return choice.make(tuple(parts))


def patient(rng: random.Random, choices: Sequence[Choice], moves: int) -> Choice:
    """Return a random choice. From the PATIENCE-th move on (`moves` have been made), prefer builds and rarely
    trade, because a random game without complete cities might never end."""
    return rng.choice(choices) if moves < PATIENCE else eager(rng, seldom_trading(rng, choices))


def seldom_trading(rng: random.Random, choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return the choices, in most cases without sales, offers and bids, so that games end soon."""
    trade = [one for one in choices if one.verb in ("sell", "offer", "bid")]
    if not trade or rng.random() < 0.1:
        return choices
    return [one for one in choices if one not in trade] or choices


def eager(rng: random.Random, choices: Sequence[Choice]) -> Choice:
    """Return a random build, or any random choice if no build is possible, so that games end soon."""
    return rng.choice([one for one in choices if one.verb == "build"] or choices)
