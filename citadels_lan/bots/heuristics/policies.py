"""The heuristic players: sensible, careless (level easy) and normal."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from msgspec.structs import replace

from citadels_lan.bots.at_random import RandomPolicy
from citadels_lan.bots.heuristics import abilities, learned
from citadels_lan.bots.heuristics.scores import SCORES, Rule, best
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.bots.heuristics.values import PLAIN, Taste
from citadels_lan.bots.policy import Forgetful
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State


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


HEEDLESS: Final = 0.25
"""The part of its moves that are as chance will have them."""
FICKLE: Final = 4.0
"""How far its picks may stray, in gold."""


class CarelessPolicy(Forgetful):
    """Plays by the rules of thumb as long as it thinks of them, and hinders nobody on purpose."""

    blind = False

    def __init__(self, seed: int | str, taste: Taste) -> None:
        self._random = Random(seed)
        self._heedless = RandomPolicy(self._random.getrandbits(64))
        self._heeding = SensiblePolicy(self._random.getrandbits(64), replace(taste, malice=0.0, caprice=FICKLE))

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        policy = self._heedless if self._random.random() < HEEDLESS else self._heeding
        return policy.choose(view, seat, choices)


class NormalPolicy(SensiblePolicy):
    """Picks, destroys and gathers as it was found to win, and takes districts before it builds where that brings
    more; all else is as the rules of thumb say."""

    minds: ClassVar[type[TurnMind]] = learned.LearnedMind
    scores: ClassVar[Mapping[str, Rule]] = {
        **SCORES,
        "pick": learned.score_pick,
        "destroy": learned.score_destroy,
        "seize": abilities.score_early_seize,
        "exchange": abilities.score_early_exchange,
    }
