"""The random bot. Simulations and rollouts consist of its moves, so it must be fast. `make compiled` compiles
this module, so the bot has no base class in Python."""

from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final

from citadels_lan.engine import Action, Choice, Deal, Event, State
from citadels_lan.engine.choices import count_ways

TRADE: Final = frozenset({"sell", "offer"})
SELDOM: Final = TRADE | {"end"}
WEIGHED: Final = SELDOM | {"bid", "pass"}
RARELY: Final = 0.05
"""In this share of decisions, trade and ending the turn are as likely as any other choice. In all others they
are avoided."""


class RandomPolicy:
    """Plays uniformly at random.

    Each choice is equally likely. A Deal counts as one choice; each way to deal its cards is equally likely,
    with copies counted as different cards. There are two exceptions, because otherwise turns with trade would
    have very many sales, and games would take very long: usually the bot considers no sale, and does not end
    a turn in which it can build. In an auction it passes as often as it bids.
    """

    ignores_view = True
    ignores_events = True

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def told(self, view: State, event: Event) -> None:
        """Do nothing."""

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return a random choice, or a random action of a Deal."""
        choice = choices[int(self._random.random() * len(choices))]
        if choice.verb in WEIGHED:
            choice = self._weighed(choice, choices)
        return deal_at_random(choice, self._random) if isinstance(choice, Deal) else choice

    def _weighed(self, choice: Choice, choices: Sequence[Choice]) -> Choice:
        """Return `choice`, which was drawn at random. If it is one that the bot usually avoids, usually
        return one of the others, each equally likely."""
        # Only an auction has passing as its last choice.
        if choices[-1].verb == "pass":
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
    """Return a random action of a Deal. Each way to deal is equally likely, with copies of a card counted as
    different cards."""
    cards = list(deal.pool)
    random.shuffle(cards)
    parts = []
    for part in range(len(deal.sizes)):
        size = _size(len(cards), deal.sizes[part:], random)
        parts.append(tuple(cards[:size]))
        del cards[:size]
    return deal.make(tuple(parts))


def _size(cards: int, sizes: Sequence[tuple[int, int]], random: Random) -> int:
    """Return a random size for the first of several parts. A size is as likely as the number of ways in which
    the other cards can then be dealt."""
    least, most = sizes[0]
    if least == most:
        return least
    options = range(least, min(most, cards) + 1)
    weights = [comb(cards, size) * count_ways(cards - size, sizes[1:]) for size in options]
    return random.choices(options, weights)[0]
