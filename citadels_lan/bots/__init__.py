"""Bots: players that are programs. They know what their seat may know.

policy = make_policy("sensible", seed=7)
action = policy.choose(view(state, seat), seat, decisions(state)[seat])
"""

from collections.abc import Callable, Mapping
from typing import Final

from .policy import Policy, RandomPolicy
from .sensible import SensiblePolicy

LEVELS: Final[Mapping[str, Callable[[int | str], Policy]]] = {"random": RandomPolicy, "sensible": SensiblePolicy}


def make_policy(level: str, seed: int | str) -> Policy:
    """A bot of a level; the same seed plays the same in the same situations. KeyError for an unknown level."""
    return LEVELS[level](seed)


__all__ = ["LEVELS", "Policy", "RandomPolicy", "SensiblePolicy", "make_policy"]
