"""Chance from a seed, and choosing at random."""

import random
from collections.abc import Sequence
from typing import Final, TypeVar

from citadels_lan.engine import Action, Choice, Deal

T = TypeVar("T")
DECKS: Final = ("districts/", "study/", "lighthouse/", "pile/")
PATIENCE: Final = 300
"""After so many moves a random game should come to its end."""


class Dice:
    """Chance from a seed, one outcome after the other."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """A deck comes from the bottom up: the seeds of pictures and scripts were chosen for these hands."""
        drawn = self.random.sample(list(items), len(items))
        return drawn[::-1] if label.startswith(DECKS) else drawn

    def pick(self, label: str, items: Sequence[T]) -> T:
        return self.random.choice(items)


class LabelChance:
    """The same outcome for a label whatever was asked before, and whatever lies there."""

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
    """One of the actions that a choice stands for."""
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
    """One of the choices after so many moves of a game: any at first, later building wherever it can be had, and
    seldom trading. Where no city is ever complete, a game of chance alone could go on for ever."""
    return rng.choice(choices) if moves < PATIENCE else eager(rng, seldom_trading(rng, choices))


def seldom_trading(rng: random.Random, choices: Sequence[Choice]) -> Sequence[Choice]:
    """The choices, most of the time without sales, and with no more bids than passing, so that games end."""
    trade = [one for one in choices if one.verb in ("sell", "offer", "bid")]
    if not trade or rng.random() < 0.1:
        return choices
    return [one for one in choices if one not in trade] or choices


def eager(rng: random.Random, choices: Sequence[Choice]) -> Choice:
    """One of the choices; building wherever it can be had, so that games end."""
    return rng.choice([one for one in choices if one.verb == "build"] or choices)
