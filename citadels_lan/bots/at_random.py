"""The bot that plays at random. Simulations and rollouts are made of its moves: `make compiled` compiles it, so it
inherits from nothing that stays in Python.
"""

from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final

from citadels_lan.engine import Event
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State

TRADE: Final = frozenset({"sell", "offer"})
SELDOM: Final = TRADE | {"end"}
WEIGHED: Final = SELDOM | {"bid", "pass"}
RARELY: Final = 0.05
"""The part of all decisions in which everything is thought of."""


class RandomPolicy:
    """Plays uniformly at random.

    Each listed choice is as likely as any other, whatever it does. A Deal counts as one choice; within it every
    way of dealing its cards is equally likely, copies of a card told apart. Where there is trade, of which a turn
    can be full, and a game is over only when all is built, some choices are seldom thought of: a sale, and the end
    of a turn in which something can be built; and in an auction passing is as likely as bidding.
    """

    blind = True
    deaf = True

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def told(self, view: State, event: Event) -> None:
        """Nothing is made of it."""

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        choice = choices[int(self._random.random() * len(choices))]
        if choice.verb in WEIGHED:
            choice = self._weighed(choice, choices)
        return deal_at_random(choice, self._random) if isinstance(choice, Deal) else choice

    def _weighed(self, choice: Choice, choices: Sequence[Choice]) -> Choice:
        """One of the choices drawn, or, but for a few times, another in its place: drawing again only where it is
        one that is seldom thought of leaves all others as likely as each other."""
        if choices[-1].verb == "pass":  # an auction
            seldom = self._random.random() < RARELY
            return choice if seldom or self._random.random() >= 0.5 else choices[-1]
        verbs = {choice.verb for choice in choices}
        if TRADE.isdisjoint(verbs) or self._random.random() < RARELY:
            return choice
        rare = SELDOM if "build" in verbs else TRADE
        if choice.verb not in rare:
            return choice
        others = [other for other in choices if other.verb not in rare] or choices
        return others[int(self._random.random() * len(others))]


def deal_at_random(deal: Deal, random: Random) -> Action:
    """One of the ways of a Deal, each equally likely, copies of a card told apart."""
    cards = list(deal.pool)
    random.shuffle(cards)
    parts = []
    for part in range(len(deal.sizes)):
        size = _size(len(cards), deal.sizes[part:], random)
        parts.append(tuple(cards[:size]))
        del cards[:size]
    return deal.make(tuple(parts))


def _size(left: int, sizes: Sequence[tuple[int, int]], random: Random) -> int:
    """How many cards the first part gets, each number weighed by the ways of dealing that go on from it."""
    least, most = sizes[0]
    if least == most:
        return least
    options = range(least, min(most, left) + 1)
    weights = [comb(left, size) * _ways(left - size, sizes[1:]) for size in options]
    return random.choices(options, weights)[0]


def _ways(left: int, sizes: Sequence[tuple[int, int]]) -> int:
    if not sizes:
        return 1
    least, most = sizes[0]
    return sum(comb(left, size) * _ways(left - size, sizes[1:]) for size in range(least, min(most, left) + 1))
