"""The scores of the moves of every turn: gather, keep, build, income, end.

A score is the priority of the moment (tens) plus the merit of the choice. The highest score is played next. A
move that scores below END is not played.
"""

from typing import Final

from citadels_lan.bots.heuristics.mind import Mind as BareMind
from citadels_lan.bots.heuristics.values import once
from citadels_lan.bots.heuristics.worth import TurnPlan, finishing, gold_worth, holding, plan, worth
from citadels_lan.engine.actions import Bonus, Build, End, Gather, Income, Keep
from citadels_lan.engine.turn.selling import half

END: Final = 0.0
SKIP: Final = -1.0
"""Less than ending the turn: never, while there is anything else to do."""


class TurnMind(BareMind):
    """A mind in its own turn, with plans for it."""

    @once
    def plans(self) -> dict[int, TurnPlan]:
        """The best builds by the gold for them, as far as it was asked."""
        return {}

    def plan_for(self, gold: int) -> TurnPlan:
        """The best builds with so much gold."""
        if gold not in self.plans:
            self.plans[gold] = plan(self, gold, self.builds_left())
        return self.plans[gold]

    @property
    def plan(self) -> TurnPlan:
        """The best builds with the gold at hand."""
        return self.plan_for(self.me.gold)

    @property
    def richer_plan(self) -> TurnPlan:
        """The best builds once income and bonus are taken."""
        return self.plan_for(self.me.gold + self.income_now)

    @once
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

    @once
    def dead_gold(self) -> int:
        """What the bank gives for them, if it buys."""
        return sum(half(self.edition.costs[card]) for card in self.dead) if self.amounts.sells else 0

    @property
    def sold_plan(self) -> TurnPlan:
        """The best builds once these are sold, too."""
        return self.plan_for(self.me.gold + self.income_now + self.dead_gold)

    @once
    def stuck(self) -> bool:
        """Nothing in the hand can be built this turn."""
        gathered = self.view.turn is not None and self.view.turn.gathered
        gold = self.me.gold + self.income_now + (0 if gathered else self.amounts.gathered)
        return not any(self.price(card) <= gold for card in self.useful)

    @once
    def wants_gold(self) -> bool:
        """Gathering gold brings more than cards."""
        return gold_first(self)

    @once
    def gathering(self) -> tuple[TurnPlan, TurnPlan]:
        """The best builds if cards are gathered, as far as the hand is known, and if gold is."""
        gold = self.me.gold + self.income_now + self.dead_gold
        return self.plan_for(gold), self.plan_for(gold + self.more_gold)

    @once
    def more_gold(self) -> int:
        """What gathering gold brings."""
        return self.amounts.gathered + sum(unique.more_gold for unique in self.effects)


def score_gather(mind: TurnMind, action: Gather) -> float:
    """Whoever holds nothing that may stand in its city draws, unless it is its last turn."""
    gold = mind.wants_gold and (mind.last_turn or bool(mind.useful))
    return 80.0 + ((action.what == "gold") == gold)


def gold_first(mind: TurnMind) -> bool:
    """Gold for what can then be built or is being saved for; otherwise cards."""
    without, with_gold = mind.gathering
    if mind.last_turn:
        return with_gold.value > without.value or "imperial_treasury" in mind.names
    if with_gold.value > without.value + 0.8:
        return True
    left = len(mind.useful) - len(with_gold.cards)
    if any(unique.kept(2) > 1 for unique in mind.effects):
        return left > 2
    saving = any(mind.price(card) > mind.me.gold + mind.income_now + mind.dead_gold for card in mind.useful)
    return left > 0 and (saving or left > 2)


def score_keep(mind: TurnMind, action: Keep) -> float:
    return sum(max(0.01, holding(mind, card) if _new(mind, card) else 0.2) for card in action.cards)


def _new(mind: TurnMind, card: str) -> bool:
    """A second copy of a hand card is of use only to whoever may build identical districts."""
    return mind.duplicates or card not in mind.me.hand


def score_income(mind: TurnMind, action: Income) -> float:
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


def _split(mind: TurnMind, action: Income) -> float:
    """The Abbot's mixture: gold for the dearest useful card, otherwise cards."""
    dearest = max((mind.price(card) for card in mind.useful), default=0)
    wanted = max(0, dearest - mind.me.gold)
    if len(mind.useful) < 2:
        wanted = min(wanted, action.gold + action.cards - 1)
    return -0.1 * abs(action.gold - wanted)


def score_bonus(mind: TurnMind, action: Bonus) -> float:
    wants_gold = len(mind.useful) >= 2 or (mind.last_turn and not mind.builds_left())
    return 91.0 + ((action.what == "gold") == wants_gold)


def score_build(mind: TurnMind, action: Build) -> float:
    value = build_value(mind, action)
    if value < 0.2:
        return SKIP
    if action.card in mind.plan.cards:
        value += 6.0 + 4.0 * mind.plan.finishes
    return 50.0 + min(value, 24.0)


def build_value(mind: TurnMind, action: Build) -> float:
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


def score_end(mind: TurnMind, action: End) -> float:
    return END
