"""The player that thinks ahead."""

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter

from citadels_lan.bots.policy import Policy
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .candidates import candidates
from .racing import race
from .rollout import play_round
from .value import chances
import sys; sys.path.insert(0, "/tmp/sx")
from crude import sample


class SearchingPolicy:
    """Tries each candidate in supposed worlds, the same for all, and does what won most."""

    blind = False

    def __init__(self, seed: int | str, budget: int = 100, seconds: float = 1.0, mixture=None) -> None:
        self._random = Random(seed)
        self._budget = budget
        self._mixture=mixture
        self._seconds = seconds

    def told(self, event) -> None: ...

    def _mix(self, chance, n):
        if not self._mixture: return [SensiblePolicy(chance + other) for other in range(n)]
        r = Random(chance)
        return [SensiblePolicy(chance + other, r.choice(self._mixture)) for other in range(n)]

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        actions = candidates(view, seat, choices, self._random)
        if len(actions) == 1:
            return actions[0]
        worlds: list[tuple[State, int]] = []
        end = perf_counter() + self._seconds
        def trial(action: Action, number: int) -> float:
            while number >= len(worlds):
                worlds.append((sample(view, seat, None, self._random), self._random.getrandbits(32)))
            world, chance = worlds[number]
            players = self._mix(chance, len(view.players))
            return chances(play_round(world, seat, action, players, chance))[seat]
        return race(actions, trial, self._budget, lambda: perf_counter() > end)
