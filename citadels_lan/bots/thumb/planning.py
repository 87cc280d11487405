"""What to build this turn: the best set of cards for the gold at hand."""

from collections.abc import Sequence
from itertools import combinations

from .mind import Mind
from .worth import finishing, gold_worth, worth

LOOKED_AT = 8
"""So many cards are weighed against each other, the best and the cheapest: a large hand has too many sets."""


class TurnPlan:
    """Cards to build this turn for gold, and what they bring in points, less their price."""

    def __init__(self, cards: Sequence[str] = (), value: float = 0.0, finishes: bool = False) -> None:
        self.cards = tuple(cards)
        self.value = value
        self.finishes = finishes


def plan(mind: Mind, gold: int, builds: int, without: str | None = None) -> TurnPlan:
    """The best set of hand cards for so much gold and so many builds; `without` one card of the hand."""
    prices = mind.prices
    reachable = [card for card in mind.useful if prices[card] <= gold]
    if without in reachable and mind.me.hand.count(without) == 1:
        reachable.remove(without)
    counting = {card: mind.counts(card) for card in reachable}
    free = len(reachable) - sum(counting.values())
    if builds <= 0 and not free:
        return TurnPlan()
    each = gold_worth(mind)
    values = {card: worth(mind, card) - each * prices[card] for card in reachable}
    reachable.sort(key=lambda card: values[card], reverse=True)
    if len(reachable) > LOOKED_AT:
        rest = sorted(reachable[LOOKED_AT // 2 :], key=lambda card: prices[card])
        reachable = reachable[: LOOKED_AT // 2] + rest[: LOOKED_AT // 2]
    best = TurnPlan()
    for size in range(1, min(len(reachable), max(builds, 1) + 2, max(builds, 0) + free) + 1):
        for cards in combinations(reachable, size):
            if size > 1 and sum([prices[card] for card in cards]) > gold:
                continue
            if size > builds and sum([counting[card] for card in cards]) > builds:
                continue
            end = finishing(mind, cards)
            value = sum([values[card] for card in cards]) + end
            if value > best.value:
                best = TurnPlan(cards, value, end > 0)
    return best
