"""The score of each kind of action, and the best action of a list of choices."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from citadels_lan.bots.at_random import deal_at_random
from citadels_lan.bots.heuristics import abilities, picking, turns
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.engine import Action, Choice, Deal
from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import LookInto

Rule: TypeAlias = Callable[[Any, Any], float]
"""Returns the score of an action, given the mind of the bot and the action: the higher, the better."""

LAST: Final = 0.001
"""The score of an ability that ends the turn is multiplied by this, so that all other useful moves come
before it."""
AT_ONCE: Final = 93.0
"""The score of a kind of action that has no function here. It is so high that a bot makes the move at once.
"""
MOST_WAYS = 48
"""If no function selects actions of a Deal, at most this many of them are considered."""


def _yes(mind: TurnMind, action: OfAnswer) -> float:
    return float(action.yes)


def _look(mind: TurnMind, action: LookInto) -> float:
    return 70.0 + 0.5 * min(6, len(mind.view.players[action.seat].hand)) + 0.2 * mind.danger(action.seat)


def _functions(prefix: str) -> dict[str, Any]:
    """Return the functions of the three score modules whose names begin with `prefix`, by the rest of their
    names."""
    return {
        name.removeprefix(prefix): function
        for module in (picking, turns, abilities)
        for name, function in vars(module).items()
        if name.startswith(prefix)
    }


SCORES: Final[Mapping[str, Rule]] = {
    **_functions("score_"),
    "warrant": abilities.score_marks,
    "threaten": abilities.score_marks,
    "confiscate": _yes,
    "thank": _yes,
    "look": _look,
    "levy": lambda mind, action: 94.0 + 0.3 * mind.danger(action.seat),
    "rob": lambda mind, action: abilities.NAMING + mind.gold_of[action.character],
    "offer": lambda mind, action: 77.5 + 0.05 * action.floor,
    "pass": lambda mind, action: 0.0,
    "end": lambda mind, action: turns.END,
}
"""For each kind of action, by its verb: the function that scores it. It is `score_<verb>` of one of the three
modules, or an entry here."""
DEALS: Final[Mapping[str, Callable[[TurnMind, Deal], list[Action]]]] = {
    **_functions("deal_"),
    "warrant": abilities.deal_marks,
    "threaten": abilities.deal_marks,
    "take": abilities.deal_build,
}
"""For each kind of `Deal`, by its verb: the function that returns its actions worth considering. It is
`deal_<verb>` of one of the three modules, or an entry here."""


def score(mind: TurnMind, action: Action, scores: Mapping[str, Rule] = SCORES) -> float:
    """Return the score of an action."""
    value = scores[action.verb](mind, action) if action.verb in scores else AT_ONCE
    ends = mind.my_turn and action.verb == mind.edition.last_abilities.get(mind.character)
    return value * LAST if value > 0 and ends else value


def best(mind: TurnMind, choices: Sequence[Choice], scores: Mapping[str, Rule] = SCORES) -> Action:
    """Return the action with the best score, of all actions worth considering."""
    actions = [action for choice in choices for action in ways(mind, choice)]
    return max(actions, key=lambda action: score(mind, action, scores))


def ways(mind: TurnMind, choice: Choice) -> list[Action]:
    """Return the actions of a choice that are worth considering."""
    if not isinstance(choice, Deal):
        return [choice]
    if choice.verb in DEALS:
        return DEALS[choice.verb](mind, choice)
    if choice.count() <= MOST_WAYS:
        return list(choice.actions())
    return [deal_at_random(choice, mind.random) for _ in range(MOST_WAYS)]
