"""The score of each kind of action, and the best action of a list of choices."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from citadels_lan.bots.at_random import deal_at_random
from citadels_lan.bots.heuristics import abilities, drafting, turns
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal

Rule: TypeAlias = Callable[[Any, Any], float]
"""How good an action is, as a mind sees it."""

LAST: Final = 0.001
"""So much of its score is left to what ends a turn: it comes after everything else that is worth doing."""
AT_ONCE: Final = 93.0
"""An ability that only ever gains something is used at once; so is anything not listed here."""
MOST_WAYS = 48
"""A Deal without a rule of its own is weighed in at most so many ways."""


def _at_once(mind: TurnMind, action: Action) -> float:
    return AT_ONCE


SCORES: Final[Mapping[str, Rule]] = {
    "pick": drafting.score_pick,
    "theater": drafting.score_theater,
    "gather": turns.score_gather,
    "keep": turns.score_keep,
    "income": turns.score_income,
    "bonus": turns.score_bonus,
    "build": turns.score_build,
    "end": turns.score_end,
    "kill": abilities.score_kill,
    "bewitch": abilities.score_bewitch,
    "rob": abilities.score_rob,
    "warrant": abilities.score_marks,
    "threaten": abilities.score_marks,
    "spy": abilities.score_spy,
    "bribe": abilities.score_bribe,
    "reveal": abilities.score_reveal,
    "confiscate": abilities.score_confiscate,
    "swap": abilities.score_swap,
    "redraw": abilities.score_redraw,
    "look": abilities.score_look,
    "take": abilities.score_take,
    "give": abilities.score_give,
    "crown": abilities.score_crown,
    "levy": abilities.score_levy,
    "destroy": abilities.score_destroy,
    "seize": abilities.score_seize,
    "exchange": abilities.score_exchange,
    "beautify": abilities.score_beautify,
    "laboratory": abilities.score_laboratory,
    "smithy": abilities.score_smithy,
    "museum": abilities.score_museum,
    "armory": abilities.score_armory,
    "sell": abilities.score_sell,
    "offer": abilities.score_offer,
    "bid": abilities.score_bid,
    "pass": abilities.score_pass,
    "thank": abilities.score_thank,
    "tribute": abilities.score_tribute,
    "lighthouse": abilities.score_lighthouse,
    "graveyard": abilities.score_graveyard,
    "bell_tower": abilities.score_bell_tower,
    "turn": abilities.score_turn,
}
DEALS: Final[Mapping[str, Callable[[TurnMind, Deal], list[Action]]]] = {
    "warrant": abilities.deal_marks,
    "threaten": abilities.deal_marks,
    "redraw": abilities.deal_redraw,
    "give": abilities.deal_give,
    "build": abilities.deal_build,
    "take": abilities.deal_build,
    "offer": abilities.deal_offer,
}


def score(mind: TurnMind, action: Action, scores: Mapping[str, Rule] = SCORES) -> float:
    """How readily an action is done now."""
    value = scores.get(action.verb, _at_once)(mind, action)
    return value * LAST if value > 0 and action.verb == mind.last_ability else value


def best(mind: TurnMind, choices: Sequence[Choice], scores: Mapping[str, Rule] = SCORES) -> Action:
    """The action that is best now, of all that the choices stand for."""
    actions = [action for choice in choices for action in ways(mind, choice)]
    return max(actions, key=lambda action: score(mind, action, scores))


def ways(mind: TurnMind, choice: Choice) -> list[Action]:
    """The actions of a choice that are worth weighing."""
    if not isinstance(choice, Deal):
        return [choice]
    if choice.verb in DEALS:
        return DEALS[choice.verb](mind, choice)
    if choice.count() <= MOST_WAYS:
        return list(choice.actions())
    return [deal_at_random(choice, mind.random) for _ in range(MOST_WAYS)]
