"""Bots: players that are programs. They know what their seat may know.

policy = make_policy("sensible", seed=7)
action = policy.choose(view(state, seat), seat, decisions(state)[seat])
tell(policy, view(before, seat), [redact(event, seat) for event in events])    # unless it is deaf
"""

from .at_random import RandomPolicy
from .levels import LEVELS, SUBSTITUTES, make_policy, make_substitute
from .policy import Policy, tell
from .skipping import SkippingPolicy
from .thumb.sensible import SensiblePolicy

__all__ = [
    "LEVELS",
    "SUBSTITUTES",
    "Policy",
    "RandomPolicy",
    "SensiblePolicy",
    "SkippingPolicy",
    "make_policy",
    "make_substitute",
    "tell",
]
