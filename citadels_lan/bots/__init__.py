"""Bots: players that are programs. They know what their seat may know.

policy = make_policy("sensible", seed=7)
action = policy.choose(view(state, seat), seat, decisions(state)[seat])
tell(policy, view(before, seat), [redact(event, seat) for event in events])    # unless it is deaf
"""

from collections.abc import Callable, Mapping
from typing import Final

from .at_random import RandomPolicy
from .policy import Policy, tell
from .skipping import SkippingPolicy
from .thumb.sensible import SensiblePolicy

LEVELS: Final[Mapping[str, Callable[[int | str], Policy]]] = {"random": RandomPolicy, "sensible": SensiblePolicy}


STAND_INS: Final[Mapping[str, Callable[[int | str], Policy]]] = {**LEVELS, "skip": SkippingPolicy}
"""The bots that may move for a player who is gone."""


def make_stand_in(level: str, seed: int | str) -> Policy:
    """A bot of a level that moves for somebody. KeyError for an unknown level."""
    return STAND_INS[level](seed)


def make_policy(level: str, seed: int | str) -> Policy:
    """A bot of a level; the same seed plays the same in the same situations. KeyError for an unknown level."""
    return LEVELS[level](seed)


__all__ = [
    "LEVELS",
    "STAND_INS",
    "Policy",
    "RandomPolicy",
    "SensiblePolicy",
    "SkippingPolicy",
    "make_policy",
    "make_stand_in",
    "tell",
]
