"""The player that thinks ahead: it tries each move worth thinking about in supposed worlds, the same for all of
them, and does what won most often.

A world is a full state of which the seat has its view, as far as it remembers (`worlds`): nothing that it may not
know has a part in it. There the others are players of thumb, of a kind and with a taste drawn anew for each world,
for nobody knows theirs; they play on to the end of the round, and then the chance to win is taken from what
stands.
"""

from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Final

from msgspec import Struct

from citadels_lan.bots.policy import Policy
from citadels_lan.bots.thumb.normal import NormalPolicy
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import PLAIN, TASTES, Taste
from citadels_lan.bots.worlds.characters import NoWorld
from citadels_lan.bots.worlds.memory import Memory, remember
from citadels_lan.bots.worlds.sampling import sample
from citadels_lan.engine import Event
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .candidates import candidates
from .popularity import Popularity
from .racing import race
from .rollout import play_round
from .value import chances

KINDS: Final = (SensiblePolicy, NormalPolicy)
TASTED: Final = (PLAIN, PLAIN, *TASTES.values())
"""How others may play, and what they may like."""
LIKED: Final = 0.01
"""So much chance to win is given up for a character that is liked by one gold."""


class Effort(Struct, frozen=True):
    """How much is thought about a move: so many trials of candidates in worlds, and never more seconds than these.
    As long as the seconds suffice, the same seed plays the same."""

    trials: int
    seconds: float


HARD: Final = Effort(trials=240, seconds=0.3)
EXPERT: Final = Effort(trials=4000, seconds=2.0)


class SearchingPolicy:
    """Thinks ahead with an `effort`; `taste` is its own."""

    blind = False
    deaf = False

    def __init__(self, seed: int | str, effort: Effort, taste: Taste = PLAIN) -> None:
        self._seed = seed
        self._effort = effort
        self._taste = taste
        self._memory = Memory()

    def told(self, view: State, event: Event) -> None:
        remember(self._memory, view, event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        late = perf_counter() + self._effort.seconds
        random = Random(f"{self._seed}/{view.tick}")
        actions = candidates(view, seat, choices, random, self._taste)
        if len(actions) == 1:
            return actions[0]
        try:
            worlds = Worlds(view, seat, self._memory, random, self._taste)
            return race(actions, worlds.trial, self._effort.trials, lambda: perf_counter() > late)
        except NoWorld:
            return actions[0]  # the rules of thumb go by the view alone


class Worlds:
    """The worlds in which the candidates of one decision are tried, each made when it is first asked for."""

    def __init__(self, view: State, seat: int, memory: Memory, random: Random, taste: Taste) -> None:
        self._view = view
        self._seat = seat
        self._memory = memory
        self._random = random
        self._taste = taste
        self._popularity = Popularity(view)
        self._made: list[tuple[State, int]] = []

    def trial(self, action: Action, number: int) -> float:
        """The chance to win after an action in the world of a number."""
        while number >= len(self._made):
            world = sample(self._view, self._seat, self._memory, self._random, self._popularity)
            self._made.append((world, self._random.getrandbits(32)))
        world, chance = self._made[number]
        end = play_round(world, self._seat, action, self._players(chance), chance)
        return chances(end)[self._seat] + self._liked(action)

    def _liked(self, action: Action) -> float:
        """What a pick of its own taste is worth to it beside the chance to win."""
        return LIKED * self._taste.likes.get(action.character, 0.0) if isinstance(action, Pick) else 0.0

    def _players(self, chance: int) -> list[Policy]:
        random, seats = Random(chance), range(len(self._view.players))
        players: list[Policy] = [random.choice(KINDS)(chance + other, random.choice(TASTED)) for other in seats]
        players[self._seat] = NormalPolicy(chance + self._seat, self._taste)
        return players
