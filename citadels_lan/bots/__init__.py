"""Bots. A bot knows only what its seat may know.

policy = make_policy("sensible", seed=7)
action = policy.choose(view(state, seat), seat, decisions(state)[seat])
tell(policy, view(before, seat), [redact(event, seat) for event in events])    # unless it ignores events
"""

from citadels_lan.bots.heuristics.policies import SensiblePolicy
from citadels_lan.bots.levels import LEVELS, SUBSTITUTES, SkippingPolicy, make_policy

from .at_random import RandomPolicy
from .policy import Policy, tell

__all__ = [
    "LEVELS", "SUBSTITUTES", "Policy", "RandomPolicy", "SensiblePolicy", "SkippingPolicy", "make_policy",
    "tell",
]  # fmt: skip
