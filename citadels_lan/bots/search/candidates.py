"""Which moves are worth thinking about: those that a player of thumb likes best."""

from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.bots.thumb.learned import LearnedMind
from citadels_lan.bots.thumb.normal import NormalPolicy
from citadels_lan.bots.thumb.sensible import score, ways
from citadels_lan.bots.thumb.taste import Taste
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

MOST: Final = 10
"""So many moves are tried; what comes after them by the rules of thumb is hardly ever the best."""


def candidates(view: State, seat: int, choices: Sequence[Choice], random: Random, taste: Taste) -> list[Action]:
    """The best moves by the rules of thumb, the best first; at least one."""
    if len(choices) == 1 and isinstance(choices[0], Action):
        return [choices[0]]
    mind = LearnedMind(view, seat, choices, random, taste)
    scores = {
        action: score(mind, action, NormalPolicy.scores) for choice in choices for action in ways(mind, choice)
    }
    return sorted(scores, key=scores.__getitem__, reverse=True)[:MOST]
