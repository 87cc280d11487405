"""The bot that has learned from those that think ahead."""

from collections.abc import Mapping
from typing import ClassVar

from . import learned
from .sensible import SCORES, Rule, SensiblePolicy
from .turns import TurnMind


class NormalPolicy(SensiblePolicy):
    """Picks and destroys as it was found to win; all else is as the rules of thumb say."""

    minds: ClassVar[type[TurnMind]] = learned.LearnedMind
    scores: ClassVar[Mapping[str, Rule]] = {
        **SCORES,
        "pick": learned.score_pick,
        "destroy": learned.score_destroy,
    }
