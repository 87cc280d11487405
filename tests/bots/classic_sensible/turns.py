"""What districts are worth, the best builds of a turn, and the moves of every turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

from citadels_lan.engine import HIDDEN, TYPES
from citadels_lan.engine.actions import Bonus, Build, End, Gather, Income, Keep
from citadels_lan.engine.scoring import ALL_TYPES, COMPLETED, FIRST
from citadels_lan.engine.turn.selling import half

from .mind import ClassicMind

UNKNOWN_CARD = 2.2
"""An unknown card: a little less than the mean cost of the deck, because not every card fits."""

GOLD = 0.5
"""What a gold is worth in points while there is time to spend it."""
GOLD_FOR_ALL = 0.8
"""The same where everybody builds one city: there is always something to build."""
AT_THE_END = 8
"""So many names before the end of such a city gold begins to lose its worth."""


def gold_worth(mind: ClassicMind) -> float:
    """What one gold is worth to me in points."""
    if mind.my_turn and mind.character == "alchemist":
        return 0.0
    if "imperial_treasury" in mind.names:
        return 0.9
    if mind.last_turn:
        return 0.05
    return GOLD if mind.shared is None else GOLD_FOR_ALL * min(1.0, mind.shared.left / AT_THE_END)


def _late(value: float) -> Callable[[ClassicMind], float]:
    """A value for the final scoring, whenever it is built."""
    return lambda mind: value


def _lasting(value: float, most: float = 4.0) -> Callable[[ClassicMind], float]:
    """A value for every turn to come."""
    return lambda mind: min(most, value * (mind.rounds_left - 1))


def _capitol(mind: ClassicMind) -> float:
    return 3.0 if max(mind.types.values(), default=0) >= 2 else 1.5


def _ivory_tower(mind: ClassicMind) -> float:
    return 5.0 if mind.types["unique"] == 0 and mind.my_missing <= 3 else 0.5


def _statue(mind: ClassicMind) -> float:
    return 3.0 if mind.view.crown == mind.seat else 1.5


def _basilica(mind: ClassicMind) -> float:
    return 1.5 + sum(district.cost % 2 for district in mind.me.city)


def _monument(mind: ClassicMind) -> float:
    return 2.5


def _wishing_well(mind: ClassicMind) -> float:
    return 1.0 + mind.types["unique"]


def _haunted_quarter(mind: ClassicMind) -> float:
    lacking = sum(mind.types[kind] == 0 for kind in TYPES)
    return 2.0 if lacking <= 2 else 1.0


EXTRA: Final[Mapping[str, Callable[[ClassicMind], float]]] = {
    "armory": _lasting(0.3, 1.0),
    "ballroom": _late(0.3),
    "basilica": _basilica,
    "bell_tower": _late(1.0),
    "capitol": _capitol,
    "factory": _lasting(0.4),
    "framework": _lasting(0.8, 1.5),
    "gold_mine": _lasting(0.5),
    "graveyard": _lasting(0.2, 1.0),
    "great_wall": _lasting(0.3, 1.0),
    "haunted_city": _haunted_quarter,
    "haunted_quarter": _haunted_quarter,
    "hospital": _lasting(0.2, 1.0),
    "imperial_treasury": lambda mind: 0.7 * mind.me.gold,
    "ivory_tower": _ivory_tower,
    "keep": _late(0.3),
    "laboratory": lambda mind: _lasting(0.0 if mind.amounts.sells else 0.35 * mind.amounts.laboratory)(mind),
    "library": _lasting(0.8),
    "lighthouse": _late(2.0),
    "map_room": lambda mind: 0.7 * max(0, len(mind.me.hand) - 1),
    "monument": _monument,
    "museum": _lasting(0.8),
    "necropolis": _late(0.0),
    "observatory": _lasting(0.3),
    "park": _lasting(0.7),
    "poor_house": _lasting(0.35),
    "quarry": _lasting(0.4),
    "school_of_magic": _lasting(0.5),
    "smithy": _lasting(0.8),
    "stables": _lasting(0.3, 0.8),
    "statue": _statue,
    "theater": _lasting(0.3, 1.0),
    "thieves_den": _late(0.0),
    "throne_room": _lasting(0.25, 2.0),
    "wishing_well": _wishing_well,
}
"""What unique districts bring beyond their cost."""


def worth(mind: ClassicMind, card: str) -> float:
    """What having a card in the city adds to my final result, apart from what it costs."""
    if card == HIDDEN:
        return UNKNOWN_CARD
    kind = mind.edition.types[card]
    value = float(mind.edition.costs[card]) + (1.0 if mind.shared is None else 0.3 + mind.shared.one_more)
    if kind == "unique":
        value += EXTRA[card](mind) if card in EXTRA else float(mind.effect(card).worth or 0.5)
        value += "wishing_well" in mind.names
    value += _variety(mind, card)
    if kind != "unique":
        value += 0.15 * min(mind.types[kind], 3)
    return value


def finishing(mind: ClassicMind, cards: Sequence[str]) -> float:
    """What completing the city is worth, if building these cards would."""
    if mind.shared is not None:
        return mind.shared.finishing(cards)
    counted = sum(mind.effect(card).counts for card in cards)
    if not mind.my_missing or counted < mind.my_missing:
        return 0.0
    return float(FIRST if mind.view.first is None else COMPLETED)


def _variety(mind: ClassicMind, card: str) -> float:
    """A part of the points for all types, by how near they are."""
    kind = mind.edition.types[card]
    if mind.types[kind]:
        return 0.0
    if mind.shared is not None:
        return mind.shared.a_type
    lacking = sum(mind.types[other] == 0 for other in TYPES)
    if lacking > mind.my_missing:
        return 0.0
    return ALL_TYPES * (1.0, 0.6, 0.33, 0.2, 0.13)[lacking - 1]


def salvage(mind: ClassicMind, card: str) -> float:
    """What a card that cannot be built is worth in my hand: what the bank gives for it, if it buys."""
    return max(0.1, gold_worth(mind) * half(mind.edition.costs[card])) if mind.amounts.sells else 0.1


def holding(mind: ClassicMind, card: str) -> float:
    """What a card is worth in my hand: what it would bring, less what it costs, if it can be built."""
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


def _dearness(mind: ClassicMind, card: str) -> float:
    """What a card loses by being out of reach: the end may come before the gold does."""
    short = mind.price(card) - mind.me.gold - mind.amounts.gathered
    return 0.6 * max(0, short) * (2.0 if mind.rounds_left <= 2 else 0.5)


LOOKED_AT = 8
"""So many cards are weighed against each other, the best and the cheapest: a large hand has too many sets."""


class ClassicTurnPlan:
    """Cards to build this turn for gold, and what they bring in points, less their price."""

    def __init__(self, cards: Sequence[str] = (), value: float = 0.0, finishes: bool = False) -> None:
        self.cards = tuple(cards)
        self.value = value
        self.finishes = finishes


def plan(mind: ClassicMind, gold: int, builds: int, without: str | None = None) -> ClassicTurnPlan:
    """The best set of hand cards for so much gold and so many builds; `without` one card of the hand."""
    useful = [card for card in mind.useful if card != without or mind.me.hand.count(card) > 1]
    prices = {card: mind.price(card) for card in useful}
    reachable = [card for card in useful if prices[card] <= gold]
    if not reachable or (builds <= 0 and not any(not mind.counts(card) for card in reachable)):
        return ClassicTurnPlan()
    each = gold_worth(mind)
    values = {card: worth(mind, card) - each * prices[card] for card in reachable}
    reachable.sort(key=lambda card: values[card], reverse=True)
    if len(reachable) > LOOKED_AT:
        rest = sorted(reachable[LOOKED_AT // 2 :], key=lambda card: prices[card])
        reachable = reachable[: LOOKED_AT // 2] + rest[: LOOKED_AT // 2]
    best = ClassicTurnPlan()
    for size in range(1, min(len(reachable), max(builds, 1) + 2) + 1):
        for cards in combinations(reachable, size):
            if sum(prices[card] for card in cards) > gold:
                continue
            if sum(mind.counts(card) for card in cards) > builds:
                continue
            end = finishing(mind, cards)
            value = sum(values[card] for card in cards) + end
            if value > best.value:
                best = ClassicTurnPlan(cards, value, end > 0)
    return best


END: Final = 0.0
SKIP: Final = -1.0
"""Less than ending the turn: never, while there is anything else to do."""


class ClassicTurnMind(ClassicMind):
    """A mind in its own turn, with plans for it."""

    @cached_property
    def plan(self) -> ClassicTurnPlan:
        """The best builds with the gold at hand."""
        return plan(self, self.me.gold, self.builds_left())

    @cached_property
    def richer_plan(self) -> ClassicTurnPlan:
        """The best builds once income and bonus are taken."""
        return plan(self, self.me.gold + self.income_now, self.builds_left())

    @cached_property
    def dead(self) -> list[str]:
        """My cards that are of no use: what cannot be built, and second copies where they cannot."""
        if self.duplicates:
            return [card for card in self.me.hand if not self.may_stand(card)]
        left = self.useful.copy()
        dead = []
        for card in self.me.hand:
            if card in left:
                left.remove(card)
            else:
                dead.append(card)
        return dead

    @cached_property
    def dead_gold(self) -> int:
        """What the bank gives for them, if it buys."""
        return sum(half(self.edition.costs[card]) for card in self.dead) if self.amounts.sells else 0

    @cached_property
    def sold_plan(self) -> ClassicTurnPlan:
        """The best builds once these are sold, too."""
        return plan(self, self.me.gold + self.income_now + self.dead_gold, self.builds_left())

    @cached_property
    def stuck(self) -> bool:
        """Nothing in the hand can be built this turn."""
        gathered = self.view.turn is not None and self.view.turn.gathered
        gold = self.me.gold + self.income_now + (0 if gathered else self.amounts.gathered)
        return not any(self.price(card) <= gold for card in self.useful)


def score_gather(mind: ClassicTurnMind, action: Gather) -> float:
    return 80.0 + ((action.what == "gold") == _wants_gold(mind))


def _wants_gold(mind: ClassicTurnMind) -> bool:
    more = mind.amounts.gathered + sum(unique.more_gold for unique in mind.effects)
    now = mind.me.gold + mind.income_now + mind.dead_gold
    builds = mind.builds_left()
    without, with_gold = plan(mind, now, builds), plan(mind, now + more, builds)
    if mind.last_turn:
        return with_gold.value > without.value or "imperial_treasury" in mind.names
    if not mind.useful:
        return False
    if with_gold.value > without.value + 0.8:
        return True
    left = len(mind.useful) - len(with_gold.cards)
    if any(unique.kept(2) > 1 for unique in mind.effects):
        return left > 2
    saving = any(mind.price(card) > now for card in mind.useful)
    return left > 0 and (saving or left > 2)


def score_keep(mind: ClassicTurnMind, action: Keep) -> float:
    return sum(max(0.01, holding(mind, card) if _new(mind, card) else 0.2) for card in action.cards)


def _new(mind: ClassicTurnMind, card: str) -> bool:
    """A second copy of a hand card is of use only to whoever may build identical districts."""
    return mind.duplicates or card not in mind.me.hand


def score_income(mind: ClassicTurnMind, action: Income) -> float:
    """Cards and urgent gold at once; other gold after building what adds to the income."""
    merit = _split(mind, action)
    if mind.edition.characters[mind.character].pays == "cards":
        return 85.0
    if mind.view.turn is not None and not mind.view.turn.gathered:
        return 75.0 + merit
    wanted = mind.edition.characters[mind.character].income
    grows = any(mind.edition.types[card] == wanted or card == "school_of_magic" for card in mind.plan.cards)
    later = grows and mind.plan.value + 0.5 >= mind.richer_plan.value
    return (40.0 if later else 75.0) + merit


def _split(mind: ClassicTurnMind, action: Income) -> float:
    """The Abbot's mixture: gold for the dearest useful card, otherwise cards."""
    dearest = max((mind.price(card) for card in mind.useful), default=0)
    wanted = max(0, dearest - mind.me.gold)
    if len(mind.useful) < 2:
        wanted = min(wanted, action.gold + action.cards - 1)
    return -0.1 * abs(action.gold - wanted)


def score_bonus(mind: ClassicTurnMind, action: Bonus) -> float:
    wants_gold = len(mind.useful) >= 2 or (mind.last_turn and not mind.builds_left())
    return 91.0 + ((action.what == "gold") == wants_gold)


def score_build(mind: ClassicTurnMind, action: Build) -> float:
    value = build_value(mind, action)
    if value < 0.2:
        return SKIP
    if action.card in mind.plan.cards:
        value += 6.0 + 4.0 * mind.plan.finishes
    return 50.0 + min(value, 24.0)


def build_value(mind: ClassicTurnMind, action: Build) -> float:
    """What a build brings in points, whatever way it is paid."""
    pay = action.payment
    value = worth(mind, action.card)
    if pay.framework:
        return value - 4.5
    if pay.sacrifice is not None:
        return value - worth(mind, pay.sacrifice.key)
    value -= gold_worth(mind) * mind.tax
    gold = mind.price(action.card) - len(pay.cards) - len(pay.lent)
    value -= gold_worth(mind) * gold
    value -= sum(holding(mind, card) for card in (*pay.cards, *pay.lent))
    return value + finishing(mind, (action.card,))


def score_end(mind: ClassicTurnMind, action: End) -> float:
    return END
