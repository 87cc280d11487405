"""Which moves are worth thinking about: those that the rules of thumb like best."""

from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.bots.thumb.sensible import score, ways
from citadels_lan.bots.thumb.taste import Taste
from citadels_lan.bots.thumb.turns import TurnMind
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

MOST: Final = 10


def candidates(view: State, seat: int, choices: Sequence[Choice], random: Random, taste: Taste) -> list[Action]:
    """The best moves by the rules of thumb, the best first; at least one."""
    if len(choices) == 1 and isinstance(choices[0], Action):
        return [choices[0]]
    mind = TurnMind(view, seat, choices, random, taste)
    scores = {action: score(mind, action) for choice in choices for action in ways(mind, choice)}
    return sorted(scores, key=scores.__getitem__, reverse=True)[:MOST]
