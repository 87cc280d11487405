"""Rank 2, the Thief: takes all the gold of a character the moment it is revealed (R120 to R125)."""

from citadels_lan.engine.actions import Rob
from citadels_lan.engine.rules import Character
from citadels_lan.engine.state import State

from .naming import NamingRule, out_of_reach


class RobRule(NamingRule):
    """Name the victim."""

    action = Rob
    once = "rob"
    kind = "robbed"

    def unreachable(self, state: State, character: str) -> str | None:
        return out_of_reach(state, character)


class Thief(Character):
    key = "thief"
    rules = (RobRule(),)
