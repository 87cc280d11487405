"""The player that thinks ahead: it tries each move worth thinking about in supposed worlds, the same for all of
them, and does what won most often. Once a round has ended, the chance to win is taken from what stands. In a city
that everybody builds, what touches nobody else is judged as soon as one's own turn has ended."""

from collections.abc import Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import Final

from msgspec import Struct

from citadels_lan.bots.thumb.taste import PLAIN, Taste
from citadels_lan.bots.worlds.characters import NoWorld
from citadels_lan.bots.worlds.memory import Memory, remember
from citadels_lan.engine import Event, edition_of
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.state import State

from .candidates import MOST, candidates
from .racing import race
from .supposed import SupposedWorlds
from .value import prospects

ALONE: Final = frozenset({
    "gather", "keep", "build", "income", "bonus", "sell", "offer", "redraw", "beautify", "smithy", "laboratory",
    "museum", "lighthouse", "end",
})  # fmt: skip
"""What comes of these moves has come once one's own turn has ended: others are not touched, or bid at once."""
MORE_TRIALS: Final = 2
"""So many times the trials where they end with one's own turn: each takes half the time."""
LIKED: Final = 0.005
"""So much chance to win is given up for a character that is liked by one gold."""


class Effort(Struct, frozen=True):
    """How much is thought about a move: so many `moves` at most, by so many trials in worlds that are played to
    the end of a round, and never for more seconds than these. As long as those suffice, the same seed plays the
    same."""

    trials: int
    seconds: float
    moves: int = MOST


HARD: Final = Effort(trials=300, seconds=0.28)
EXPERT: Final = Effort(trials=4000, seconds=2.0, moves=40)


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
        actions = candidates(view, seat, choices, random, self._taste, most=self._effort.moves)
        if len(actions) == 1:
            return actions[0]
        try:
            far = reaches_others(view, seat, actions)
            worlds = SupposedWorlds(view, seat, self._memory, random, self._taste, far=far)
            trial = partial(tried, worlds, self._taste)
            trials = self._effort.trials * (1 if far else MORE_TRIALS)
            return race(actions, trial, trials, lambda: perf_counter() > late)
        except NoWorld:
            return actions[0]  # the rules of thumb go by the view alone


def reaches_others(view: State, seat: int, actions: Sequence[Action]) -> bool:
    """Whether more than the seat's own turn must be seen: always where characters are picked for a round, whose
    end is what the values were learned from."""
    if view.turn is None or view.turn.seat != seat or not isinstance(edition_of(view).flow, Cycles):
        return True
    return any(action.verb not in ALONE for action in actions)


def tried(worlds: SupposedWorlds, taste: Taste, action: Action, number: int) -> float:
    """What an action promises in the world of a number (`prospects`); and what a pick of one's own taste is worth
    beside that."""
    liked = LIKED * taste.likes.get(action.character, 0.0) if isinstance(action, Pick) else 0.0
    return prospects(worlds.end(action, number))[worlds.seat] + liked
