"""The value of districts to their owner, in points of the final score, and which cards to build with the
present gold."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from citadels_lan.bots.heuristics.mind import Mind
from citadels_lan.engine import HIDDEN
from citadels_lan.engine.scoring import ALL_TYPES, COMPLETED, FIRST
from citadels_lan.engine.turn.piles import half

UNKNOWN_CARD = 2.2
"""The value of an unknown card, in points. It is a little less than the mean cost in the deck, because not
every card is useful."""

GOLD = 0.5
"""The value of a gold that can still be spent, in points."""
GOLD_FOR_ALL = 0.8
"""The value of a gold in points in Città Comune, where the building of districts never stops."""
AT_THE_END = 8
"""In Città Comune gold loses its value when at most this many district names are missing to the end."""


def gold_worth(mind: Mind) -> float:
    """Return the value of one gold in points."""
    if mind.my_turn and mind.character == "alchemist":
        return 0.0
    if "imperial_treasury" in mind.names:
        return 0.9
    if mind.last_turn:
        return 0.05
    usual = GOLD if mind.shared is None else GOLD_FOR_ALL * min(1.0, mind.shared.left / AT_THE_END)
    return usual * mind.taste.thrift


def _late(value: float) -> Callable[[Mind], float]:
    """Return a function that returns `value` for every mind."""
    return lambda mind: value


def _lasting(value: float, most: float = 4.0) -> Callable[[Mind], float]:
    """Return a function that returns `value` times the number of turns after this one, but at most `most`."""
    return lambda mind: min(most, value * (mind.rounds_left - 1))


def _haunted_quarter(mind: Mind) -> float:
    return 2.0 if mind.types_lacking <= 2 else 1.0


EXTRA: Final[Mapping[str, Callable[[Mind], float]]] = {
    "armory": _lasting(0.3, 1.0),
    "ballroom": _late(0.3),
    "basilica": lambda mind: 1.5 + sum(district.cost % 2 for district in mind.me.city),
    "bell_tower": _late(1.0),
    "capitol": lambda mind: 3.0 if max(mind.types.values(), default=0) >= 2 else 1.5,
    "factory": _lasting(0.4),
    "framework": _lasting(0.8, 1.5),
    "gold_mine": _lasting(0.5),
    "graveyard": _lasting(0.2, 1.0),
    "great_wall": _lasting(0.3, 1.0),
    "haunted_city": _haunted_quarter,
    "haunted_quarter": _haunted_quarter,
    "hospital": _lasting(0.2, 1.0),
    "imperial_treasury": lambda mind: 0.7 * mind.me.gold,
    "ivory_tower": lambda mind: 5.0 if mind.types["unique"] == 0 and mind.my_missing <= 3 else 0.5,
    "keep": _late(0.3),
    "laboratory": lambda mind: _lasting(0.0 if mind.amounts.sells else 0.35 * mind.amounts.laboratory)(mind),
    "library": _lasting(0.8),
    "lighthouse": _late(2.0),
    "map_room": lambda mind: 0.7 * max(0, len(mind.me.hand) - 1),
    "monument": _late(2.5),
    "museum": _lasting(0.8),
    "necropolis": _late(0.0),
    "observatory": _lasting(0.3),
    "park": _lasting(0.7),
    "poor_house": _lasting(0.35),
    "quarry": _lasting(0.4),
    "school_of_magic": _lasting(0.5),
    "smithy": _lasting(0.8),
    "stables": _lasting(0.3, 0.8),
    "statue": lambda mind: 3.0 if mind.view.crown == mind.seat else 1.5,
    "theater": _lasting(0.3, 1.0),
    "thieves_den": _late(0.0),
    "throne_room": _lasting(0.25, 2.0),
    "wishing_well": lambda mind: 1.0 + mind.types["unique"],
}
"""The value of each unique district in addition to its cost, in points."""


def worth(mind: Mind, card: str) -> float:
    """Return how many points building `card` adds to the bot's result. Its price is not subtracted."""
    value = mind.worths.get(card)
    if value is None:
        value = mind.worths[card] = _worth(mind, card)
    return value


