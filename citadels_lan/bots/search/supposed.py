"""The worlds in which the moves of one decision are tried.

A world is a full state of which the seat has its view, as far as it remembers (`worlds`): nothing that it may not
know has a part in it. There the others are players of thumb, of a kind and with a taste drawn anew for each world,
for nobody knows theirs; they play on to the end of the round, or of the seat's own turn.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.bots.policy import Policy
from citadels_lan.bots.thumb.normal import NormalPolicy
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import PLAIN, TASTES, Taste
from citadels_lan.bots.worlds.memory import Memory
from citadels_lan.bots.worlds.sampling import sample
from citadels_lan.engine.action import Action
from citadels_lan.engine.state import State

from .popularity import Popularity
from .rollout import play_on

KINDS: Final = (SensiblePolicy, NormalPolicy)
TASTED: Final = (PLAIN, PLAIN, *TASTES.values())
"""How others may play, and what they may like."""


class SupposedWorlds:
    """Each made when it is first asked for. `taste` is that of the `seat` itself, `kinds` are those of whom all
    play on, the last of them that of the seat; they play on so `far` as the round goes, or the seat's turn."""

    def __init__(
        self,
        view: State,
        seat: int,
        memory: Memory,
        random: Random,
        taste: Taste,
        kinds: Sequence[type[SensiblePolicy]] = KINDS,
        far: bool = True,
    ) -> None:
        self.seat = seat
        self._view = view
        self._memory = memory
        self._random = random
        self._taste = taste
        self._kinds = kinds
        self._far = far
        self._popularity = Popularity(view)
        self._made: list[tuple[State, int]] = []

    def end(self, action: Action, number: int) -> State:
        """What comes of an action in the world of a number. Raises NoWorld."""
        while number >= len(self._made):
            world = sample(self._view, self.seat, self._memory, self._random, self._popularity)
            self._made.append((world, self._random.getrandbits(32)))
        world, chance = self._made[number]
        return play_on(world, self.seat, action, self._players(chance), chance, self._far)

    def _players(self, chance: int) -> list[Policy]:
        random, seats = Random(chance), range(len(self._view.players))
        kinds = self._kinds
        players: list[Policy] = [random.choice(kinds)(chance + other, random.choice(TASTED)) for other in seats]
        players[self.seat] = kinds[-1](chance + self.seat, self._taste)
        return players
