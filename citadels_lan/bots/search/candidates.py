"""Which moves are worth thinking about: those that a player of thumb likes best."""

from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.bots.thumb.normal import NormalPolicy
from citadels_lan.bots.thumb.scores import score, ways
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import Taste
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

MOST: Final = 10
"""So many moves are tried where time is short; what comes after them by the rules of thumb is rarely the best."""


def candidates(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    random: Random,
    taste: Taste,
    kind: type[SensiblePolicy] = NormalPolicy,
    most: int = MOST,
) -> list[Action]:
    """The best moves by the rules of thumb of a kind of player, the best first; at least one, and no more than
    `most`. The best of each verb come before all others: doing nothing, and doing what does not look worth it, are
    moves, too."""
    if len(choices) == 1 and isinstance(choices[0], Action):
        return [choices[0]]
    mind = kind.minds(view, seat, choices, random, taste)
    scores = {action: score(mind, action, kind.scores) for choice in choices for action in ways(mind, choice)}
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    first = {action.verb: action for action in reversed(ranked)}
    kept = set(sorted(ranked, key=lambda action: first[action.verb] is not action)[:most])
    return [action for action in ranked if action in kept]
