"""The bot that is easy to beat: it often does not look, and never at the others."""

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from citadels_lan.bots.at_random import RandomPolicy
from citadels_lan.bots.policy import Forgetful
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .sensible import SensiblePolicy
from .taste import Taste

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
