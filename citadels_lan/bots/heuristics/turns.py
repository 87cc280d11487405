"""The scores of the moves of every turn: gather, keep, build, income, end.

A score is the sum of a priority, which decides when in the turn to make the move (tens), and the value of the
choice. The bot makes the move with the highest score. It makes no move with a score below END, the score of
ending the turn.
"""

from typing import Final

from citadels_lan.bots.heuristics.mind import Mind as BareMind
from citadels_lan.bots.heuristics.values import once
from citadels_lan.bots.heuristics.worth import TurnPlan, finishing, gold_worth, holding, plan, worth
from citadels_lan.engine.actions import Bonus, Build, Gather, Income, Keep
from citadels_lan.engine.turn.piles import half

END: Final = 0.0
SKIP: Final = -1.0
"""A score below that of ending the turn. The move is only made if there is no other one."""


class TurnMind(BareMind):
    """A mind during its own turn. It also plans which cards to build in the turn."""

    @once
    def plans(self) -> dict[int, TurnPlan]:
        """The plans computed so far: the best cards to build, by the gold that is available."""
        return {}

    def plan_for(self, gold: int) -> TurnPlan:
        """Return the best cards to build with this gold."""
        if gold not in self.plans:
            self.plans[gold] = plan(self, gold, self.builds_left())
        return self.plans[gold]

    @property
    def plan(self) -> TurnPlan:
        """The best cards to build with the present gold."""
        return self.plan_for(self.me.gold)

    @property
    def richer_plan(self) -> TurnPlan:
        """The best cards to build after taking income and bonus."""
        return self.plan_for(self.me.gold + self.income_now)

    @once
    def dead(self) -> list[str]:
        """Useless hand cards: those that cannot be built, and second copies if duplicates are forbidden."""
        if self.duplicates:
            return [card for card in self.me.hand if not self.may_stand(card)]
        unused = self.useful.copy()
        dead = []
        for card in self.me.hand:
            if card in unused:
                unused.remove(card)
            else:
                dead.append(card)
        return dead

    @once
    def dead_gold(self) -> int:
        """The gold that the bank pays for all useless cards. 0 if it buys no cards."""
        return sum(half(self.edition.costs[card]) for card in self.dead) if self.amounts.sells else 0

    @property
    def sold_plan(self) -> TurnPlan:
        """The best cards to build after taking income and bonus and selling the useless cards."""
        return self.plan_for(self.me.gold + self.income_now + self.dead_gold)

    @once
    def stuck(self) -> bool:
        """Whether no hand card can be built in this turn."""
        gathered = self.view.turn is not None and self.view.turn.gathered
        gold = self.me.gold + self.income_now + (0 if gathered else self.amounts.gathered)
        return not any(self.price(card) <= gold for card in self.useful)

    @once
    def wants_gold(self) -> bool:
        """Whether gathering gold is better than cards."""
        return gold_first(self)

    @once
    def gathering(self) -> tuple[TurnPlan, TurnPlan]:
        """The best cards to build after gathering cards, with the present hand only, and after gathering
        gold."""
        gold = self.me.gold + self.income_now + self.dead_gold
        return self.plan_for(gold), self.plan_for(gold + self.more_gold)

    @once
    def more_gold(self) -> int:
        """How much gold this seat gets when it gathers gold."""
        return self.amounts.gathered + sum(unique.more_gold for unique in self.effects)


def score_gather(mind: TurnMind, action: Gather) -> float:
    """Score gathering: gather cards if no hand card is useful, unless this is the last turn."""
    gold = mind.wants_gold and (mind.last_turn or bool(mind.useful))
    return 80.0 + ((action.what == "gold") == gold)


def gold_first(mind: TurnMind) -> bool:
    """Return whether gathering gold, rather than cards, allows a build in this turn or a planned one later."""
    without, with_gold = mind.gathering
    if mind.last_turn:
        return with_gold.value > without.value or "imperial_treasury" in mind.names
    if with_gold.value > without.value + 0.8:
        return True
    remaining = len(mind.useful) - len(with_gold.cards)
    if any(unique.kept(2) > 1 for unique in mind.effects):
        return remaining > 2
    saving = any(mind.price(card) > mind.me.gold + mind.income_now + mind.dead_gold for card in mind.useful)
    return remaining > 0 and (saving or remaining > 2)


def score_keep(mind: TurnMind, action: Keep) -> float:
    """Score keeping these drawn cards: the sum of their values in the hand."""
    copies = () if mind.duplicates else mind.me.hand
    return sum(max(0.01, 0.2 if card in copies else holding(mind, card)) for card in action.cards)


def score_income(mind: TurnMind, action: Income) -> float:
    """Score taking income. Cards, and gold that is needed for a build, come at once. Other gold comes after
    building a district that increases the income."""
    merit = _split(mind, action)
    if mind.edition.characters[mind.character].pays == "cards":
        return 85.0
    if mind.view.turn is not None and not mind.view.turn.gathered:
        return 75.0 + merit
    kind = mind.edition.characters[mind.character].income
    grows = any(mind.edition.types[card] == kind or card == "school_of_magic" for card in mind.plan.cards)
    later = grows and mind.plan.value + 0.5 >= mind.richer_plan.value
    return (40.0 if later else 75.0) + merit


def _split(mind: TurnMind, action: Income) -> float:
    """Score the Abbot's mix of gold and cards: enough gold for the most expensive useful card, otherwise
    cards."""
    dearest = max((mind.price(card) for card in mind.useful), default=0)
    gold = max(0, dearest - mind.me.gold)
    if len(mind.useful) < 2:
        gold = min(gold, action.gold + action.cards - 1)
    return -0.1 * abs(action.gold - gold)


def score_bonus(mind: TurnMind, action: Bonus) -> float:
    """Score the extra gold or cards: gold if the hand has useful cards, otherwise cards."""
    wants_gold = len(mind.useful) >= 2 or (mind.last_turn and not mind.builds_left())
    return 91.0 + ((action.what == "gold") == wants_gold)


def score_build(mind: TurnMind, action: Build) -> float:
    """Score a build: the cards of the plan come first."""
    value = build_value(mind, action)
    if value < 0.2:
        return SKIP
    if action.card in mind.plan.cards:
        value += 6.0 + 4.0 * mind.plan.finishes
    return 50.0 + min(value, 24.0)


def build_value(mind: TurnMind, action: Build) -> float:
    """Return the value of a build in points minus the value of what pays for it."""
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
