"""Plays as little as it can: for somebody who is gone, and for whom nothing is to be decided."""

from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State

from .at_random import deal_at_random
from .policy import Forgetful

LEAST: Final = ("pass", "end", "gather gold", "gather")
"""What does least, first; whatever says no goes with it."""


class SkippingPolicy(Forgetful):
    """Passes, says no, ends the turn; takes gold where it must gather, and otherwise any of what it must do."""

    blind = True

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        choice = min(choices, key=_effort)
        return deal_at_random(choice, self._random) if isinstance(choice, Deal) else choice


def _effort(choice: Choice) -> int:
    line = choice.verb if isinstance(choice, Deal) else str(choice)
    if line.endswith(" no"):
        return 0
    return next((at for at, least in enumerate(LEAST) if line.startswith(least)), len(LEAST))
