"""The bot that plays sensibly: it scores what it may do and does the best of it, one move at a time."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from citadels_lan.bots.policy import Forgetful
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .scores import SCORES, Rule, best
from .taste import PLAIN, Taste
from .turns import TurnMind


class SensiblePolicy(Forgetful):
    """Plays by rules of thumb. What it knows of the table is its own view; `seed` decides its few caprices,
    `taste` what it likes, `scores` how good each kind of action is to a mind of `minds`."""

    blind = False
    minds: ClassVar[type[TurnMind]] = TurnMind
    scores: ClassVar[Mapping[str, Rule]] = SCORES

    def __init__(self, seed: int | str, taste: Taste = PLAIN) -> None:
        self._random = Random(seed)
        self._taste = taste

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        if len(choices) == 1 and isinstance(choices[0], Action):
            return choices[0]
        mind = self.minds(view, seat, choices, self._random, self._taste)
        return best(mind, choices, self.scores)