def _worth(mind: Mind, card: str) -> float:
    if card == HIDDEN:
        return UNKNOWN_CARD
    kind = mind.edition.types[card]
    value = float(mind.edition.costs[card]) + (1.0 if mind.shared is None else 0.3 + mind.shared.one_more)
    if kind == "unique":
        value += EXTRA[card](mind) if card in EXTRA else float(mind.edition.effect(card).worth or 0.5)
        value += "wishing_well" in mind.names
    value += mind.taste.haste + mind.taste.variety * _variety(mind, card)
    if kind != "unique":
        value += 0.15 * min(mind.types[kind], 3)
    return value


def finishing(mind: Mind, cards: Sequence[str]) -> float:
    """Return the points for completing the city, or for ending Città Comune, if building `cards` does that,
    otherwise 0."""
    if mind.shared is not None:
        return mind.shared.finishing(cards)
    missing, larger = mind.my_missing, mind.edition.larger
    if not missing or (missing > len(cards) and not larger):
        return 0.0
    if sum([larger.get(card, 1) for card in cards]) < missing:
        return 0.0
    return float(FIRST if mind.view.first is None else COMPLETED)


def _variety(mind: Mind, card: str) -> float:
    """Return how many of the points for all types `card` is worth; 0 if its type is already in the city."""
    kind = mind.edition.types[card]
    if mind.types[kind]:
        return 0.0
    if mind.shared is not None:
        return mind.shared.a_type
    if mind.types_lacking > mind.my_missing:
        return 0.0
    return ALL_TYPES * (1.0, 0.6, 0.33, 0.2, 0.13)[mind.types_lacking - 1]


def salvage(mind: Mind, card: str) -> float:
    """Return the value of a card in the hand that cannot be built: the bank's price, if the bank buys cards."""
    return max(0.1, gold_worth(mind) * half(mind.edition.costs[card])) if mind.amounts.sells else 0.1


def holding(mind: Mind, card: str) -> float:
    """Return the value of `card` in the hand, in points. If it can be built: its value in the city minus its
    price. Otherwise: what it can be sold for."""
    if card == HIDDEN:
        return 1.0
    if card == "secret_vault":
        return 3.0
    if not mind.may_stand(card):
        return salvage(mind, card)
    if mind.last_turn and mind.my_turn and not mind.builds_left():
        return 1.0 if "map_room" in mind.names else 0.05
    if not mind.duplicates and mind.me.hand.count(card) > 1:
        return 0.3 if mind.shared is None else salvage(mind, card)
    value = 0.3 + worth(mind, card) - gold_worth(mind) * mind.price(card) - _dearness(mind, card)
    return value if mind.shared is None else max(value, salvage(mind, card) + 0.01)


def _dearness(mind: Mind, card: str) -> float:
    """Return how many points less `card` is worth because the gold does not suffice for it after the next
    gathering. This counts more near the end of the game."""
    short = mind.price(card) - mind.me.gold - mind.amounts.gathered
    return 0.6 * max(0, short) * (2.0 if mind.rounds_left <= 2 else 0.5)


LOOKED_AT = 8
"""How many hand cards a plan considers: the best and the cheapest. All cards of a large hand would have too
many combinations."""


class TurnPlan(NamedTuple):
    """The cards to build in this turn. `value` is their value minus their prices, in points. `finishes`: they
    complete the city."""

    cards: tuple[str, ...] = ()
    value: float = 0.0
    finishes: bool = False


def plan(mind: Mind, gold: int, builds: int, without: str | None = None) -> TurnPlan:
    """Return the best set of hand cards to build with `gold` and a building limit of `builds`. One copy of
    the card `without`, if given, is not considered."""
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
