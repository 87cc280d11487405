"""The bot that has learned from those that think ahead."""

from collections.abc import Mapping
from typing import ClassVar

from . import learned, taking
from .scores import SCORES, Rule
from .sensible import SensiblePolicy
from .turns import TurnMind


class NormalPolicy(SensiblePolicy):
    """Picks, destroys and gathers as it was found to win, and takes districts before it builds where that brings
    more; all else is as the rules of thumb say."""

    minds: ClassVar[type[TurnMind]] = learned.LearnedMind
    scores: ClassVar[Mapping[str, Rule]] = {
        **SCORES,
        "pick": learned.score_pick,
        "destroy": learned.score_destroy,
        "seize": taking.score_seize,
        "exchange": taking.score_exchange,
    }
