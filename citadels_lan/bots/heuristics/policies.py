"""The heuristic bots: sensible, careless (level easy) and normal."""

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
from citadels_lan.engine import Action, Choice, State


class SensiblePolicy(Forgetful):
    """Plays by heuristics on its own view, without a memory. `seed` decides its random preferences, `taste`
    has its fixed ones. `scores` has a function for each kind of action; each gets a mind of the class
    `minds`."""

    ignores_view = False
    minds: ClassVar[type[TurnMind]] = TurnMind
    scores: ClassVar[Mapping[str, Rule]] = SCORES

    def __init__(self, seed: int | str, taste: Taste = PLAIN) -> None:
        self._random = Random(seed)
        self._taste = taste

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the action with the best score."""
        if len(choices) == 1 and isinstance(choices[0], Action):
            return choices[0]
        mind = self.minds(view, seat, choices, self._random, self._taste)
        return best(mind, choices, self.scores)


RANDOM_SHARE: Final = 0.25
"""The part of the careless bot's moves that are random."""
CAPRICE: Final = 4.0
"""The largest random change of a pick's value by the careless bot, in gold."""


class CarelessPolicy(Forgetful):
    """Plays by heuristics, but makes some moves at random. It never tries to hinder other players."""

    ignores_view = False

    def __init__(self, seed: int | str, taste: Taste) -> None:
        self._random = Random(seed)
        self._random_bot = RandomPolicy(self._random.getrandbits(64))
        harmless = replace(taste, malice=0.0, caprice=CAPRICE)
        self._heuristic_bot = SensiblePolicy(self._random.getrandbits(64), harmless)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the choice of the heuristics or, in some decisions, a random one."""
        policy = self._random_bot if self._random.random() < RANDOM_SHARE else self._heuristic_bot
        return policy.choose(view, seat, choices)


class NormalPolicy(SensiblePolicy):
    """Picks, destroys and gathers by learned weights. It takes and exchanges districts before building if
    that is the better use of its gold. In all else it plays like SensiblePolicy."""

    minds: ClassVar[type[TurnMind]] = learned.LearnedMind
    scores: ClassVar[Mapping[str, Rule]] = {
        **SCORES,
        "pick": learned.score_pick,
        "destroy": learned.score_destroy,
        "seize": abilities.score_early_seize,
        "exchange": abilities.score_early_exchange,
    }
