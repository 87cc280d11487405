"""The bot that has learned from those that think ahead."""

from collections.abc import Mapping
from typing import ClassVar

from . import learned, naming, taking
from .sensible import SCORES, Rule, SensiblePolicy
from .turns import TurnMind


class NormalPolicy(SensiblePolicy):
    """Picks, destroys, gathers and names as it was found to win, and takes districts before it builds; all else is
    as the rules of thumb say."""

    minds: ClassVar[type[TurnMind]] = learned.LearnedMind
    scores: ClassVar[Mapping[str, Rule]] = {
        **SCORES,
        "pick": learned.score_pick,
        "destroy": learned.score_destroy,
        "kill": naming.score_kill,
        "bewitch": naming.score_bewitch,
        "rob": naming.score_rob,
        "warrant": naming.score_marks,
        "threaten": naming.score_marks,
        "seize": taking.score_seize,
        "exchange": taking.score_exchange,
    }
